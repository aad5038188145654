import LiveServer
import ReferenceServer
import System
import Tree

/// Writes the data of a server to files, for `--export-on-exit`.
struct DataExport {
  /// The file for the namespace that is meant where none is named; those of others have the
  /// namespace's name in front of the suffix.
  let file: String

  /// Writes the data of every namespace in export format, so that `--data` reads them. Each file has
  /// its old content or all of the new one.
  ///
  /// - Throws: `Failure.results` when a file cannot be written.
  func write(_ server: LiveServer) throws(Failure) {
    for name in server.namespaceNames {
      guard let tree = server.server(of: name)?.tree else { continue }
      try Files.replace(tree.json.text + "\n", at: path(of: name))
    }
  }

  func path(of namespace: String) -> String {
    if namespace == "default" { return file }
    let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
    let name = file.dropFirst(folder.count)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return "\(file).\(namespace)"
    }
    return "\(folder)\(name[..<dot]).\(namespace)\(name[dot...])"
  }
}
