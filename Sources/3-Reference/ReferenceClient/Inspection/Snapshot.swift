package import ClientInterface
package import Tree

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
