package import Document
import Glibc
package import Reports
package import Scenario
package import System

/// The directory that holds the specification and the scenarios.
package struct Home {
  package let path: String

  /// Where the specification is.
  package var specs: String { Files.join(path, "Specs") }

  /// Where the scenarios are.
  package var scenarios: String { Files.join(path, "Scenarios") }

  /// Finds the directory that `KENNEL_HOME` names, or else the nearest one from the current
  /// directory upwards.
  ///
  /// - Throws: `Failure.unusable` when there is none.
  package static func find() throws(Failure) -> Home {
    if let variable = getenv("KENNEL_HOME") {
      let home = Home(path: String(cString: variable))
      guard home.isComplete else {
        throw .unusable("KENNEL_HOME is \(home.path), which has no Specs and Scenarios in it")
      }
      return home
    }
    let start = try Files.currentDirectory()
    var path = start
    while true {
      let home = Home(path: path)
      if home.isComplete { return home }
      guard path != "/", let slash = path.lastIndex(of: "/") else { break }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    throw .unusable(
      "no directory from \(start) upwards has Specs and Scenarios in it; "
        + "go to the source tree, or name it in KENNEL_HOME")
  }

  /// A document of the specification, as it is named in this directory: from elsewhere with its whole
  /// path.
  package static func document(_ name: String) -> String {
    guard let home = try? find() else { return Files.join("Specs", name) }
    return home.name(of: Files.join("Specs", name))
  }

  /// A file below this directory as it is named in the current one.
  package func name(of file: String) -> String {
    let current = (try? Files.currentDirectory()) ?? ""
    return "\(current)/".hasPrefix("\(path)/") ? file : Files.join(path, file)
  }

  /// The rules of the specification, under names relative to this directory.
  ///
  /// - Throws: `Failure.file` when a file of it cannot be read.
  package func ruleBook() throws(Failure) -> RuleBook {
    var files: [(name: String, text: String)] = []
    let folder = Files.join(specs, "rules")
    guard Files.isDirectory(folder) else { return RuleBook(files: []) }
    for name in try Files.entries(of: folder) where name.hasSuffix(".md") {
      files.append(("Specs/rules/" + name, try Files.text(of: Files.join(folder, name))))
    }
    return RuleBook(files: files)
  }

  /// The terms of the specification; none when there is no glossary.
  ///
  /// - Throws: `Failure.file` when it cannot be read.
  package func glossary() throws(Failure) -> Glossary {
    let path = Files.join(specs, "glossary.md")
    return Glossary(Files.exists(path) ? try Files.text(of: path) : "")
  }

  /// The table of the documents, or nil when there is none.
  ///
  /// - Throws: `Failure.file` when it cannot be read.
  package func sourceTable() throws(Failure) -> SourceTable? {
    let path = Files.join(specs, "sources.md")
    return Files.exists(path) ? SourceTable(try Files.text(of: path)) : nil
  }

  /// Whether the current directory is this one, or below it.
  package var isHere: Bool {
    guard let current = try? Files.currentDirectory(), let own = realpath(path, nil) else {
      return false
    }
    defer { free(own) }
    let real = String(cString: own)
    return current == real || current.hasPrefix(real == "/" ? real : real + "/")
  }

  private var isComplete: Bool { Files.isDirectory(specs) && Files.isDirectory(scenarios) }
}

extension PathDisplay {
  /// Those of this process.
  package static var here: PathDisplay {
    PathDisplay(home: (try? Home.find())?.path, current: try? Files.currentDirectory())
  }
}
