import Glibc

// Pipes and devices may be without an end, or without a beginning: what is found in folders, and what
// scenarios name, is read from regular files only.
extension Files {
  /// The text of a regular file.
  ///
  /// - Throws: `Failure.file` when it is anything else, cannot be read or is no UTF-8.
  package static func regularText(of path: String) throws(Failure) -> String {
    try regularContent(of: path).text
  }

  /// The text of a regular file, and whose that very file is, even if another one replaces it meanwhile.
  ///
  /// - Throws: `Failure.file` when it is anything else, cannot be read or is no UTF-8.
  package static func regularContent(
    of path: String
  ) throws(Failure) -> (text: String, ownership: FileOwnership) {
    // To open a device may have an effect, and a pipe would be waited for.
    if let kind = try specialKind(status(of: path)) { throw isSpecial(path, kind) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .file(path: path, reason: lastReason()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(path: path, reason: lastReason()) }
    if let kind = specialKind(status) { throw isSpecial(path, kind) }
    return (try text(of: path, from: descriptor), FileOwnership(status))
  }

  /// Whose a file or a directory is, following symbolic links.
  ///
  /// - Throws: `Failure.file` when there is none.
  package static func ownership(of path: String) throws(Failure) -> FileOwnership {
    FileOwnership(try status(of: path))
  }

  /// What a path leads to, in words: `nil` for a regular file.
  ///
  /// - Throws: `Failure.file` when it leads to nothing.
  static func specialKind(of path: String) throws(Failure) -> String? {
    specialKind(try status(of: path))
  }

  private static func status(of path: String) throws(Failure) -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .file(path: path, reason: lastReason()) }
    return status
  }

  private static func specialKind(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  private static func isSpecial(_ path: String, _ kind: String) -> Failure {
    .file(
      path: path,
      reason: "it is \(kind), expected a regular file; copy what it gives to one, and name that")
  }
}
