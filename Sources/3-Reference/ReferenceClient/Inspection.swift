package import ClientInterface
package import Tree
internal import Wire

/// Answers for what an application looks at without the server. No question changes anything.
extension ReferenceClient {
  mutating func inspect(_ inspection: Inspection, as call: CallID) {
    do {
      outputs.append(.answered(call, try answer(to: inspection)))
    } catch {
      outputs.append(.threw(call, error.code))
    }
  }

  private func answer(to inspection: Inspection) throws(Refusal) -> JSON {
    let (part, question, argument) = (inspection.part, inspection.question, inspection.argument)
    if part.problem != nil { throw .invalidPath }
    switch inspection.subject {
    case let .reference(path):
      return try answer(question, argument, aboutReferenceTo: path.appending(part))
    case let .address(text):
      guard let address = Address(text), address.host == host else {
        throw Refusal(code: "invalid_url")
      }
      return try answer(question, argument, aboutReferenceTo: address.path.appending(part))
    case let .snapshot(listener, nth):
      guard let snapshot = snapshots[listener]?.snapshot(nth) else { throw .noSnapshot }
      return try snapshot.child(at: part).answer(question, argument, profile.arrays)
    case let .completion(call):
      guard let received = completions.last(where: { $0.call == call }) else { throw .noSnapshot }
      return try received.snapshot(for: question, of: part)
        .answer(question, argument, profile.arrays)
    case let .mutableData(value, changes):
      let node = try Node(json: value).changed(by: changes)[part]
      // MUT-11: the data that the function was handed have no key, whatever their location.
      if question == "key" { return part.key.json }
      // MUT-10: in the default order.
      return try Snapshot(node, at: part).content(question, argument, profile.arrays)
    case let .query(path, steps):
      return try QueryBuilder(at: path, steps).answer(question, argument)
    }
  }

  /// A reference is the name of a location. It holds no data and needs no connection (REF-15).
  private func answer(
    _ question: String, _ argument: JSON, aboutReferenceTo path: Path
  ) throws(Refusal) -> JSON {
    if path.problem != nil { throw .invalidPath }
    switch question {
    case "key": return path.key.json  // REF-5, REF-10
    case "parent":  // REF-4, REF-11
      let parent = path.parent ?? (profile.rootParent == .itself ? path : nil)
      return parent.map { .string($0.description) } ?? .null
    case "root": return .string(Path.root.description)  // REF-12
    case "child":  // REF-13
      let child = path.appending(try argument.namedPath)
      if child.problem != nil { throw .invalidPath }
      return .string(child.description)
    case "equals": return .bool(path == (try argument.namedPath))  // REF-6
    case "url", "description": return .string(Address(host: host, path: path).text)  // REF-9
    default: throw .unknownQuestion
    }
  }
}

extension Refusal {
  static let invalidPath = Refusal(code: "invalid_path")
  static let invalidValue = Refusal(code: "invalid_value")
  static let invalidQuery = Refusal(code: "invalid_query")
  /// The client does not know the question.
  fileprivate static let unknownQuestion = Refusal(code: "not_supported")
  /// Nothing was handed to the application.
  fileprivate static let noSnapshot = Refusal(code: "no_snapshot")
}

extension Key? {
  fileprivate var json: JSON { map { .string($0.string) } ?? .null }
}

extension JSON {
  /// The relative path that a question names; refused where no place can have it.
  fileprivate var namedPath: Path {
    get throws(Refusal) {
      guard let text = string else { throw .invalidPath }
      let path = Path(text)
      if path.problem != nil { throw .invalidPath }
      return path
    }
  }
}

// MARK: - Snapshots

