package import Foundation

/// A directory that disappears with this value.
package final class Folder {
  /// Where it is.
  package let url: URL

  /// Makes an empty directory among the temporary files of the system.
  package init() throws {
    let name = "kennel-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    url = FileManager.default.temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in it.
  package func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file, with the directories that it needs.
  package func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    if isExecutable {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
  }

  /// An empty file, open for writing.
  package func newFile(_ name: String) throws -> FileHandle {
    try write("", to: name)
    return try FileHandle(forWritingTo: url.appending(path: name))
  }

  /// The text of a file in it.
  package func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(path: name), encoding: .utf8)
  }
}
