public import ClientEngine

// The documents know that a user signs in, and leave how to another SDK.

extension WilddogApp: _DocumentedDatabase {
  public func signIn(
    withToken token: String, completionBlock block: (((any Error)?) -> Void)? = nil
  ) {
    engine.signIn(token) { block?($0) }
  }

  public func signOut(completionBlock block: (((any Error)?) -> Void)? = nil) {
    engine.signOut { block?($0) }
  }

  public var persistenceProblem: String? { engine.persistenceProblem }

  public func waitForPendingWrites(completionBlock block: @escaping () -> Void) {
    engine.whenWritten(block)
  }

  public func waitForPendingWrites() async throws { try await engine.written() }
}
