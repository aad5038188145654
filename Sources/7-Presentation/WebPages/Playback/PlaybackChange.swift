internal import ClientInterface
internal import Tree

/// What an event of a run changes of what can be seen.
enum PlaybackChange {
  /// The tree of this number, 0 for that of the server, becomes this at the location.
  case tree(Int, Path, Node)
  /// The children of a tree are listed in this order, which is not that of their keys.
  case order(Int, [Key])
  /// A listener begins or ends: its view is the tree of this number.
  case begins(Int)
  case ends(Int)
  /// A call of a client waits for its end, or has come to it.
  case waits(ClientIndex, call: String, text: String)
  case done(ClientIndex, call: String)
  /// All that a process knew is gone.
  case forgets(ClientIndex)
  case connection(ClientIndex, Connection)

  enum Connection: String {
    case offline
    case asking
    case connected
  }
}

extension PlaybackChange {
  /// The change as a list that begins with a letter, for the script of a page.
  var json: JSON {
    func number(_ number: Int) -> JSON { .number(Double(number)) }
    return switch self {
    case let .tree(tree, path, node):
      .array([
        .string("t"), number(tree), .array(path.keys.map { .string($0.string) }), node.json,
      ])
    case let .order(tree, keys):
      .array([.string("o"), number(tree), .array(keys.map { .string($0.string) })])
    case let .begins(tree): .array([.string("b"), number(tree)])
    case let .ends(tree): .array([.string("e"), number(tree)])
    case let .waits(client, call, text):
      .array([.string("w"), number(client.number), .string(call), .string(text)])
    case let .done(client, call): .array([.string("d"), number(client.number), .string(call)])
    case let .forgets(client): .array([.string("f"), number(client.number)])
    case let .connection(client, state):
      .array([.string("c"), number(client.number), .string(state.rawValue)])
    }
  }

  /// What must be changed of `old` so that it becomes `new`: as little as possible.
  static func differences(of tree: Int, from old: Node, to new: Node) -> [PlaybackChange] {
    var changes: [PlaybackChange] = []
    descend(tree, Path(), old, new, &changes)
    return changes
  }

  private static func descend(
    _ tree: Int, _ path: Path, _ old: Node, _ new: Node, _ changes: inout [PlaybackChange]
  ) {
    if old == new { return }
    let isMapping = !old.isScalar && !old.isEmpty && !new.isScalar && !new.isEmpty
    guard isMapping, old.priority == new.priority else {
      changes.append(.tree(tree, path, new))
      return
    }
    let differences = new.children.differences(from: old.children)
    // Removals last: with its last child a mapping would lose its priority (VAL-4).
    let ordered = differences.filter { !$0.new.isEmpty } + differences.filter(\.new.isEmpty)
    for difference in ordered {
      descend(tree, path.appending(difference.key), difference.old, difference.new, &changes)
    }
  }
}
