import Commands
import System
import Workspace

extension NewOptions: Command {
  /// Writes an adapter to begin with.
  ///
  /// All files are looked at before the first is written, so that a folder in which one of them is in
  /// the way stays as it was.
  func perform() throws(Failure) -> ExitCode {
    let home = try Home.find()
    let source = Files.join(home.path, template.folder)
    guard Files.isDirectory(source) else {
      throw .unusable("\(source) does not exist; it belongs to the kit")
    }
    let names = try fileNames(below: source, except: template.omitted)
    for name in names {
      let path = Files.join(directory, name)
      if Files.exists(path) {
        throw .unusable("\(path) exists already, and nothing was written; name another folder")
      }
    }
    for name in names {
      let path = Files.join(directory, name)
      if let slash = path.lastIndex(of: "/") {
        try Files.makeDirectory(slash == path.startIndex ? "/" : String(path[..<slash]))
      }
      try Files.write(try Files.text(of: Files.join(source, name)), to: path)
    }
    try Console.output(
      """
      \(names.count) files are in \(directory). Try it:

      \(template.nextSteps(in: directory))

      """)
    return .success
  }
}

/// The files of a folder, at any depth, relative to it.
private func fileNames(
  below directory: String, except omitted: Set<String>
) throws(Failure) -> [String] {
  var names: [String] = []
  for name in try Files.entries(of: directory) where !omitted.contains(name) {
    let path = Files.join(directory, name)
    if Files.isDirectory(path) {
      names += try fileNames(below: path, except: omitted).map { Files.join(name, $0) }
    } else {
      names.append(name)
    }
  }
  return names
}
