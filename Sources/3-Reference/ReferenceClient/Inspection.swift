package import ClientInterface
package import Tree
internal import Wire

/// Answers for what an application looks at without the server.
///
/// Each kind of subject is a value of its own that knows its answers; no question changes
/// anything.
extension ReferenceClient {
  mutating func inspect(_ inspection: Inspection, as call: CallID) {
    do {
      outputs.append(.answered(call, try answer(to: inspection)))
    } catch {
      outputs.append(.threw(call, error.code))
    }
  }

  private func answer(to inspection: Inspection) throws(Refusal) -> JSON {
    let (part, question) = (inspection.part, inspection.question)
    if part.problem != nil { throw Refusal(code: "invalid_path") }
    switch inspection.subject {
    case let .reference(path):
      return try reference(to: path.appending(part)).answer(question, inspection.argument)
    case let .address(text):
      guard let address = Address(text), address.host == host else {
        throw Refusal(code: "invalid_url")
      }
      return try reference(to: address.path.appending(part)).answer(question, inspection.argument)
    case let .snapshot(listener, nth):
      guard let snapshot = snapshots[listener]?.snapshot(nth)?.child(at: part) else {
        throw .noSnapshot
      }
      return try snapshot.answer(question, inspection.argument, profile.arrays)
    case let .completion(call):
      guard let completion = completions.last(where: { $0.call == call }) else {
        throw .noSnapshot
      }
      return try completion.answer(inspection, profile.arrays)
    case let .mutableData(value, changes):
      let data = try MutableData(value, changes)
      return try data.child(at: part).answer(question, inspection.argument, profile.arrays)
    case let .query(path, steps):
      return try QueryBuilder(at: path, steps).answer(question, inspection.argument)
    }
  }

  private func reference(to path: Path) throws(Refusal) -> Reference {
    if path.problem != nil { throw Refusal(code: "invalid_path") }
    return Reference(path: path, host: host, rootParent: profile.rootParent)
  }
}

extension Refusal {
  /// The client does not know the question.
  static let unknownQuestion = Refusal(code: "not_supported")
  /// Nothing was handed to the application.
  static let noSnapshot = Refusal(code: "no_snapshot")
}

extension JSON {
  /// The relative path that a question names; refused where no place can have it.
  var namedPath: Path {
    get throws(Refusal) {
      guard let text = string else { throw Refusal(code: "invalid_path") }
      let path = Path(text)
      if path.problem != nil { throw Refusal(code: "invalid_path") }
      return path
    }
  }
}

// MARK: - References

/// A name of a location. It holds no data and needs no connection (REF-15).
struct Reference {
  let path: Path
  let host: String
  let rootParent: Profile.RootParent

  func answer(_ question: String, _ argument: JSON) throws(Refusal) -> JSON {
    switch question {
    case "key": return path.key.map { .string($0.string) } ?? .null  // REF-5, REF-10
    case "parent": return parent.map { .string($0.description) } ?? .null
    case "root": return .string(Path.root.description)  // REF-12
    case "child":  // REF-13
      let child = path.appending(try argument.namedPath)
      if child.problem != nil { throw Refusal(code: "invalid_path") }
      return .string(child.description)
    case "equals": return .bool(path == (try argument.namedPath))  // REF-6
    case "url", "description": return .string(Address(host: host, path: path).text)  // REF-9
    default: throw .unknownQuestion
    }
  }

  /// REF-4, REF-11.
  private var parent: Path? {
    if let parent = path.parent { return parent }
    return switch rootParent {
    case .itself: path
    case .nothing: nil
    }
  }
}

// MARK: - Snapshots

/// What an event handed over: one node as it was at that moment (SNP-1).
package struct Snapshot: Sendable {
  /// The location of the node.
  package let path: Path
  private let contents: Contents

  /// The snapshot of an event of a listener at `location`.
  package init(_ event: Event, at location: Path) {
    var ordering = Query.Ordering.priority
    if event.type == .value, case let .sorted(order) = event.order { ordering = order }
    let key = event.type == .value ? nil : event.key
    path = key.map { location.appending($0) } ?? location
    contents = Contents(node: event.value, ordering: ordering)
  }

  private init(path: Path, contents: Contents) {
    self.path = path
    self.contents = contents
  }

  /// A node of which no query determines the order.
  package init(_ node: Node, at path: Path) {
    self.init(path: path, contents: Contents(node: node, ordering: .priority))
  }

  /// What it shows.
  package var node: Node { contents.node }
  /// The keys of the children in their order (SNP-16).
  package var keys: [Key] { contents.ordering.keys(of: contents.node.children) }

  /// The snapshot of a location below, of the same moment. Its children have the default order
  /// (SNP-22).
  package func child(at part: Path) -> Snapshot {
    if part.isRoot { return self }
    return Snapshot(
      path: path.appending(part),
      contents: Contents(node: contents.node[part], ordering: .priority))
  }

  func answer(
    _ question: String, _ argument: JSON, _ arrays: ArrayReading
  ) throws(Refusal) -> JSON {
    switch question {
    case "key": path.key.map { .string($0.string) } ?? .null  // SNP-17
    case "ref": .string(path.description)  // SNP-18
    case "exists": .bool(!contents.node.isEmpty)  // SNP-12
    default: try contents.answer(question, argument, arrays)
    }
  }
}

