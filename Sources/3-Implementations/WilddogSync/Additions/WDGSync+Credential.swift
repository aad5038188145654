public import ClientEngine

// The documents know that a user signs in, and leave how to another SDK.

extension WDGSync: _DocumentedDatabase {
  @_disfavoredOverload
  public func signIn(
    withToken token: String, completionBlock block: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    root.engine.signIn(token) { block?($0) }
  }

  @_disfavoredOverload
  public func signOut(completionBlock block: (@Sendable ((any Error)?) -> Void)? = nil) {
    root.engine.signOut { block?($0) }
  }

  public var persistenceProblem: String? { root.engine.persistenceProblem }

  @_disfavoredOverload
  public func waitForPendingWrites(completionBlock block: @escaping @Sendable () -> Void) {
    root.engine.whenWritten(block)
  }

  public func waitForPendingWrites() async throws { try await root.engine.written() }
}
