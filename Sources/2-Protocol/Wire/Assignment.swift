public import Tree

/// One `path: value` of an update, the path relative to where the update is made.
public struct Assignment: Hashable, Sendable {
  /// The location that is overwritten, relative to where the update is made; it may be several keys
  /// deep.
  public var path: Path
  /// What is written there, together with its priority; the empty node removes what is there.
  public var node: Node

  /// Makes an assignment; `path` is relative to where the update is made.
  public init(_ path: Path, _ node: Node) {
    self.path = path
    self.node = node
  }
}

extension [Assignment] {
  /// The members of `json` as assignments, in their order; `nil` when it is no mapping.
  ///
  /// A name may hold slashes: it is a path.
  public init?(json: JSON) {
    guard let members = json.members else { return nil }
    self = members.map { Assignment(Path($0.name), Node(json: $0.value)) }
  }

  /// What they set when they are made at `path`, by full paths, as one change.
  ///
  /// Ordered so that doing one after the other comes to the same as doing all at once: a node that
  /// has children afterwards keeps its priority, and gets the one that is named (PRI-10, PRI-16).
  package func sets(below path: Path) -> [(path: Path, node: Node)] {
    if count < 2 { return map { (path.appending($0.path), $0.node) } }
    let priorities = filter { $0.path.key == .priority }
    let data = filter { $0.path.key != .priority }
    let ordered = data.filter { !$0.node.isEmpty } + data.filter(\.node.isEmpty) + priorities
    return ordered.map { (path.appending($0.path), $0.node) }
  }

  /// A mapping in the order of the assignments, from paths without a leading slash to export
  /// format.
  public var json: JSON {
    .object(map { JSON.Member($0.path.relativeText, $0.node.json) })
  }
}
