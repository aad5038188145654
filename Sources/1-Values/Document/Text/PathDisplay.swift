import Tree

/// Where the project and the current directory are: so that commands which reports print can be
/// pasted as they stand in the project's directory.
public struct PathDisplay: Hashable, Sendable {
  private let home: String?
  private let current: String?

  /// - Parameters:
  ///   - home: The project's directory, as an absolute path; `nil` when it is not known.
  ///   - current: The directory that relative paths start from, likewise.
  public init(home: String? = nil, current: String? = nil) {
    self.home = home
    self.current = current
  }

  /// How a file is called in the project's directory; as it is called here when that is not known.
  public func name(of file: String) -> String {
    guard let home, let current else { return file }
    let path = file.hasPrefix("/") ? file : current + "/" + file
    return path.hasPrefix(home + "/") ? String(path.dropFirst(home.utf8.count + 1)) : path
  }
}

/// The program as commands name it in the project's directory, unless stated otherwise.
public let programName = "tools/kennel"

/// A word as a shell takes it: itself, or in quotes where the shell would see more in it.
public func shellWord(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    byte.isLetterOrDigit || byte >= 0x80 || "-_./,=:@%+".utf8.contains(byte)
  }
  if isPlain, !word.isEmpty { return word }
  return "'"
    + word.split(separator: "'", omittingEmptySubsequences: false)
    .joined(separator: "'\\''") + "'"
}
