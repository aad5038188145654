internal import Tree
package import Wire

/// What a programming interface may lack although it has the capability that it belongs to.
///
/// The one table of these names: adapters give them as `lacks`, scenarios need them by what they do,
/// and the documentation is compared with it. The raw value is the name.
public enum Feature: String, CaseIterable, Hashable, Sendable {
  case exclusiveBounds = "query.exclusive-bounds"
  case booleanPriority = "query.boolean-priority"
  case increment = "server-values.increment"
  case unlistenAll = "unlisten-all"
  case unlistenOnce = "unlisten.once"
  case onceChild = "once.child"
  case hiddenTransaction = "transaction.hidden"
  case pushWithoutValue = "push.without-value"
  case address
  case authEnds = "auth.ends"
  case completionReference = "inspect.completion"
  case orderOfUpdate = "on-disconnect.update-order"
  case equivalentKeys = "keys.canonical-equivalence"

  /// All names, in the order of the documentation.
  public static let names = allCases.map(\.rawValue)

  /// The names of all but these.
  public static func names(without lacks: Set<Feature>) -> [String] {
    allCases.filter { !lacks.contains($0) }.map(\.rawValue)
  }

  /// What it is that may be missing.
  public var meaning: String {
    switch self {
    case .exclusiveBounds: "`startAfter` and `endBefore`"
    case .booleanPriority: "a boolean as a bound where the order is by priority"
    case .increment: "the placeholder that adds to a number"
    case .unlistenAll: "the removal of all listeners of a location or query"
    case .unlistenOnce: "the removal of a listener for a single event"
    case .onceChild: "a listener for a single child event"
    case .hiddenTransaction: "a transaction whose intermediate values are not shown"
    case .pushWithoutValue: "a new key without a value"
    case .address: "references made from an absolute address, and the address of a reference"
    case .authEnds: "to be informed how signing in and signing out ended"
    case .completionReference: "the reference that a completion is handed"
    case .orderOfUpdate: "an order of the locations of an on-disconnect update, other than by name"
    case .equivalentKeys:
      "a value with two keys that are canonically equivalent, as `é` composed and decomposed"
    }
  }
}

extension Operation {
  /// What an interface needs for this call, besides the capabilities.
  public var features: Set<Feature> {
    var used: Set<Feature> = []
    let given = arguments
    if let query = given.query { used.formUnion(query.features) }
    if given.values.contains(where: \.hasIncrement) { used.insert(.increment) }
    if kind == .unlistenAll { used.insert(.unlistenAll) }
    if let event = given.event, event != .value { used.insert(.onceChild) }
    if given.localEvents == .hidden { used.insert(.hiddenTransaction) }
    if kind == .push, given.value == nil { used.insert(.pushWithoutValue) }
    if let inspection = given.inspection { used.formUnion(inspection.features) }
    if kind == .onDisconnectUpdate, let changes = given.changes, changes != changes.inOrder,
      changes.areTaken
    {
      used.insert(.orderOfUpdate)
    }
    if given.hasEquivalentKeys { used.insert(.equivalentKeys) }
    for call in nestedCalls { used.formUnion(call.operation.features) }
    return used
  }
}

extension Operation.Arguments {
  /// Whether a value, or the names of an update, has two keys that are canonically equivalent.
  fileprivate var hasEquivalentKeys: Bool {
    var values = values
    if case let .mutableData(value, _)? = inspection?.subject { values.append(Node(json: value)) }
    return (changes ?? []).map(\.path.relativeText).hasEquivalents
      || values.contains(where: \.hasEquivalentKeys)
  }
}

extension [String] {
  /// Whether two of them are canonically equivalent: Swift takes these for equal, as its dictionaries do.
  package var hasEquivalents: Bool { Set(self).count < count }
}

extension [Assignment] {
  /// Whether they are an update that is not refused: of one that is, the order does not matter.
  fileprivate var areTaken: Bool {
    indices.allSatisfy { index in
      let path = self[index].path
      let owner = path.key == .priority ? path.parent ?? path : path
      return owner.problem == nil
        && NodeProblem.first(in: self[index].node, at: path) == nil
        && !self[..<index].contains { $0.path.isRelated(to: path) }
    }
  }

  /// In the order of their names: how an interface hands them over whose mappings have no order.
  package var inOrder: [Assignment] {
    sorted { Text($0.path.relativeText) < Text($1.path.relativeText) }
  }
}

extension Query {
  fileprivate var features: Set<Feature> {
    var used: Set<Feature> = []
    let bounds = [start, end].compactMap { $0 }
    if bounds.contains(where: { $0.edge == .exclusive }) { used.insert(.exclusiveBounds) }
    if ordering == .priority, bounds.contains(where: \.isBoolean) { used.insert(.booleanPriority) }
    return used
  }
}

extension Query.Bound {
  fileprivate var isBoolean: Bool {
    if case .bool = value { true } else { false }
  }
}

extension Inspection {
  fileprivate var features: Set<Feature> {
    if question == "url" { return [.address] }
    switch subject {
    case .address: return [.address]
    case let .query(_, steps):
      let isExclusive = steps.contains { $0["startAfter"] != nil || $0["endBefore"] != nil }
      return isExclusive ? [.exclusiveBounds] : []
    case .completion: return ["ref", "key"].contains(question) ? [.completionReference] : []
    case .reference, .snapshot, .mutableData: return []
    }
  }
}

extension Node {
  /// Whether a placeholder that adds to a number stands in it, at any depth.
  package var hasIncrement: Bool {
    guard hasServerValues else { return false }
    if case .serverValue(.increment) = scalar { return true }
    return children.contains { $0.node.hasIncrement }
  }
}

extension Node {
  /// Whether the keys of two of its children, or of children beside each other at any depth, are canonically equivalent.
  package var hasEquivalentKeys: Bool {
    children.map(\.key.string).hasEquivalents || children.contains { $0.node.hasEquivalentKeys }
  }
}
