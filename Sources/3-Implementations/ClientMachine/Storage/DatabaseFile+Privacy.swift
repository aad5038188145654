internal import Glibc

// Who may read what is kept: only the user, since there are tokens and data among it.

extension DatabaseFile {
  /// What follows the path in the names of the files that SQLite may have for one database.
  package static let suffixes = ["", "-wal", "-shm", "-journal"]

  /// Makes the file if there is none, and takes it from others if it is there.
  ///
  /// SQLite gives its other files the mode of this one. A file that is there is not opened for that:
  /// to close it would end the locks of this process, as POSIX has it.
  static func makePrivate(_ path: String) throws(Problem) {
    let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if new >= 0 { close(new) }
    for suffix in suffixes { try takeFromOthers(path + suffix) }
  }

  private static func takeFromOthers(_ path: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, status.st_mode & 0o700) == 0 else {
      throw .exposed(path: path, mode: String(status.st_mode & 0o777, radix: 8))
    }
  }
}
