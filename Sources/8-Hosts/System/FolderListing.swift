import Glibc

/// The files below a folder that can be read: regular files, and links to regular files below the same
/// folder.
///
/// A folder may come from another person. So a link out of it is not followed, and neither a pipe nor a
/// device is opened. A link to a folder is not followed either: what it leads to within the folder is
/// found at its own place, and there are no loops.
package struct FolderListing {
  /// Their paths, which begin with that of the folder; each folder in the order of its bytes.
  package private(set) var files: [String] = []
  /// What has a name of the right kind, or may lead to such files, and is not read.
  package private(set) var leftOut: [LeftOut] = []

  /// A file that is not read.
  package struct LeftOut: Hashable, Sendable {
    package let path: String
    /// What it is, such as `a named pipe`.
    package let reason: String
  }

  private let suffixes: [String]
  /// The path of the folder without any links, with a slash at its end.
  private let root: String

  /// Looks for the files below `directory` whose names end in one of some suffixes.
  ///
  /// - Throws: `Failure.file` when a directory cannot be read.
  package init(of directory: String, suffixes: [String]) throws(Failure) {
    guard let real = Files.realPath(of: directory) else {
      throw .file(path: directory, reason: Files.lastReason())
    }
    if real == "/" {
      throw .file(path: directory, reason: "it is the whole disk; expected a folder below it")
    }
    self.suffixes = suffixes
    root = real.hasSuffix("/") ? real : real + "/"
    try take(directory)
  }

  private mutating func take(_ directory: String) throws(Failure) {
    for name in try entries(of: directory) {
      let path = Files.join(directory, name)
      var status = stat()
      // It may be gone by now.
      guard lstat(path, &status) == 0 else { continue }
      let isCandidate = suffixes.contains(where: name.hasSuffix)
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try take(path)
      case S_IFLNK: takeLink(path, isCandidate)
      default: if isCandidate { takeFile(path) }
      }
    }
  }

  private func entries(of directory: String) throws(Failure) -> [String] {
    do throws(Failure) {
      return try Files.entries(of: directory)
    } catch .file(let path, let reason) {
      throw .file(
        path: path,
        reason: "\(reason); expected folders that can be read: name a folder without this one")
    }
  }

  private mutating func takeLink(_ path: String, _ isCandidate: Bool) {
    guard let target = Files.realPath(of: path) else {
      if isCandidate { leaveOut(path, Files.brokenLink(at: path) ?? "gone") }
      return
    }
    let isFolder = Files.isDirectory(target)
    if target.hasPrefix(root) || target + "/" == root {
      if isCandidate, !isFolder { takeFile(path) }
    } else if isCandidate || isFolder {
      leaveOut(path, "a link out of the folder")
    }
  }

  private mutating func takeFile(_ path: String) {
    guard let kind = try? Files.specialKind(of: path) else { return files.append(path) }
    leaveOut(path, kind)
  }

  private mutating func leaveOut(_ path: String, _ reason: String) {
    leftOut.append(LeftOut(path: path, reason: reason))
  }
}

extension Files {
  /// The files below a directory whose names end in `suffix`, at any depth, each directory in the
  /// order of its bytes, as paths that begin with `directory`.
  ///
  /// - Throws: `Failure.file` when a directory cannot be read.
  package static func files(below directory: String, suffix: String) throws(Failure) -> [String] {
    try FolderListing(of: directory, suffixes: [suffix]).files
  }

  /// What a link is that cannot be followed, in words; `nil` for anything else.
  package static func brokenLink(at path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, realPath(of: path) == nil
    else { return nil }
    return errno == ELOOP ? "a link that leads to itself" : "a link that leads nowhere"
  }

  /// The path of what `path` leads to, from the root and without links; `nil` when it leads to nothing.
  package static func realPath(of path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
