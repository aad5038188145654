import ClientInterface
package import Document
import Glibc
package import System
import Tree
import YAML

/// The file `kennel.yaml` of a project that tests its client: what every command is about, unless its
/// command line says something else.
package struct ProjectFile {
  package static let name = "kennel.yaml"

  /// The directory of the file.
  package let directory: String
  /// The command of the adapter; empty for none.
  package private(set) var command: [String] = []
  /// The profiles to run; empty for all.
  package private(set) var profiles: [String] = []
  /// The list of known failures.
  package private(set) var known: String?
  /// How many seconds an answer of the adapter may take.
  package private(set) var timeout: Double?
  /// What is run where a command line names no scenario.
  package private(set) var scenarios: [String] = []

  /// Why the command must not be started, nor anything be written into the project: others may have
  /// written the file. `nil` for one that is trusted.
  package private(set) var objection: String?

  /// Whether the file names a schema that commands copy into the project.
  package private(set) var hasSchemas = false

  private static let keys = ["command", "profiles", "known", "timeout", "scenarios"]

  /// The file that `KENNEL_PROJECT` names, or else the nearest one from the current directory
  /// upwards; nil when there is none, and for the name `none`. To name a file is to trust it.
  ///
  /// - Throws: `Failure` when it cannot be read or has mistakes.
  package static func find() throws(Failure) -> ProjectFile? {
    if let named = getenv("KENNEL_PROJECT").map({ String(cString: $0) }), !named.isEmpty {
      return named == "none" ? nil : try ProjectFile(file: named)
    }
    var directory = try Files.currentDirectory()
    while true {
      let file = Files.join(directory, name)
      if Files.exists(file) { return try ProjectFile(found: file, in: directory) }
      guard directory != "/", let slash = directory.lastIndex(of: "/") else { return nil }
      directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
    }
  }

  private init(found file: String, in directory: String) throws(Failure) {
    let content = try Files.regularContent(of: file)
    let folder = Files.realPath(of: directory) ?? directory
    try self.init(file: file, text: content.text)
    objection = ProjectTrust.ofThisProcess.objection(
      to: (file, content.ownership), in: (folder, try Files.ownership(of: folder)))
  }

  private init(file: String) throws(Failure) {
    try self.init(file: file, text: try Files.regularText(of: file))
  }

  private init(file: String, text: String) throws(Failure) {
    let (project, problems) = Self.read(file: file, bytes: Array(text.utf8))
    try Failure.refuse(problems, in: file)
    self = project
  }

  private init(directory: String) { self.directory = directory }

  /// Reads a project file.
  ///
  /// - Parameters:
  ///   - file: Its path; relative paths in it start from its directory.
  ///   - bytes: Its content, in YAML.
  /// - Returns: The project, and everything that is wrong, in the order of the file.
  package static func read(
    file: String, bytes: [UInt8]
  ) -> (project: ProjectFile, problems: [SourceError]) {
    var source = VersionedFile(file: file, bytes: bytes, keys: keys, optional: keys)
    let slash = file.lastIndex(of: "/")
    var project = ProjectFile(directory: slash.map { String(file[..<$0]) } ?? ".")
    project.hasSchemas = String(decoding: bytes, as: UTF8.self).contains(EditorSchema.folder)
    project.take(source.fields) { source.report($0, $1) }
    return (project, source.problems)
  }

  private mutating func take(
    _ fields: [String: DocumentNode], report: (Position, String) -> Void
  ) {
    command = fields["command"].map { words($0, "command", report) } ?? []
    profiles = fields["profiles"].map { self.profiles($0, report) } ?? []
    scenarios = fields["scenarios"].map { words($0, "scenarios", report) } ?? []
    if let node = fields["known"] {
      if case let .string(text) = node.content, !text.isEmpty {
        known = located(text)
      } else {
        report(node.position, "known is \(node.json.text); expected the path of a file")
      }
    }
    if let node = fields["timeout"] {
      if case let .number(seconds) = node.content, (0.1...3600).contains(seconds) {
        timeout = seconds
      } else {
        report(
          node.position, "timeout is \(node.json.text); expected seconds from 0.1 to 3600")
      }
    }
  }

  /// A list of texts, or one text with blanks between words.
  private func words(
    _ node: DocumentNode, _ name: String, _ report: (Position, String) -> Void
  ) -> [String] {
    switch node.content {
    case let .string(text) where !text.isEmpty:
      return text.split(separator: " ").map { located(String($0)) }
    case let .list(nodes):
      let words = nodes.compactMap { node -> String? in
        if case let .string(text) = node.content { located(text) } else { nil }
      }
      if words.count == nodes.count { return words }
    case .null, .bool, .number, .string, .mapping: break
    }
    report(node.position, "\(name) is \(node.json.text); expected words, or a list of texts")
    return []
  }

  private func profiles(
    _ node: DocumentNode, _ report: (Position, String) -> Void
  ) -> [String] {
    guard case let .list(nodes) = node.content else {
      report(node.position, "profiles is \(node.json.text); expected a list such as [firebase]")
      return []
    }
    let known = Profile.all.map(\.name)
    return nodes.compactMap { node in
      if case let .string(name) = node.content, known.contains(name) { return name }
      report(
        node.position,
        "unknown profile \(node.json.text); expected one of \(known.joined(separator: ", "))")
      return nil
    }
  }

  /// A word that names a file beside the project file, from the current directory; any other word as it
  /// is.
  private func located(_ word: String) -> String {
    let path = Files.join(directory, word)
    guard !word.hasPrefix("/"), Files.exists(path) else { return word }
    guard let current = try? Files.currentDirectory() else { return path }
    return path.hasPrefix(current + "/") ? String(path.dropFirst(current.count + 1)) : path
  }
}