/// What one listener was handed.
struct ReceivedEvents {
  /// What it listens to.
  let target: Operation.Target
  /// Whether its listener can be removed: what a single `get` asked for cannot (GET-3).
  let isRemovable: Bool
  /// The first events, in order; no more than `limit`, so that a listener may live for ever.
  private var first: [Event] = []
  private var last: Event?
  private var count = 0

  /// How many of the first events are kept.
  static let limit = 64

  init(at target: Operation.Target, isRemovable: Bool = true) {
    self.target = target
    self.isRemovable = isRemovable
  }

  /// The snapshot of an event by its number, from 1, or of the last one; `nil` where none was received.
  /// It is made when it is asked for, since few ever are.
  func snapshot(_ nth: Int?) -> Snapshot? {
    let number = nth ?? count
    if number == count { return last.map { Snapshot($0, at: target.path) } }
    return first.indices.contains(number - 1)
      ? Snapshot(first[number - 1], at: target.path) : nil
  }

  mutating func follow(_ event: Event) {
    count += 1
    last = event
    if first.count < Self.limit { first.append(event) }
  }
}

/// What the completion of one call was handed: the reference that the call was about, or, of a
/// transaction, the snapshot of what it has left (WRT-10, TXN-22).
struct ReceivedCompletion {
  /// How many are kept, of the calls that completed last.
  static let limit = 64

  let call: CallID
  let path: Path
  let completion: Completion

  /// Answers about the snapshot of a transaction, or about the reference of another call.
  func answer(_ inspection: Inspection, _ arrays: ArrayReading) throws(Refusal) -> JSON {
    if completion.committed == nil {
      switch inspection.question {
      case "ref": return .string(path.description)
      case "key": return path.key.map { .string($0.string) } ?? .null
      default: throw .noSnapshot
      }
    }
    guard let value = completion.value else { throw .noSnapshot }
    return try Snapshot(value, at: path).child(at: inspection.part)
      .answer(inspection.question, inspection.argument, arrays)
  }
}

// MARK: - Mutable data

/// A copy of a node that a transaction's function reads and changes (MUT-1).
struct MutableData {
  private var node: Node
  /// `nil` for the data that the function was handed, whatever its location (MUT-11).
  private let key: Key?

  /// The data that hold `value` after `changes`.
  init(_ value: JSON, _ changes: [JSON]) throws(Refusal) {
    node = try Self.checked(value)
    key = nil
    for change in changes { try apply(change) }
  }

  private init(_ node: Node, key: Key?) {
    self.node = node
    self.key = key
  }

  /// A part, which shows what was changed in the whole (MUT-9).
  func child(at part: Path) -> MutableData {
    part.isRoot ? self : MutableData(node[part], key: part.key)
  }

  func answer(
    _ question: String, _ argument: JSON, _ arrays: ArrayReading
  ) throws(Refusal) -> JSON {
    if question == "key" { return key.map { .string($0.string) } ?? .null }
    // MUT-10: in the default order.
    return try Contents(node: node, ordering: .priority).answer(question, argument, arrays)
  }

  private mutating func apply(_ change: JSON) throws(Refusal) {
    let part = try (change["child"] ?? "").namedPath
    if let value = change["value"] {
      // MUT-4, MUT-5: the new value has the priority that it names itself, or none.
      node = node.setting(try Self.checked(value), at: part)
    } else {
      // MUT-6: nothing else changes.
      let priority = Scalar(change["priority"] ?? .null)
      _ = try Self.checked(Node(true, priority: priority))
      node = node.setting(node[part].settingPriority(priority), at: part)
    }
  }

  private static func checked(_ value: JSON) throws(Refusal) -> Node {
    try checked(Node(json: value))
  }

  private static func checked(_ node: Node) throws(Refusal) -> Node {
    if NodeProblem.first(in: node, at: .root) != nil { throw Refusal(code: "invalid_value") }
    return node
  }
}

// MARK: - What both have in common

/// A node with the order of its children: what snapshots and mutable data have in common.
struct Contents: Sendable {
  let node: Node
  let ordering: Query.Ordering

