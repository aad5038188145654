import Glibc

/// Whose a file or a folder is, and who may write it.
package struct FileOwnership: Hashable, Sendable {
  /// The number of its user.
  package var user: UInt32
  /// The number of its group.
  package var group: UInt32
  /// The permissions as `chmod` takes them, such as `0o755`.
  package var mode: UInt32

  /// The ownership of a file with this user, group and permissions.
  package init(user: UInt32, group: UInt32, mode: UInt32) {
    self.user = user
    self.group = group
    self.mode = mode
  }

  init(_ status: stat) {
    self.init(user: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777)
  }

  /// The permissions in digits, such as `1777`.
  package var modeText: String { String(mode, radix: 8) }

  /// The user as messages name it: `user 1000 (ann)`, or only the number of one without a name.
  package static func userText(_ user: UInt32) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else {
      return "user \(user)"
    }
    return "user \(user) (\(String(cString: name)))"
  }
}
