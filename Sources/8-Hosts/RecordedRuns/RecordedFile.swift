package import System

/// A file that was named, or found in a directory that was named.
package struct RecordedFile {
  package let path: String
  /// Whether it was named itself: then it must be a recording or a trace.
  package let isNamed: Bool

  /// The files at some paths; a directory stands for all traces and recordings below it.
  ///
  /// - Parameters:
  ///   - paths: Files and directories.
  ///   - kind: What is looked for, as the message says when a directory has none.
  /// - Returns: The files, in the order of the paths and then of their names.
  /// - Throws: `Failure.unusable` for a directory without such a file, and `Failure.file` for one that
  ///   cannot be read.
  package static func all(
    at paths: [String], kind: String
  ) throws(Failure) -> [RecordedFile] {
    var files: [RecordedFile] = []
    for path in paths {
      guard Files.isDirectory(path) else {
        files.append(RecordedFile(path: path, isNamed: true))
        continue
      }
      let directory = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      let found = try Files.files(below: directory, suffix: ".jsonl")
      if found.isEmpty { throw .unusable("there is no \(kind) (*.jsonl) in \(path)") }
      files += found.map { RecordedFile(path: $0, isNamed: false) }
    }
    return files
  }
}
