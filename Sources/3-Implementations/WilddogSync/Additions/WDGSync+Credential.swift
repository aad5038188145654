public import ClientEngine

// The documents know that a user signs in, and leave how to another SDK.

extension WDGSync: _DocumentedDatabase {
  public func signIn(
    withToken token: String, completionBlock block: (((any Error)?) -> Void)? = nil
  ) {
    root.engine.signIn(token) { block?($0) }
  }

  public func signOut(completionBlock block: (((any Error)?) -> Void)? = nil) {
    root.engine.signOut { block?($0) }
  }
}
