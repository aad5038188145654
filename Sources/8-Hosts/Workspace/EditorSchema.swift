import System

/// A JSON Schema by which editors check and complete a kind of file.
///
/// A file names its schema by a path that starts from the file, so that the line is right on every machine.
/// In the kit this leads to `Specs`, in a project to a copy in `.kennel/schemas`. Git ignores that folder;
/// the commands that read the project file bring it up to date.
package enum EditorSchema: String, CaseIterable {
  case scenario, project
  case knownFailures = "known-failures"
  case knownCauses = "known-causes"

  /// Where a project has its copies.
  package static let folder = ".kennel/schemas"

  /// The comment that names the schema, for the first lines of a file.
  ///
  /// - Parameter file: The path of the file.
  /// - Returns: `nil` for a file outside of the kit and of the project: no path from there would be right
  ///   on another machine.
  package func comment(in file: String) -> String? {
    guard let current = try? Files.currentDirectory() else { return nil }
    let path = file.hasPrefix("/") ? file : Files.join(current, file)
    guard !path.split(separator: "/").contains("..") else { return nil }
    if let home = try? Home.find(), home.isHere, path.hasPrefix(home.path + "/") {
      return comment(naming: "Specs", inRelative: path.dropFirst(home.path.count + 1))
    }
    guard let root = try? ProjectFile.folder(), path.hasPrefix(root + "/") else {
      return nil
    }
    return comment(inProjectFile: path.dropFirst(root.count + 1))
  }

  /// The comment for a file of a project, whose path starts from the directory of the project.
  package func comment(inProjectFile file: some StringProtocol) -> String {
    comment(naming: Self.folder, inRelative: file)
  }

  private func comment(naming folder: String, inRelative file: some StringProtocol) -> String {
    let way = file.split(separator: "/").dropLast().filter { $0 != "." }.map { _ in "../" }.joined()
    return "yaml-language-server: $schema=\(way)\(folder)/\(name)"
  }

  /// Copies the schemas into a project, where they are not there or differ. What cannot be written is
  /// left out: the directory may belong to another user.
  ///
  /// - Parameter directory: The directory of the project file.
  package static func copy(to directory: String) {
    guard let home = try? Home.find() else { return }
    for schema in allCases {
      let copy = Files.join(directory, Files.join(folder, schema.name))
      guard let text = try? Files.text(of: Files.join(home.specs, schema.name)) else { continue }
      if Files.exists(copy), (try? Files.text(of: copy)) == text { continue }
      do throws(Failure) {
        try Files.makeDirectory(of: copy)
        try Files.replace(text, at: copy)
      } catch {}
    }
  }

  private var name: String { "\(rawValue).schema.json" }
}
