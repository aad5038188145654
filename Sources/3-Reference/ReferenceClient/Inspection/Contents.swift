internal import Tree

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
