internal import ClientEngine
internal import ClientMachine

extension WConfig {
  /// A file with the certificates that are trusted besides those of the system; `nil`, which is the
  /// default, for none. To be set before the first reference is made.
  public var certificateAuthorities: String? {
    get { Application.current.configuration.authorities }
    set { Application.current.configuration.authorities = newValue }
  }

  /// The folder of the files in which data and writes are kept; `nil`, which is the default, stands for
  /// the usual one of the user, `~/.local/share/wilddog`. One program at a time uses a file.
  public var persistenceFolder: String? {
    get { Application.current.configuration.folder }
    set { Application.current.configuration.folder = newValue }
  }
}