/// What an event handed over: one node as it was at that moment (SNP-1).
package struct Snapshot: Sendable {
  /// The location of the node.
  package let path: Path
  /// What it shows.
  package let node: Node
  private let ordering: Query.Ordering

  /// The snapshot of an event of a listener at `location`.
  package init(_ event: Event, at location: Path) {
    let key = event.type == .value ? nil : event.key
    path = key.map { location.appending($0) } ?? location
    node = event.value
    if event.type == .value, case let .sorted(order) = event.order {
      ordering = order
    } else {
      ordering = .priority
    }
  }

  /// A node of which no query determines the order.
  package init(_ node: Node, at path: Path) {
    (self.node, self.path, ordering) = (node, path, .priority)
  }

  /// The keys of the children in their order (SNP-16).
  package var keys: [Key] { ordering.keys(of: node.children) }

  /// The snapshot of a location below, of the same moment. Its children have the default order
  /// (SNP-22).
  package func child(at part: Path) -> Snapshot {
    part.isRoot ? self : Snapshot(node[part], at: path.appending(part))
  }

  func answer(
    _ question: String, _ argument: JSON, _ arrays: ArrayReading
  ) throws(Refusal) -> JSON {
    switch question {
    case "key": path.key.json  // SNP-17
    case "ref": .string(path.description)  // SNP-18
    case "exists": .bool(!node.isEmpty)  // SNP-12
    default: try content(question, argument, arrays)
    }
  }

  /// Answers what mutable data can be asked as well.
  func content(
    _ question: String, _ argument: JSON, _ arrays: ArrayReading
  ) throws(Refusal) -> JSON {
    switch question {
    case "value": return node.plainJSON(arrays)  // SNP-11, MUT-3
    case "export": return node.json  // SNP-8
    case "priority": return node.priority?.json ?? .null  // SNP-19
    case "hasChild": return .bool(!node[try argument.namedPath].isEmpty)  // SNP-13, MUT-8
    case "hasChildren": return .bool(!node.children.isEmpty)  // SNP-15, MUT-7
    case "childrenCount": return .number(Double(node.children.count))  // SNP-4
    case "children":  // SNP-16: of each its key, or its answer to the question that is named
      let isKey = argument == .null || argument == "key"
      return .array(
        try keys.map { key throws(Refusal) -> JSON in
          if isKey { return .string(key.string) }
          return try child(at: Path([key])).content(argument.string ?? "", .null, arrays)
        })
    default: throw .unknownQuestion
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
    let isEarly = number != count && first.indices.contains(number - 1)
    let event = number == count ? last : isEarly ? first[number - 1] : nil
    return event.map { Snapshot($0, at: target.path) }
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

  /// What answers a question: the snapshot of a transaction or, as far as a reference can, nothing at
  /// the location of another call.
  fileprivate func snapshot(for question: String, of part: Path) throws(Refusal) -> Snapshot {
    if completion.committed == nil, question == "ref" || question == "key" {
      return Snapshot(.empty, at: path)
    }
    guard completion.committed != nil, let value = completion.value else { throw .noSnapshot }
    return Snapshot(value, at: path).child(at: part)
  }
}

// MARK: - Mutable data

extension Node {
  /// What mutable data hold after changes: a copy of a node that a transaction's function reads and
  /// changes (MUT-1). A part shows what was changed in the whole (MUT-9).
  fileprivate func changed(by changes: [JSON]) throws(Refusal) -> Node {
    var node = try checked
    for change in changes {
      let part = try (change["child"] ?? "").namedPath
      if let value = change["value"] {
        // MUT-4, MUT-5: the new value has the priority that it names itself, or none.
        node = node.setting(try Node(json: value).checked, at: part)
      } else {
        // MUT-6: nothing else changes.
        let priority = Scalar(change["priority"] ?? .null)
        _ = try Node(true, priority: priority).checked
        node = node.setting(node[part].settingPriority(priority), at: part)
      }
    }
    return node
  }

  /// The same, if the database can store it.
  private var checked: Node {
    get throws(Refusal) {
      if NodeProblem.first(in: self, at: .root) != nil { throw .invalidValue }
      return self
    }
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
    if path.problem != nil { throw .invalidPath }
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
    case "startAt": try set(\.start, to: bound(value, .inclusive))
    case "startAfter": try set(\.start, to: bound(value, .exclusive))
    case "endAt": try set(\.end, to: bound(value, .inclusive))
    case "endBefore": try set(\.end, to: bound(value, .exclusive))
    case "equalTo":
      try set(\.start, to: bound(value, .inclusive))
      try set(\.end, to: bound(value, .inclusive))
    case "limitToFirst": try set(\.limit, to: .first(value.integer ?? 0))
    case "limitToLast": try set(\.limit, to: .last(value.integer ?? 0))
    default: throw .invalidQuery
    }
  }

  private mutating func order(by name: JSON) throws(Refusal) {
    guard !isOrdered, let name = name.string else { throw .invalidQuery }
    let ordering = Query.Ordering(indexName: name)
    if case let .child(path) = ordering, path.problem != nil || path.isRoot {
      throw .invalidPath
    }
    query.ordering = ordering
    isOrdered = true
  }

  private mutating func set<Part>(
    _ part: WritableKeyPath<Query, Part?>, to value: Part
  ) throws(Refusal) {
    if query[keyPath: part] != nil { throw .invalidQuery }
    query[keyPath: part] = value
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
