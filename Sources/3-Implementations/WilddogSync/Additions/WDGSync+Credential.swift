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

  public var persistenceProblem: String? { root.engine.persistenceProblem }

  public func waitForPendingWrites(completionBlock block: @escaping () -> Void) {
    root.engine.whenWritten(block)
  }

  public func waitForPendingWrites() async throws { try await root.engine.written() }
}
