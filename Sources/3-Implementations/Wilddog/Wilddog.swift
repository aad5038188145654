public import ClientEngine
internal import ClientInterface
internal import ClientMachine
public import Dispatch

/// A location of a database: what is written and read goes through one (REF-1).
///
/// It holds no data and needs no connection (REF-15). Usable from any thread. Blocks are called on the
/// callback queue, in the order of the events, and may call the SDK.
///
/// Unchecked: it has no property of its own, and that of its superclass never changes.
public final class Wilddog: WQuery, @unchecked Sendable {
  /// The location of an absolute address (REF-8). Anything else ends the program (ERR-3).
  ///
  /// - Parameter url: Such as `https://<appId>.wilddogio.com/users`.
  public convenience init(url: String) {
    self.init(Application.current.location(of: url, .first))
  }

  /// The parent; of the root the root itself (REF-4).
  public var parent: Wilddog { location.parent.map { Wilddog($0) } ?? self }

  /// The connection to the database.
  public var app: WilddogApp { WilddogApp(location.engine) }

  /// The location at a relative path (REF-13). A path with a key that no location can have ends the
  /// program (ERR-3).
  ///
  /// - Parameter pathString: One key or several with slashes between; the location itself if empty.
  /// - Returns: The reference.
  public func child(byAppendingPath pathString: String) -> Wilddog {
    Wilddog(location.child(pathString))
  }

  /// Whether messages for the developer are printed; they are not unless this is called.
  ///
  /// - Parameter enabled: `true` to print them.
  public class func setLoggingEnabled(_ enabled: Bool) {
    Application.current.configuration.isLogging = enabled
  }

  /// The version of this SDK, which is that of the package.
  public class func sdkVersion() -> String { Application.version }

  /// What holds for all databases that are not used yet.
  public class func defaultConfig() -> WConfig { WConfig() }

  /// Sets the queue on which blocks are called (OBS-20); the same as `callbackQueue` of ``WConfig``.
  ///
  /// - Parameter queue: The queue; a concurrent one gives up the order of events.
  public class func setDispatchQueue(_ queue: DispatchQueue) {
    Application.current.configuration.callbackQueue = queue
  }
}

extension Wilddog: _DocumentedReference {
  public func childByAutoId() -> Wilddog { Wilddog(location.childByAutoId()) }
  public class func goOffline() { Application.current.go(.goOffline) }
  public class func goOnline() { Application.current.go(.goOnline) }
  public func description() -> String { location.url }
  public var root: Wilddog { Wilddog(location.root) }
  public var key: String { location.key }
}

/// What an application stores where the server is to put its time (SRV-1).
public let kWilddogServerValueTimestamp = [".sv": "timestamp"]
