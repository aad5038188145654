internal import ClientEngine
internal import ClientInterface
internal import ClientMachine

/// A location of a database: what is written and read goes through one (REF-1).
///
/// It holds no data and needs no connection (REF-15). Usable from any thread. Blocks are called on the
/// callback queue, in the order of the events, and may call the SDK.
///
/// Unchecked: it has no property of its own, and that of its superclass never changes.
public final class WDGSyncReference: WDGSyncQuery, @unchecked Sendable {
  /// The parent; `nil` for the root (REF-4).
  public var parent: WDGSyncReference? { location.parent.map { WDGSyncReference($0) } }

  /// The root of the database (REF-12).
  public var root: WDGSyncReference { WDGSyncReference(location.root) }

  /// The last key; empty for the root, which has none (REF-5, REF-10).
  public var key: String { location.key }

  /// The absolute address (REF-9).
  public var url: String { location.url }

  /// The database.
  public var sync: WDGSync { WDGSync(location.root) }

  /// The location at a relative path (REF-13). A path with a key that no location can have ends the
  /// program (ERR-3).
  ///
  /// - Parameter pathString: One key or several with slashes between; the location itself if empty.
  /// - Returns: The reference.
  public func child(_ pathString: String) -> WDGSyncReference {
    WDGSyncReference(location.child(pathString))
  }

  /// The old name of ``child(_:)``.
  ///
  /// - Parameter pathString: One key or several with slashes between.
  /// - Returns: The reference.
  public func child(byAppendingPath pathString: String) -> WDGSyncReference { child(pathString) }

  /// A location below with a key of its own, in the order of time (PSH-1, PSH-2).
  public func childByAutoId() -> WDGSyncReference { WDGSyncReference(location.childByAutoId()) }

  /// Ends all connections, and does not try again (CON-4, CON-17).
  public class func goOffline() { Application.current.go(.goOffline) }

  /// Connects again (CON-4, CON-17).
  public class func goOnline() { Application.current.go(.goOnline) }

  /// The absolute address (REF-9).
  public func description() -> String { location.url }
}
