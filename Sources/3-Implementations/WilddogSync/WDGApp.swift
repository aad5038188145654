internal import ClientEngine
internal import ClientMachine

/// Where the database of an application is.
public final class WDGOptions: Sendable {
  let syncURL: String

  /// The database at an address.
  ///
  /// - Parameter syncURL: Such as `https://<appId>.wilddogio.com`.
  public init(syncURL: String) { self.syncURL = syncURL }
}

/// The application, which is configured once before anything else.
public final class WDGApp {
  /// Determines the database that ``WDGSync/sync()`` stands for.
  ///
  /// - Parameter options: Where it is.
  public class func configure(with options: WDGOptions) {
    Application.current.defaultURL = options.syncURL
  }
}

/// A database.
public final class WDGSync: Sendable {
  let root: Location

  init(_ root: Location) { self.root = root }

  /// The database that the application was configured with. Without that the program ends
  /// with a message.
  public class func sync() -> WDGSync { WDGSync(Application.current.defaultLocation) }

  /// The location of an absolute address of this database (REF-8). Anything else is a mistake of
  /// the code, and ends the program with a message.
  ///
  /// - Parameter databaseURL: Such as `https://<appId>.wilddogio.com/users`.
  /// - Returns: The reference.
  public func reference(fromURL databaseURL: String) -> WDGSyncReference {
    WDGSyncReference(root.location(of: databaseURL))
  }
}
