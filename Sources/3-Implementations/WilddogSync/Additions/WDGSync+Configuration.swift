public import ClientEngine
internal import ClientMachine
public import Dispatch

// What the first edition has in `WConfig`; the documents of the second do not say where it is there.

extension WDGSync {
  /// Whether data, pending writes and the token of ``signIn(withToken:completionBlock:)`` are kept over
  /// the end of the program (OFF-1, OFF-20), in files that only this user of the system may read; to be
  /// set before the first reference is made. They are not unless this is set, and a token that was kept
  /// is removed then. Pending transactions are never kept (OFF-22).
  public static var persistenceEnabled: Bool {
    get { Application.current.configuration.keepsData }
    set { Application.current.configuration.keepsData = newValue }
  }

  /// How many bytes of data are kept at most, about (OFF-15); 10 MiB unless this is set.
  public static var persistenceCacheSizeBytes: UInt {
    get { Application.current.configuration.cacheBytes }
    set { Application.current.configuration.cacheBytes = newValue }
  }

  /// The folder of the files in which data and writes are kept; `nil`, which is the default, stands for
  /// the usual one of the user, `~/.local/share/wilddog`. One program at a time uses a file: another one
  /// keeps nothing, and `persistenceProblem` says so. Processes of one machine need a folder each.
  public static var persistenceFolder: String? {
    get { Application.current.configuration.folder }
    set { Application.current.configuration.folder = newValue }
  }

  /// A file with the certificates that are trusted besides those of the system; `nil`, which is the
  /// default, for none. To be set before the first reference is made.
  public static var certificateAuthorities: String? {
    get { Application.current.configuration.authorities }
    set { Application.current.configuration.authorities = newValue }
  }

  /// Whether messages for the developer are printed; they are not unless this is set.
  public static var isLoggingEnabled: Bool {
    get { Application.current.configuration.isLogging }
    set { Application.current.configuration.isLogging = newValue }
  }

  /// The queue on which blocks are called (OBS-20); the main queue unless this is set.
  public static var callbackQueue: DispatchQueue {
    get { Application.current.configuration.callbackQueue }
    set { Application.current.configuration.callbackQueue = newValue }
  }

  /// Learns, on the callback queue, what the blocks of calls do not: why there is no connection, that the
  /// server does not take the credential any more, that something cannot be kept, and which calls were
  /// refused. To be set before the first reference is made.
  public static var problemHandler: (@Sendable (SyncProblem) -> Void)? {
    get { Application.current.configuration.problemHandler }
    set { Application.current.configuration.problemHandler = newValue }
  }
}
