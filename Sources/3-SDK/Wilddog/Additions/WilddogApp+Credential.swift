internal import ClientEngine
internal import ClientInterface

// The documents know that a user signs in, and leave how to another SDK.

extension WilddogApp {
  /// Signs a user in (ACC-11).
  ///
  /// With ``WConfig/persistenceEnabled`` the token is kept in a file that only this user of the system
  /// may read, and the user is still signed in at the next start (OFF-20). Without it nothing of the
  /// token is written, and each start has to sign in.
  ///
  /// - Parameters:
  ///   - token: The credential that the server knows.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  public func signIn(
    withToken token: String, completionBlock block: (((any Error)?) -> Void)? = nil
  ) {
    engine.signIn(token) { block?($0) }
  }

  /// Signs the user out (ACC-15). Nothing of the token is left in a file.
  ///
  /// - Parameter block: Called on the callback queue when the server has answered.
  public func signOut(completionBlock block: (((any Error)?) -> Void)? = nil) {
    engine.signOut { block?($0) }
  }
}
