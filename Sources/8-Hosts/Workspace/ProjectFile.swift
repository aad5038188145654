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
  private let file: String
  /// What it says at its top level, by the keys of settings.
  package private(set) var values: [String: SettingValue] = [:]
  /// What it says in named settings.
  package private(set) var named: [String: [String: SettingValue]] = [:]
  /// The implementations that it names.
  private(set) var implementations: [NamedClient] = []
  /// Whether these are all: with a mistake among them it is open which names there are.
  private(set) var knowsClients = true

  /// Why its command must not be started, nor anything be written because of it: others may have written
  /// the file. `nil` for one that is trusted.
  package private(set) var objection: String?

  /// Whether the file names a schema that commands copy into the project.
  package private(set) var hasSchemas = false

  /// The file that `KENNEL_PROJECT` names, or else the nearest one from the current directory
  /// upwards; nil when there is none, and for the name `none`. To name a file is to trust it.
  ///
  /// - Throws: `Failure` when it cannot be read or has mistakes.
  package static func find(
    _ settings: SettingsTable, by variable: String = projectVariable
  ) throws(Failure) -> ProjectFile? {
    guard let place = try place(by: variable) else { return nil }
    if place.isNamed {
      let text: String
      do throws(Failure) {
        text = try Files.regularText(of: place.file)
      } catch .file(let path, let reason) {
        throw .file(
          path: path, reason: "\(reason); \(variable) names it: correct that, or unset it")
      }
      return try ProjectFile(place.file, text: text, settings)
    }
    let content = try Files.regularContent(of: place.file)
    var project = try ProjectFile(place.file, text: content.text, settings)
    let folder = Files.realPath(of: project.directory) ?? project.directory
    project.objection = ProjectTrust.ofThisProcess.objection(
      to: (place.file, content.ownership), in: (folder, try Files.ownership(of: folder)))
    return project
  }

  /// The directory of that file.
  ///
  /// - Throws: `Failure` when the current directory is not known.
  package static func folder() throws(Failure) -> String? {
    try place(by: projectVariable).map { directory(of: $0.file) }
  }

  /// What names the file, unless another variable does.
  package static let projectVariable = "KENNEL_PROJECT"

  private static func place(
    by variable: String
  ) throws(Failure) -> (file: String, isNamed: Bool)? {
    if let named = getenv(variable).map({ String(cString: $0) }), !named.isEmpty {
      return named == "none" ? nil : (named, true)
    }
    var directory = try Files.currentDirectory()
    while true {
      let file = Files.join(directory, name)
      if Files.exists(file) { return (file, false) }
      guard directory != "/", let slash = directory.lastIndex(of: "/") else { return nil }
      directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
    }
  }

  private static func directory(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  private init(_ file: String, text: String, _ settings: SettingsTable) throws(Failure) {
    if text.allSatisfy(\.isWhitespace) {
      let message =
        "the file is empty; expected 'kennel: 1' and settings; 'kennel init -- COMMAND' writes one"
      throw .mistake(SourceError(file: file, position: .start, message: message))
    }
    let (project, problems) = Self.read(file: file, bytes: Array(text.utf8), settings)
    try Failure.refuse(problems, in: file)
    self = project
  }

  private init(file: String) {
    self.file = file
    directory = Self.directory(of: file)
  }

  /// Reads a project file.
  ///
  /// - Parameters:
  ///   - file: Its path; relative paths in it start from its directory.
  ///   - bytes: Its content, in YAML.
  ///   - settings: What it may say.
  /// - Returns: The project, and everything that is wrong, in the order of the file.
  package static func read(
    file: String, bytes: [UInt8], _ settings: SettingsTable
  ) -> (project: ProjectFile, problems: [SourceError]) {
    let keys = settings.keys + [clientsKey, namedKey]
    var source = VersionedFile(file: file, bytes: bytes, keys: keys, optional: keys)
    var project = ProjectFile(file: file)
    project.hasSchemas = String(decoding: bytes, as: UTF8.self).contains(EditorSchema.folder)
    let fields = source.fields
    if let node = fields[clientsKey] {
      let before = source.problems.count
      project.implementations = project.clients(
        in: node, of: bytes, besides: settings.clients, { source.report($0, $1) })
      project.knowsClients = source.problems.count == before
    }
    project.values = project.read(fields, settings, nil) { source.report($0, $1) }
    if let node = fields[namedKey] {
      project.readNamed(node, settings) { source.report($0, $1) }
    }
    return (project, source.problems)
  }

  /// The key of the named settings.
  private static let namedKey = "settings"
  /// The key of the named clients.
  private static let clientsKey = "clients"

  private mutating func readNamed(
    _ node: DocumentNode, _ settings: SettingsTable, _ report: (Position, String) -> Void
  ) {
    guard case let .mapping(entries) = node.content else {
      let expected = "named settings, such as {ci: {jobs: 2}}"
      return report(node.position, "settings is \(node.json.text); expected \(expected)")
    }
    let keys = settings.keys
    for entry in entries {
      let what = "settings \(entry.key)"
      var node = entry.value
      if case let .mapping(members) = node.content {
        let misplaced = members.filter {
          [Self.clientsKey, Self.namedKey, "kennel"].contains($0.key)
        }
        for member in misplaced {
          report(
            member.keyPosition,
            "\(what) has \(member.key), which belongs to the top level; move it there")
        }
        node.content = .mapping(
          members.filter { member in !misplaced.contains { $0.key == member.key } })
      }
      let fields = node.fields(what, keys: keys, optional: keys, report: report) ?? [:]
      named[entry.key] = read(fields, settings, entry.key, report)
    }
  }

  private func read(
    _ fields: [String: DocumentNode], _ settings: SettingsTable, _ name: String?,
    _ report: (Position, String) -> Void
  ) -> [String: SettingValue] {
    var values: [String: SettingValue] = [:]
    for row in settings.rows {
      guard let node = fields[row.key] else { continue }
      guard
        let texts = row.description.mapping == nil
          ? texts(of: node, isList: row.description.isRepeatable) : pairs(of: node)
      else {
        report(node.position, "\(row.key) is \(node.json.text); expected \(row.expected)")
        continue
      }
      for (text, node) in texts {
        if let expected = row.expectation(text) {
          let isWhole = texts.count == 1 || node.json.text == JSON.string(text).text
          let found = isWhole ? "is \(node.json.text)" : "has \(JSON.string(text).text)"
          let hint = text.hasSuffix(",") ? "; put blanks between words, and no commas" : ""
          report(node.position, "\(row.key) \(found); expected \(expected)\(hint)")
        } else if row.description.mapping != nil,
          let hint = hint(toClient: node, besides: settings.clients)
        {
          report(node.position, "\(row.key) names \(node.json.text)\(hint)")
        }
      }
      values[row.key] = SettingValue(
        texts.enumerated().map { index, text in
          // The program is a path where it has a slash, whether or not there is one.
          let isPath =
            row.key == SettingsTable.command.name && index == 0 && text.text.contains("/")
          return located(text.text, isPath ? .read : row.description.file)
        },
        .file(location(of: node), settings: name))
    }
    return values
  }

  /// What is written for a setting, and where: a text or a number; for one with several values also a list,
  /// or one text with blanks between words. Nil for anything else.
  func texts(
    of node: DocumentNode, isList: Bool
  ) -> [(text: String, node: DocumentNode)]? {
    switch node.content {
    case let .string(text) where !text.isEmpty:
      let words = isList ? text.split(separator: " ").map(String.init) : [text]
      return words.map { ($0, node) }
    case .number where !isList: return [(node.json.text, node)]
    case let .list(nodes) where isList:
      let texts = nodes.compactMap { node -> (text: String, node: DocumentNode)? in
        if case let .string(text) = node.content { (text, node) } else { nil }
      }
      return texts.count == nodes.count ? texts : nil
    case .null, .bool, .number, .string, .list, .mapping: return nil
    }
  }

  /// A word that names a file beside the project file, from the current directory; any other word as it
  /// is. A line for a shell goes to the folder of the project file first, unless it is there.
  func located(_ word: String, _ use: OptionDescription.FileUse) -> String {
    if use == .started {
      let isHere = directory == "." || directory == (try? Files.currentDirectory())
      return isHere ? word : "cd \(shellWord(directory)) && \(word)"
    }
    let path = Files.join(directory, word)
    if use == .none || word.hasPrefix("/") || use == .perhaps && !Files.exists(path) { return word }
    return here(path)
  }

  /// Where the file says something, as messages show it.
  func location(of node: DocumentNode) -> FileLocation {
    FileLocation(file: here(file), position: node.position)
  }

  private func here(_ path: String) -> String {
    guard let current = try? Files.currentDirectory(), path.hasPrefix(current + "/") else {
      return path
    }
    return String(path.dropFirst(current.count + 1))
  }
}

