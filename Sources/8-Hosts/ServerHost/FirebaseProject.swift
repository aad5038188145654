import Document
package import ReferenceServer
package import System

/// What a `firebase.json` says about the database, and about the emulator of it.
package struct FirebaseProject {
  /// The port of the emulator; nil where none is stated.
  package private(set) var port: Int?
  /// The file with the rules, as it can be opened from here; nil where none is stated.
  package private(set) var rulesFile: String?
  /// Where it names that file.
  private var rulesLocation: FileLocation

  /// Reads a file. What it says about other products is not looked at.
  ///
  /// - Throws: `Failure.file` when it cannot be read, and `Failure.unusable` for what is no JSON, and
  ///   for a port or rules that are none.
  package init(file: String) throws(Failure) {
    rulesLocation = FileLocation(file: file)
    let document = DocumentReader.readJSON(Array(try Files.text(of: file).utf8))
    guard let root = document.root, document.problems.isEmpty else {
      throw .mistakes(document.problems.map { SourceError(file: file, $0) })
    }
    if let node = root["emulators"]?["database"]?["port"] { port = try Self.port(node, file) }
    guard var database = root["database"] else { return }
    if case let .list(databases) = database.content {
      guard let first = databases.first, databases.count == 1 else {
        throw Self.mistake(
          database,
          "there are \(databases.count) databases; expected one; name the rules with --rules", file)
      }
      database = first
    }
    guard let rules = database["rules"] else { return }
    guard case let .string(name) = rules.content else {
      throw Self.mistake(rules, "database.rules is the name of a file, in quotes", file)
    }
    rulesFile = name.hasPrefix("/") ? name : Files.join(Self.folder(of: file), name)
    rulesLocation = FileLocation(file: file, position: rules.position)
  }

  /// Reads the rules.
  ///
  /// - Throws: `Failure.mistakes` with everything that is wrong in them, or where they are named if they cannot
  ///   be read.
  package func readRules(_ rules: String) throws(Failure) -> SecurityRules {
    do throws(Failure) {
      return try ServerOptions.readRules(rules)
    } catch .file(_, let reason) {
      throw .mistake(
        SourceError(
          rulesLocation,
          "database.rules names \(rules), which cannot be read: \(reason); expected a file with security "
            + "rules; make it, correct the name, or name another file with --rules"))
    }
  }

  private static func port(_ node: DocumentNode, _ file: String) throws(Failure) -> Int {
    guard case let .number(number) = node.content, let port = Int(exactly: number),
      (0...65_535).contains(port)
    else {
      throw mistake(node, "the port of the database is no number from 0 to 65535", file)
    }
    return port
  }

  private static func mistake(_ node: DocumentNode, _ message: String, _ file: String) -> Failure {
    .mistake(SourceError(file: file, position: node.position, message: message))
  }

  private static func folder(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }
}
