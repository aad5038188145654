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
struct ReceivedEvent {
  /// What it listens to.
  let target: Operation.Target
  /// Whether its listener can be removed: what a single `get` asked for cannot (GET-3).
  let isRemovable: Bool
  /// The last event; `nil` as long as nothing was received.
  var last: Event?

  init(at target: Operation.Target, isRemovable: Bool = true) {
    self.target = target
    self.isRemovable = isRemovable
  }

  /// The snapshot of the last event. It is made when it is asked for, since few ever are.
  var snapshot: Snapshot? { last.map { Snapshot($0, at: target.path) } }
}
