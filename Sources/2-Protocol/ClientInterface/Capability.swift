/// The names of capabilities: what a scenario may need and a client may lack.
public enum Capability {
  /// Every capability that scenarios can name, in the order of the documentation.
  public static let inOrder = [
    "listen.value", "listen.child", "listen.query", "once", "set", "update", "priority", "push",
    "transaction", "on-disconnect", "offline", "info", "server-values", "inspect", "mutable-data",
    "persistence", "keep-synced", "auth", "callbacks", "get", "purge",
  ]
  /// The names of all capabilities, then those of the features that an interface may lack of them.
  public static let inDetail = inOrder + Feature.names
  /// The names of capabilities as a set: what the reference client has, and any client that does not state
  /// otherwise.
  public static let all = Set(inOrder)
}
