internal import Tree

/// The rules of one location, and those of the locations below it.
struct RuleNode: Sendable {
  /// A rule, with what it decides.
  struct Rules: Sendable {
    var read: Expression?
    var write: Expression?
    var validate: Expression?
  }

  var rules = Rules()
  /// What is indexed: paths of children, or `.value`.
  var indexes: [String] = []
  /// By their keys.
  var children: [Key: RuleNode] = [:]
  /// The rules of the keys that `children` does not have, and what they call the key.
  indirect enum Others: Sendable {
    case none
    case node(String, RuleNode)
  }
  var others = Others.none

  /// The rules below that a key has, and what they call it where they leave it open.
  func child(_ key: Key) -> (node: RuleNode, name: String?)? {
    if let child = children[key] { return (child, nil) }
    guard case let .node(name, child) = others else { return nil }
    return (child, name)
  }
}

extension RuleContext {
  /// The same one location further down.
  func moved(to key: Key, called name: String?) -> RuleContext {
    var context = self
    context.path = path.appending(key)
    if let name { context.locations[name] = key.string }
    return context
  }
}
