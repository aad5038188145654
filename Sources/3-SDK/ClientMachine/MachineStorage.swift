internal import ClientEngine
internal import ClientStorage
internal import Glibc

/// The file of one database, which is there when it is needed.
///
/// What goes wrong with it never ends the program: a file that is corrupt is put aside and begun again,
/// and with one that cannot be used nothing is kept.
final class MachineStorage {
  private let path: String
  private var file: DatabaseFile?
  private var isUnusable = false
  private var problems: [String] = []

  /// - Parameters:
  ///   - address: The database.
  ///   - folder: Where the file is; the usual folder of the user if `nil`.
  ///   - makesFile: Whether there is to be a file even if nothing is stored.
  init(of address: DatabaseAddress, in folder: String?, makesFile: Bool) {
    let folder = folder ?? Self.usualFolder
    let name = "\(address.host)-\(address.namespace)".map { character in
      character.isLetter || character.isNumber || "-._".contains(character) ? character : "_"
    }
    path = folder + "/" + String(name) + ".sqlite"
    if makesFile || access(path, F_OK) == 0 { open() }
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
      file = try DatabaseFile(path)
    } catch {
      giveUp(error)
    }
  }

  private func giveUp(_ problem: DatabaseFile.Problem) {
    problems.append("\(problem)")
    file = nil
    isUnusable = true
    guard case .corrupt = problem else { return }
    for suffix in ["", "-wal", "-shm"] { rename(path + suffix, path + ".corrupt" + suffix) }
    file = try? DatabaseFile(path)
    isUnusable = file == nil
    problems.append("it is kept as \(path).corrupt, and the database begins empty")
  }

  private func makeFolders() {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
  }

  func items() -> [(key: String, text: String)] {
    do throws(DatabaseFile.Problem) {
      return try file?.items() ?? []
    } catch {
      giveUp(error)
      return []
    }
  }

  func store(_ text: String, as key: String) {
    if file == nil, !isUnusable { open() }
    attempt { file throws(DatabaseFile.Problem) in try file.store(text, as: key) }
  }

  func erase(_ key: String) {
    attempt { file throws(DatabaseFile.Problem) in try file.erase(key) }
  }

  func commit() {
    attempt { file throws(DatabaseFile.Problem) in try file.commit() }
  }

  /// Gives the file back. Nothing is kept any more.
  func close() {
    file = nil
    isUnusable = true
  }

  /// What has gone wrong since it was asked last.
  func takeProblems() -> [String] {
    defer { problems = [] }
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
