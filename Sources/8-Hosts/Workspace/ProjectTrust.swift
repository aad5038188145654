import Glibc
package import System
import Text

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