extension ProjectFile {
  /// What counts of it.
  ///
  /// - Parameter chosen: The named settings that are wanted, which come before those at the top level; nil
  ///   for none.
  /// - Returns: Values by the keys of settings.
  /// - Throws: `Failure.unusable` for a name that the file does not have.
  package func values(of chosen: SettingValue?) throws(Failure) -> [String: SettingValue] {
    guard let chosen, let name = chosen.texts.last else { return values }
    if let named = named[name] {
      return values.merging(named) { $1 }.merging(["settings": chosen]) { $1 }
    }
    let names = named.keys.sorted()
    let hint =
      names.isEmpty ? "; add settings: {\(name): {...}}" : closestOrAll(to: name, in: names)
    throw .unusable(
      "\(here(file)) has no settings \"\(name)\", which \(chosen.name) names\(hint)")
  }

  /// All values of a setting, whatever is chosen.
  private func all(_ row: OptionDescription) -> [[String]] {
    let sets = [values] + named.keys.sorted().compactMap { named[$0] }
    return sets.compactMap { set in row.setting.flatMap { set[$0]?.texts } }
  }

  /// Every command that it may start.
  package var commands: [[String]] { all(SettingsTable.command) + implementations.map(\.command) }

  /// All scenarios that it may run where a command line names none.
  package var scenarios: [String] { all(SettingsTable.scenarios).flatMap { $0 } }
}

extension SettingValue {
  /// What gives the value: an option or a variable.
  fileprivate var name: String {
    if case let .environment(variable) = origin { variable } else { "--settings" }
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

  /// Why a project file must neither start its command nor have anything written.
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
      "\(file.path) may neither start a command nor name files to write: \($0); or look at it, and "
        + "trust its folder with KENNEL_TRUST=\(shellWord(folder.path)); or leave the file out with "
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
