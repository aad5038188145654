import Document
import Glibc

/// The few things that the command line needs of the file system.
///
/// Foundation would cost more time than a whole run of a scenario takes, so this calls the system.
package enum Files {
  /// The text of a file.
  ///
  /// - Throws: `Failure.file` when it cannot be read or is no UTF-8.
  package static func text(of path: String) throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path: path, reason: lastReason()) }
    defer { close(descriptor) }
    return try text(of: path, from: descriptor)
  }

  /// The text of whatever the user has named, pipes included, if it has no more bytes than `limit`.
  ///
  /// - Throws: `Failure.file` when it cannot be read, is longer or is no UTF-8.
  package static func text(of path: String, atMost limit: Int) throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path: path, reason: lastReason()) }
    defer { close(descriptor) }
    return try text(of: path, from: descriptor, atMost: limit)
  }

  /// All that a descriptor gives, as text.
  static func text(
    of path: String, from descriptor: Int32, atMost limit: Int = .max
  ) throws(Failure) -> String {
    var bytes: [UInt8] = []
    // Most files are short: to fill so much with zeros first would take longer than to read them.
    var chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { $1 = $0.count }
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count > 0 {
        bytes += chunk[..<count]
        if bytes.count > limit {
          throw .file(path: path, reason: "it has more than \(limit) bytes, expected at most these")
        }
      } else if errno != EINTR {
        throw .file(
          path: path, reason: errno == EISDIR ? "it is a folder; expected a file" : lastReason())
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw notUTF8(bytes, path)
    }
    return text
  }

  /// Reports where the bytes of a file are no UTF-8.
  private static func notUTF8(_ bytes: [UInt8], _ path: String) -> Failure {
    // No encoding of texts has zeros, but for those that begin with a mark.
    if bytes.contains(0), ![[0xFF, 0xFE], [0xFE, 0xFF]].contains(bytes.prefix(2)) {
      let message = "the file is not text; expected text in UTF-8"
      return .mistake(SourceError(file: path, position: .start, message: message))
    }
    var offset = 0
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      offset = error.byteOffsets.lowerBound
    }
    let line = bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = bytes[start..<offset].count { $0 & 0xC0 != 0x80 } + 1
    let code = "0x" + String(bytes[offset], radix: 16, uppercase: true)
    let (found, encoding) =
      switch bytes.prefix(2) {
      case [0xFF, 0xFE], [0xFE, 0xFF]: ("this is UTF-16", "UTF-16")
      default: ("the byte \(code) is not UTF-8", "ISO-8859-1")
      }
    return .mistake(
      SourceError(
        FileLocation(file: path, line: line, column: column),
        "\(found); expected text in UTF-8; save it as that in your editor, or with "
          + "'iconv -f \(encoding) -t UTF-8 \(shellWord(path))' if that is what it is"))
  }

  /// Makes `text` the content of a file.
  ///
  /// - Throws: `Failure.output` when it cannot be written, or `Failure.results` when it is a result.
  package static func write(
    _ text: String, to path: String, asResult: Bool = false
  ) throws(Failure) {
    func failure(_ reason: String) -> Failure {
      asResult ? .results(path: path, reason: reason) : .output(path: path, reason: reason)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let reason = lastReason()
      throw failure(obstacle(to: path) ?? reason)
    }
    defer { close(descriptor) }
    try write(Array(text.utf8)[...], to: descriptor, failure)
  }

  /// Why a file cannot be written, as far as that shows before; nil where nothing is in the way.
  package static func obstacle(to path: String) -> String? {
    if isDirectory(path) { return "it is a folder; expected a file" }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if folder.isEmpty || exists(folder) { return nil }
    return "there is no folder \(folder); make it with 'mkdir -p \(shellWord(folder))'"
  }

  /// Makes `text` the content of a file, all at once: whatever happens, the file has its old
  /// content or the new one.
  ///
  /// - Throws: `Failure.results` when it cannot be written.
  package static func replace(_ text: String, at path: String) throws(Failure) {
    let draft = "\(path).\(getpid())"
    do throws(Failure) {
      try write(text, to: draft, asResult: true)
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, path) == 0 else {
      let reason = lastReason()
      unlink(draft)
      throw .results(path: path, reason: reason)
    }
  }

  /// Writes all of some bytes.
  ///
  /// - Throws: What `failure` makes of the system's reason.
  package static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ failure: (String) -> Failure
  ) throws(Failure) {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        throw failure(lastReason())
      }
    }
  }

  /// Makes the directory in which a file is to be written, where there is none.
  ///
  /// - Throws: As for the directory.
  package static func makeDirectory(of file: String) throws(Failure) {
    if let slash = file.lastIndex(of: "/") { try makeDirectory(String(file[..<slash])) }
  }

  /// Makes a directory, and those above it, where there are none.
  ///
  /// - Throws: `Failure.output` when it cannot be made, or `Failure.results` when there is no room for it.
  package static func makeDirectory(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      made = made.isEmpty ? String(name) : join(made, String(name))
      if mkdir(made, 0o755) == 0 { continue }
      // The next call may change it.
      let error = errno
      if isDirectory(made) { continue }
      let reason = String(cString: strerror(error))
      switch error {
      case EEXIST, ENOTDIR:
        throw .output(
          path: made, reason: "it is no folder; expected one, or the name of a new one")
      case ENOSPC, EDQUOT, EIO: throw .results(path: made, reason: reason)
      default: throw .output(path: made, reason: "\(reason); expected a folder that can be made")
      }
    }
  }

  /// Whether `path` leads to a directory, following symbolic links.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether `path` leads to a named pipe, following symbolic links.
  package static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Whether `path` leads to anything, following symbolic links.
  package static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// Whether `path` leads to a file that the user may start.
  package static func isExecutable(_ path: String) -> Bool {
    access(path, X_OK) == 0 && !isDirectory(path)
  }

  /// Whether a word is the name of a program in `PATH`.
  package static func isProgram(_ name: String) -> Bool {
    guard !name.contains("/"), let folders = getenv("PATH").map({ String(cString: $0) }) else {
      return false
    }
    return folders.split(separator: ":").contains { access(join(String($0), name), X_OK) == 0 }
  }

  /// The names in a directory, without those that begin with a dot, in the order of their bytes.
  ///
  /// - Throws: `Failure.file` when it cannot be read.
  package static func entries(of path: String) throws(Failure) -> [String] {
    guard let directory = opendir(path) else { throw .file(path: path, reason: lastReason()) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let bytes = UnsafeRawPointer(entry).advanced(by: offset)
      let name = String(cString: bytes.assumingMemoryBound(to: UInt8.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The directory that relative paths start from.
  ///
  /// - Throws: `Failure.file` when it does not exist any more.
  package static func currentDirectory() throws(Failure) -> String {
    guard let path = getcwd(nil, 0) else { throw .file(path: ".", reason: lastReason()) }
    defer { free(path) }
    return String(cString: path)
  }

  /// What comes after the last slash of a path.
  package static func name(of path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  /// `name` within `directory`.
  package static func join(_ directory: String, _ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  /// The system's words for why the last call failed.
  package static func lastReason() -> String {
    String(cString: strerror(errno))
  }
}

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

  private static let folder = "a folder"

  private static func specialKind(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: folder
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  private static func isSpecial(_ path: String, _ kind: String) -> Failure {
    .file(
      path: path,
      reason: kind == folder
        ? "it is a folder; expected a file"
        : "it is \(kind), expected a regular file; copy what it gives to one, and name that")
  }
}

/// Whose a file or a folder is, and who may write it.
package struct FileOwnership: Hashable, Sendable {
  /// The number of its user.
  package var user: UInt32
  /// The number of its group.
  package var group: UInt32
  /// The permissions as `chmod` takes them, such as `0o755`.
  package var mode: UInt32

  /// The ownership of a file with this user, group and permissions.
  package init(user: UInt32, group: UInt32, mode: UInt32) {
    self.user = user
    self.group = group
    self.mode = mode
  }

  init(_ status: stat) {
    self.init(user: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777)
  }

  /// The permissions in digits, such as `1777`.
  package var modeText: String { String(mode, radix: 8) }

  /// The user as messages name it: `user 1000 (ann)`, or only the number of one without a name.
  package static func userText(_ user: UInt32) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else {
      return "user \(user)"
    }
    return "user \(user) (\(String(cString: name)))"
  }
}
