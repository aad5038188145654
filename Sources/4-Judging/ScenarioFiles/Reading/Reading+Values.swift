import Document
import Tree

/// What a value is for, which decides what it may contain.
enum ValueUse {
  /// The server's tree at the start: nothing that the database refuses, and no server values.
  case initial
  /// A write of the server's own: nothing that the database refuses.
  case stored
  /// The argument of a client's call: whatever can be handed over, since the client must refuse
  /// what is wrong.
  case argument
}

extension Reading {
  /// Reports what is wrong with a value in export format, everywhere in it.
  mutating func checkStored(_ node: DocumentNode, at path: Path, _ use: ValueUse) {
    switch node.content {
    case .null, .bool, .number: return
    case let .string(text): checkNoMatcher(text, at: node.position)
    case let .list(elements):
      for (index, element) in elements.enumerated() {
        checkStored(element, at: path.appending(Key(String(index))), use)
      }
    case let .mapping(entries):
      if entries.contains(where: { $0.key == ".sv" }) { return checkServerValue(node, use) }
      checkLeaf(entries)
      for entry in entries { check(entry, at: path, use) }
    }
  }

  private mutating func check(_ entry: DocumentNode.Entry, at path: Path, _ use: ValueUse) {
    switch entry.key {
    case ".value":
      _ = scalar(entry.value, ".value")
      if ServerValue(entry.value.json) != nil { checkServerValue(entry.value, use) }
    case ".priority":
      checkPriority(entry.value, use)
    case let name where name.hasPrefix("."):
      unknown("key", name, at: entry.keyPosition, among: [".value", ".priority", ".sv"])
    case let name:
      if Matcher.names.contains(name) { return checkNoMatcher(name, at: entry.keyPosition) }
      let childPath = path.appending(Key(name))
      if use != .argument {
        if let problem = Key(name).problem {
          return report(entry.keyPosition, problem.description)
        }
        if let problem = childPath.problem, path.problem == nil {
          report(entry.keyPosition, problem.description)
        }
      }
      checkStored(entry.value, at: childPath, use)
    }
  }

  private mutating func checkNoMatcher(_ text: String, at position: Position) {
    guard Matcher.names.contains(text) else { return }
    report(position, "\(text) is a matcher; expected a plain value, matchers are for expectations")
  }

  mutating func checkPriority(_ node: DocumentNode, _ use: ValueUse) {
    let priority = scalar(node, "the priority")
    if let priority, use != .argument, !priority.isPriority {
      mismatch("the priority", node, expected: "a number, a string or null")
    }
    if use == .initial, ServerValue(node.json) != nil { checkServerValue(node, use) }
  }

  private mutating func checkServerValue(_ node: DocumentNode, _ use: ValueUse) {
    if ServerValue(node.json) == nil || node.json.members?.count != 1 {
      report(
        node.position,
        "\(node.flowText) is no server value; "
          + "expected {.sv: timestamp} or {.sv: {increment: NUMBER}}")
    } else if use == .initial {
      report(node.position, "data contains a server value; expected the value itself")
    }
  }

  /// `.value` makes a leaf, so children beside it would be lost.
  private mutating func checkLeaf(_ entries: [DocumentNode.Entry]) {
    guard entries.contains(where: { $0.key == ".value" }) else { return }
    for entry in entries where !entry.key.hasPrefix(".") {
      report(
        entry.keyPosition,
        "child \(quoted(entry.key)) is beside .value; expected .priority alone beside it")
    }
  }

  /// The node of a `value`, checked.
  mutating func node(_ node: DocumentNode, at path: Path?, _ use: ValueUse) -> Node {
    checkStored(node, at: path ?? .root, use)
    return Node(json: node.json)
  }
}
