internal import ClientEngine
internal import ClientMachine
public import Dispatch

/// What is set before the first ``Wilddog`` of a database is made; later it has no effect (OFF-23).
public final class WConfig: Sendable {
  init() {}

  /// Whether data, pending writes and the token of ``WilddogApp/signIn(withToken:completionBlock:)`` are
  /// kept over the end of the program (OFF-1, OFF-20), in files that only this user of the system may
  /// read. They are not unless this is set, and a token that was kept is removed then.
  /// Pending transactions are never kept (OFF-22).
  public var persistenceEnabled: Bool {
    get { Application.current.configuration.keepsData }
    set { Application.current.configuration.keepsData = newValue }
  }

  /// How many bytes of data are kept at most, about; what was used longest ago goes first (OFF-15).
  /// 10 MiB unless this is set.
  public var persistenceCacheSizeBytes: UInt {
    get { Application.current.configuration.cacheBytes }
    set { Application.current.configuration.cacheBytes = newValue }
  }

  /// The queue on which blocks are called (OBS-20); the main queue unless this is set.
  public var callbackQueue: DispatchQueue {
    get { Application.current.configuration.callbackQueue }
    set { Application.current.configuration.callbackQueue = newValue }
  }
}