/// Whose project files may start their command.
///
/// A project file is found in any folder above the current one, and a user who may write the file or
/// replace it decides what is started. So both the file and its folder must belong to the user or to root,
/// and no other user may write them.
package struct ProjectTrust {
  private let user: UInt32
  /// The users who may have written what is started.
  private let users: Set<UInt32>
  /// The groups that may write it: where every user has a group, files are often made writable for it.
  private let groups: Set<UInt32>
  /// The folders that are trusted without these conditions; `*` stands for all.
  private let folders: Set<String>

  /// The trust of a process.
  ///
  /// - Parameters:
  ///   - user: Whose rights it has.
  ///   - group: The primary group.
  ///   - invoker: Who became root with `sudo` to start it; ignored for any other user.
  ///   - trustedFolders: Their paths without links.
  package init(
    user: UInt32, group: UInt32, invoker: (user: UInt32, group: UInt32)? = nil,
    trustedFolders: Set<String> = []
  ) {
    let invoker = user == 0 ? invoker : nil
    self.user = user
    users = [0, user, invoker?.user ?? user]
    groups = [group, invoker?.group ?? group]
    folders = trustedFolders
  }

  /// The trust of this process, with the folders that `KENNEL_TRUST` lists.
  package static var ofThisProcess: ProjectTrust {
    var invoker: (user: UInt32, group: UInt32)?
    if let user = number("SUDO_UID"), let group = number("SUDO_GID") { invoker = (user, group) }
    let listed = variable("KENNEL_TRUST").split(separator: ":").map(String.init)
    let folders = listed.compactMap { folder in
      folder == "*" ? folder : folder.hasPrefix("/") ? Files.realPath(of: folder) : nil
    }
    return ProjectTrust(
      user: geteuid(), group: getegid(), invoker: invoker, trustedFolders: Set(folders))
  }

  private static func variable(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  private static func number(_ name: String) -> UInt32? { UInt32(variable(name)) }

  /// Why the command of a project file must not be started.
  ///
  /// - Parameters:
  ///   - file: The path of the file, and whose it is.
  ///   - folder: The path of its folder without links, and whose it is.
  /// - Returns: A message, or `nil` for a file that is trusted.
  package func objection(
    to file: (path: String, ownership: FileOwnership),
    in folder: (path: String, ownership: FileOwnership)
  ) -> String? {
    if folders.contains("*") || folders.contains(folder.path) { return nil }
    let reason =
      objection(to: file.path, file.ownership, isFolder: false)
      ?? objection(to: folder.path, folder.ownership, isFolder: true)
    return reason.map {
      "the command of \(file.path) is not started: \($0); or look at the command, and trust the "
        + "folder with KENNEL_TRUST=\(shellWord(folder.path)); or leave the file out with "
        + "KENNEL_PROJECT=none"
    }
  }

  private func objection(
    to path: String, _ ownership: FileOwnership, isFolder: Bool
  ) -> String? {
    guard users.contains(ownership.user) else {
      return "\(path) belongs to \(FileOwnership.userText(ownership.user)), expected "
        + "\(FileOwnership.userText(user))\(user == 0 ? "" : " or root"); run 'chown \(user) "
        + "\(shellWord(path))'"
    }
    let isForGroup = ownership.mode & 0o020 != 0 && !groups.contains(ownership.group)
    guard ownership.mode & 0o002 != 0 || isForGroup else { return nil }
    let writers = ownership.mode & 0o002 != 0 ? "everybody" : "group \(ownership.group)"
    // Programs rely on a folder that everybody shares as it is.
    let isShared = isFolder && ownership.mode & 0o1000 != 0
    return "\(writers) may write \(path), which has the mode \(ownership.modeText), expected that "
      + "only its user may; "
      + (isShared
        ? "move the project to a folder of its own" : "run 'chmod go-w \(shellWord(path))'")
  }
}
