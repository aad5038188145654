internal import ClientEngine
internal import ClientInterface
internal import ClientMachine

// What Firebase's SDKs have of a database, and the documents do not name.

extension WDGSync {
  /// The root of the database.
  ///
  /// - Returns: The reference.
  public func reference() -> WDGSyncReference { WDGSyncReference(root) }

  /// The location at a path of the database (REF-13).
  ///
  /// - Parameter path: One key or several with slashes between; the root if empty.
  /// - Returns: The reference. What is called there with a key that no location can have is refused.
  public func reference(withPath path: String) -> WDGSyncReference {
    WDGSyncReference(root.child(path))
  }

  /// Has a server of this machine stand in for those of all databases, such as that of `kennel serve`. To be
  /// called before the first reference is made; addresses stay as they are.
  ///
  /// - Parameters:
  ///   - host: Such as `127.0.0.1`.
  ///   - port: Where it listens. Connections are not encrypted.
  public static func useEmulator(withHost host: String, port: Int) {
    Application.current.configuration.emulator = "\(host):\(port)"
  }

  /// The database of another application of the same program, which has connections, a user and files of its
  /// own. It has the settings that this class has when it is first asked for.
  ///
  /// - Parameters:
  ///   - name: What the application is called, the same whenever it is asked for.
  ///   - options: Where the database is.
  /// - Returns: The database.
  public static func sync(forAppNamed name: String, with options: WDGOptions) -> WDGSync {
    WDGSync(Application.named(name).location(of: options.syncURL, .second).root)
  }

  /// Ends the connection of this database, and does not try again (CON-4, CON-17).
  public func goOffline() { root.engine.perform(.goOffline) }

  /// Connects this database again (CON-4, CON-17).
  public func goOnline() { root.engine.perform(.goOnline) }
}

/// Values that the server replaces when it stores them.
public enum WDGServerValue {
  /// Its time in milliseconds since 1970 (SRV-1).
  ///
  /// - Returns: What is to be written.
  public static func timestamp() -> [String: String] { [".sv": "timestamp"] }
}
