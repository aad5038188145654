internal import ClientInterface
internal import Tree

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
