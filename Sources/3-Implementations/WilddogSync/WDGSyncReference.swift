public import ClientEngine
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
}

extension WDGSyncReference: _DocumentedReference {
  public func childByAutoId() -> WDGSyncReference { WDGSyncReference(location.childByAutoId()) }
  public class func goOffline() { Application.current.go(.goOffline) }
  public class func goOnline() { Application.current.go(.goOnline) }
  public func description() -> String { location.url }
  public var root: WDGSyncReference { WDGSyncReference(location.root) }
  public var key: String { location.key }
}