  func answer(
    _ question: String, _ argument: JSON, _ arrays: ArrayReading
  ) throws(Refusal) -> JSON {
    switch question {
    case "value": return node.plainJSON(arrays)  // SNP-11, MUT-3
    case "export": return node.json  // SNP-8
    case "priority": return node.priority?.json ?? .null  // SNP-19
    case "hasChild": return .bool(!node[try argument.namedPath].isEmpty)  // SNP-13, MUT-8
    case "hasChildren": return .bool(!node.children.isEmpty)  // SNP-15, MUT-7
    case "childrenCount": return .number(Double(node.children.count))  // SNP-4
    case "children": return try children(argument, arrays)
    default: throw .unknownQuestion
    }
  }

  /// Of each child in order its key, or its answer to the question that `argument` names (SNP-16).
  private func children(_ argument: JSON, _ arrays: ArrayReading) throws(Refusal) -> JSON {
    var answers: [JSON] = []
    for key in ordering.keys(of: node.children) {
      if argument == .null || argument == "key" {
        answers.append(.string(key.string))
      } else {
        let child = Contents(node: node[key], ordering: .priority)
        answers.append(try child.answer(argument.string ?? "", .null, arrays))
      }
    }
    return .array(answers)
  }
}

// MARK: - Queries

/// A query that conditions are added to one by one. Each gives a new query (QRY-26).
package struct QueryBuilder: Sendable {
  private let path: Path
  package private(set) var query = Query.all
  private var isOrdered = false

  /// Starts with everything at a location, and adds conditions in the form of scenarios, such as
  /// `{"orderBy": "score"}`.
  package init(at path: Path, _ steps: [JSON] = []) throws(Refusal) {
    if path.problem != nil { throw Refusal(code: "invalid_path") }
    self.path = path
    for step in steps { try add(step) }
    try check()
  }

  /// The same query with one more condition.
  package func adding(_ step: JSON) throws(Refusal) -> QueryBuilder {
    var derived = self
    try derived.add(step)
    try derived.check()
    return derived
  }

  func answer(_ question: String, _ argument: JSON) throws(Refusal) -> JSON {
    switch question {
    case "ref": return .string(path.description)  // QRY-25
    case "valid":
      // Each condition by itself, on top of what there is.
      for step in argument.elements ?? [] {
        _ = try adding(step)
      }
      return true
    default: throw .unknownQuestion
    }
  }

  private func check() throws(Refusal) {
    if let refusal = Refusal.query(query) { throw refusal }
  }

  /// ERR-4, ERR-13: what is there already is not given again.
  private mutating func add(_ step: JSON) throws(Refusal) {
    guard let condition = step.members?.first, step.members?.count == 1 else {
      throw .invalidQuery
    }
    let value = condition.value
    switch condition.name {
    case "orderBy": try order(by: value)
    case "startAt": try setStart(bound(value, .inclusive))
    case "startAfter": try setStart(bound(value, .exclusive))
    case "endAt": try setEnd(bound(value, .inclusive))
    case "endBefore": try setEnd(bound(value, .exclusive))
    case "equalTo":
      try setStart(bound(value, .inclusive))
      try setEnd(bound(value, .inclusive))
    case "limitToFirst": try setLimit(.first(value.integer ?? 0))
    case "limitToLast": try setLimit(.last(value.integer ?? 0))
    default: throw .invalidQuery
    }
  }

  private mutating func order(by name: JSON) throws(Refusal) {
    guard !isOrdered, let name = name.string else { throw .invalidQuery }
    let ordering = Query.Ordering(indexName: name)
    if case let .child(path) = ordering, path.problem != nil || path.isRoot {
      throw Refusal(code: "invalid_path")
    }
    query.ordering = ordering
    isOrdered = true
  }

  private mutating func setStart(_ bound: Query.Bound) throws(Refusal) {
    if query.start != nil { throw .invalidQuery }
    query.start = bound
  }

  private mutating func setEnd(_ bound: Query.Bound) throws(Refusal) {
    if query.end != nil { throw .invalidQuery }
    query.end = bound
  }

  private mutating func setLimit(_ limit: Query.Limit) throws(Refusal) {
    if query.limit != nil { throw .invalidQuery }
    query.limit = limit
  }

  /// A scalar, or `{value, key}`.
  private func bound(
    _ argument: JSON, _ edge: Query.Bound.Edge
  ) throws(Refusal) -> Query.Bound {
    let value = argument.members == nil ? argument : argument["value"] ?? .null
    guard value == .null || Scalar(value) != nil else { throw .invalidQuery }
    return Query.Bound(Scalar(value), key: argument["key"]?.string.map { Key($0) }, edge: edge)
  }
}

extension Refusal {
  fileprivate static let invalidQuery = Refusal(code: "invalid_query")
}
