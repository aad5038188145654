public import ClientEngine
internal import ClientMachine

extension WConfig {
  /// A file with the certificates that are trusted besides those of the system; `nil`, which is the
  /// default, for none. To be set before the first reference is made.
  public var certificateAuthorities: String? {
    get { Application.current.configuration.authorities }
    set { Application.current.configuration.authorities = newValue }
  }

  /// The folder of the files in which data and writes are kept; `nil`, which is the default, stands for
  /// the usual one of the user, `~/.local/share/wilddog`. One program at a time uses a file: another one
  /// keeps nothing, and `persistenceProblem` says so. Processes of one machine need a folder each.
  public var persistenceFolder: String? {
    get { Application.current.configuration.folder }
    set { Application.current.configuration.folder = newValue }
  }

  /// Learns, on the callback queue, what the blocks of calls do not: why there is no connection, that the
  /// server does not take the credential any more, that something cannot be kept, and which calls were
  /// refused. To be set before the first reference is made.
  public var problemHandler: (@Sendable (SyncProblem) -> Void)? {
    get { Application.current.configuration.problemHandler }
    set { Application.current.configuration.problemHandler = newValue }
  }
}
