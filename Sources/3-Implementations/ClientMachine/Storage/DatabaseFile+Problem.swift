extension DatabaseFile {
  /// Why a file cannot be used.
  package enum Problem: Error, Hashable, CustomStringConvertible {
    /// Another program has it.
    case inUse(path: String)
    /// It is no such file, or parts of it are destroyed.
    case corrupt(path: String, reason: String)
    /// A later version of the SDK has written it.
    case unknownVersion(path: String, version: Int)
    /// Others may read it, and the system refuses to change that.
    case exposed(path: String, mode: String)
    /// The system refuses.
    case unusable(path: String, reason: String)

    package var description: String {
      switch self {
      case let .inUse(path):
        "\(path) is in use by another program; give each one a folder of its own"
      case let .corrupt(path, reason): "\(path) is corrupt (\(reason))"
      case let .unknownVersion(path, version):
        "\(path) has version \(version) of the schema, and this SDK knows \(DatabaseFile.version)"
      case let .exposed(path, mode):
        "others may use \(path): its mode is \(mode) instead of 600, and this user may not change it;"
          + " let its owner run chmod 600, or choose another folder"
      case let .unusable(path, reason): "\(path) cannot be used: \(reason)"
      }
    }
  }
}
