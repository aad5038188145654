internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

// What calls and writes are about.

extension ShrinkSearch {
  /// Makes each call and each write of the server simpler as far as that goes.
  mutating func simplifyOperations() {
    for element in current.elements.reversed() {
      exhaust { scenario in
        guard scenario.elements.contains(element) else { return [] }
        return scenario[element].simpler.map { action in
          scenario.changed { $0[element] = action }
        }
      }
    }
  }
}

extension Action {
  /// Actions of the same kind with less in them, the simplest first.
  fileprivate var simpler: [Action] {
    if let fault { return fault.simpler.map { .fault($0) } }
    guard var call else { return [] }
    return call.operation.simpler.map { operation in
      call.operation = operation
      return .call(call)
    }
  }
}

extension NamedFault {
  fileprivate var simpler: [NamedFault] {
    switch self {
    case let .write(write): return write.simpler.map { .write($0) }
    case let .reject(rule):
      var copies: [SecurityRule] = []
      for access in SecurityRule.Access.allCases where rule.deny.count > 1 {
        copies.append(.init(rule.path, deny: [access], unless: rule.unless))
      }
      if rule.unless != .noUser || rule.status != nil {
        copies.append(.init(rule.path, deny: rule.deny))
      }
      return copies.map { .reject($0) }
    default: return []
    }
  }
}

extension ServerWrite {
  fileprivate var simpler: [ServerWrite] {
    switch self {
    case let .set(path, node):
      path.shorter.map { .set($0, node) } + node.simpler.map { .set(path, $0) }
    case let .update(path, parts): parts.simpler.map { .update(path, $0) }
    case let .remove(path): path.shorter.map { .remove($0) }
    }
  }
}

extension ClientInterface.Operation {
  fileprivate var simpler: [ClientInterface.Operation] {
    let given = arguments
    func with<Value>(
      _ argument: WritableKeyPath<Arguments, Value>, _ values: [Value]
    ) -> [ClientInterface.Operation] {
      values.map { value in mapArguments { $0[keyPath: argument] = value } }
    }
    var simpler: [ClientInterface.Operation] = []
    if let events = given.events, events.count > 1 {
      simpler += with(\.events, EventType.byUse.filter(events.contains).map { [$0] })
    }
    if let event = given.event, event != .value { simpler += with(\.event, [.value]) }
    if given.localEvents == .hidden { simpler += with(\.localEvents, [.shown]) }
    simpler += with(\.query, given.query?.simpler ?? [])
    // The parts of an update and what is pushed are about paths of their own.
    if given.changes == nil, kind != .push, kind != .unlisten {
      simpler += with(\.path, given.path?.shorter ?? [])
    }
    simpler += with(\.value, given.value?.simpler ?? [])
    simpler += with(\.changes, given.changes?.simpler ?? [])
    if let priority = given.priority, priority != 1 { simpler += with(\.priority, [1]) }
    simpler += with(\.function, given.function?.simpler ?? [])
    return simpler + (given.reaction?.simpler ?? []).map { ClientInterface.Operation.on($0) }
  }
}

extension Reaction {
  /// With a call less, or with a simpler one.
  fileprivate var simpler: [Reaction] {
    var simpler: [Reaction] = []
    for index in calls.indices {
      var copy = self
      copy.calls.remove(at: index)
      if !copy.calls.isEmpty { simpler.append(copy) }
    }
    for index in calls.indices {
      simpler += calls[index].operation.simpler.map { operation in
        var copy = self
        copy.calls[index].operation = operation
        return copy
      }
    }
    return simpler
  }
}

extension EventType {
  /// The one that says most by itself first.
  fileprivate static let byUse: [EventType] = [
    .value, .childAdded, .childRemoved, .childChanged, .childMoved,
  ]
}

extension Node {
  /// The values that people take when any will do. Several, since two writes often must differ.
  private static let usual: [Node] = [Node(1), Node(2), Node(3)]

  /// Simpler values, the simplest first; none for a usual one but those before it.
  var simpler: [Node] {
    if isEmpty { return [] }
    let before = Self.usual.prefix { $0 != self }
    if before.count < Self.usual.count { return Array(before) }
    let plain = priority == nil ? [] : [settingPriority(nil)]
    return Self.usual + plain + simplerParts + simplerPriority
  }

  /// With fewer children or simpler ones.
  var simplerParts: [Node] {
    let fewer = children.map { setting(.empty, at: $0.key) }.filter { !$0.isEmpty }
    let smaller = children.flatMap { child in
      child.node.simpler.map { setting($0, at: child.key) }
    }
    return fewer + smaller
  }

  private var simplerPriority: [Node] {
    priority == nil || priority == 1 ? [] : [settingPriority(1)]
  }
}

extension [Assignment] {
  /// Fewer parts, and parts with simpler values.
  var simpler: [[Assignment]] {
    var result: [[Assignment]] = []
    if count > 1 {
      for index in indices {
        var copy = self
        copy.remove(at: index)
        result.append(copy)
      }
    }
    for index in indices {
      for node in self[index].node.simpler {
        var copy = self
        copy[index].node = node
        result.append(copy)
      }
      for path in self[index].path.shorter {
        var copy = self
        copy[index].path = path
        result.append(copy)
      }
    }
    return result
  }
}

extension Path {
  /// The location above, where that is not the root.
  var shorter: [Path] { count > 1 && keys.first != ".info" ? [Path(Array(keys.dropLast()))] : [] }
}

extension TransactionFunction {
  var simpler: [TransactionFunction] {
    switch kind.argument {
    case .number: self == .increment(1) ? [] : [.increment(1)]
    case .none: [.increment(1)]
    case .value: Node(json: argument).simpler.map { .init(kind, $0.json) }
    case .children:
      Node(json: argument).simplerParts.map(\.json).filter { $0.members != nil }
        .map { .init(kind, $0) }
    }
  }
}

extension Query {
  /// Queries with less in them, the simplest first.
  var simpler: [Query] {
    if self == .all { return [] }
    var result = [Query.all]
    func add(_ change: (inout Query) -> Void) {
      var copy = self
      change(&copy)
      if copy != self, copy.isAllowed { result.append(copy) }
    }
    add { $0.start = nil }
    add { $0.end = nil }
    add { $0.limit = nil }
    add { $0.ordering = .priority }
    add { $0.limit = $0.limit?.one }
    add { $0.limit = $0.limit?.less }
    add { query in
      query.start?.key = nil
      query.end?.key = nil
    }
    add { query in
      query.start?.edge = .inclusive
      query.end?.edge = .inclusive
    }
    return result
  }

  /// Whether a file may say it: priorities are never true or false.
  private var isAllowed: Bool {
    guard ordering == .priority else { return true }
    return [start?.value, end?.value].allSatisfy { value in
      if case .bool? = value { false } else { true }
    }
  }
}

extension Query.Limit {
  fileprivate var one: Self {
    switch self {
    case .first: .first(1)
    case .last: .last(1)
    }
  }

  fileprivate var less: Self {
    switch self {
    case let .first(count): .first(max(1, count - 1))
    case let .last(count): .last(max(1, count - 1))
    }
  }
}
