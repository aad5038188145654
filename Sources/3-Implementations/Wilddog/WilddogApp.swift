internal import ClientEngine
internal import ClientInterface

/// The connection to one database.
public final class WilddogApp: Sendable {
  let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  /// Ends the connection, and does not try again (CON-4, CON-17).
  public func goOffline() { engine.perform(.goOffline) }

  /// Connects again (CON-4, CON-17).
  public func goOnline() { engine.perform(.goOnline) }
}
