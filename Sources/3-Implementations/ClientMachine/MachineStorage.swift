package import ClientEngine
internal import Glibc

/// The file of one database, if persistence is on.
///
/// What goes wrong with it never ends the program: a file that is corrupt is put aside and begun again,
/// and with one that cannot be used nothing is kept.
package final class MachineStorage {
  /// The key of the token, as `Specs/rules/offline.md` has it.
  private static let credentialKey = "credential"

  private let path: String
  private var file: DatabaseFile?
  private var problems: [String] = []
  /// What went wrong last.
  package private(set) var lastProblem: String?

  /// - Parameters:
  ///   - address: The database.
  ///   - application: Which of several applications of a program keeps something; `nil` for the first.
  ///   - folder: Where the file is; the usual folder of the user if `nil`.
  ///   - keepsData: Whether persistence is on. Without it nothing is kept, and the token that a program
  ///     with persistence has left is removed.
  package init(
    of address: DatabaseAddress, for application: String? = nil, in folder: String?,
    keepsData: Bool
  ) {
    let folder = folder ?? Self.usualFolder
    let owner = application.map { "-" + $0 } ?? ""
    let name = "\(address.host)-\(address.namespace)\(owner)".map { character in
      character.isLetter || character.isNumber || "-._".contains(character) ? character : "_"
    }
    path = folder + "/" + String(name) + ".sqlite"
    keepsData ? open() : removeToken()
  }

  /// `$XDG_DATA_HOME/wilddog`, and `~/.local/share/wilddog` without that.
  private static var usualFolder: String {
    if let data = getenv("XDG_DATA_HOME") { return String(cString: data) + "/wilddog" }
    let home = getenv("HOME").map { String(cString: $0) } ?? "/tmp"
    return home + "/.local/share/wilddog"
  }

  private func open() {
    makeFolders()
    do throws(DatabaseFile.Problem) {
      file = try openFile()
    } catch {
      giveUp(error)
    }
  }

  private func openFile() throws(DatabaseFile.Problem) -> DatabaseFile {
    try DatabaseFile(path, secrets: [Self.credentialKey])
  }

  private func giveUp(_ problem: DatabaseFile.Problem) {
    problems.append("\(problem)")
    file = nil
    guard case .corrupt = problem else { return }
    for suffix in DatabaseFile.suffixes { rename(path + suffix, corruptPath + suffix) }
    file = try? openFile()
    problems.append("it is kept as \(corruptPath), and the database begins empty")
  }

  private var corruptPath: String { path + ".corrupt" }

  /// Removes the token of a program that had persistence on. Data and writes stay for the next one.
  private func removeToken() {
    removeFiles(at: corruptPath)
    guard access(path, F_OK) == 0 else { return }
    do throws(DatabaseFile.Problem) {
      let file = try openFile()
      try file.erase(Self.credentialKey)
      try file.commit()
    } catch {
      problems.append("\(error)")
      guard case .corrupt = error else { return }
      removeFiles(at: path)
      problems.append("it is removed, because it may have a token, and persistence is off")
    }
  }

  private func removeFiles(at path: String) {
    for suffix in DatabaseFile.suffixes { unlink(path + suffix) }
  }

  private func makeFolders() {
    var folder = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").dropLast() {
      folder += part + "/"
      mkdir(folder, 0o700)
    }
  }

  /// Everything that earlier programs have kept.
  package func items() -> [(key: String, text: String)] {
    do throws(DatabaseFile.Problem) {
      return try file?.items() ?? []
    } catch {
      giveUp(error)
      return []
    }
  }

  package func store(_ text: String, as key: String) {
    attempt { file throws(DatabaseFile.Problem) in try file.store(text, as: key) }
  }

  package func erase(_ key: String) {
    // What was put aside may have the token as well.
    if key == Self.credentialKey { removeFiles(at: corruptPath) }
    attempt { file throws(DatabaseFile.Problem) in try file.erase(key) }
  }

  package func commit() {
    attempt { file throws(DatabaseFile.Problem) in try file.commit() }
  }

  /// Gives the file back. Nothing is kept any more.
  package func close() { file = nil }

  /// What has gone wrong since it was asked last.
  package func takeProblems() -> [String] {
    defer { problems = [] }
    lastProblem = problems.last ?? lastProblem
    return problems
  }

  private func attempt(_ work: (DatabaseFile) throws(DatabaseFile.Problem) -> Void) {
    guard let file else { return }
    do throws(DatabaseFile.Problem) {
      try work(file)
    } catch {
      problems.append("\(error)")
    }
  }
}
