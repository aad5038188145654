import Glibc

/// Notices that files are written, created, renamed or removed in some directories and below.
package final class FileWatch {
  private let descriptor: Int32
  /// How many directories are watched.
  package private(set) var count = 0

  /// More directories than this are not watched: a system has few watches.
  private static let most = 4096
  /// What is not edited by hand.
  private static let ignored: Set<String> = ["node_modules", "__pycache__", "target", "build"]

  /// - Parameter paths: Directories, and files, of which the directory is watched.
  /// - Throws: `Failure.fault` when the system watches nothing.
  package init(_ paths: [String]) throws(Failure) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw .fault("cannot watch files: \(Files.lastReason())") }
    for path in paths {
      if Files.isDirectory(path) {
        add(path)
      } else {
        let slash = path.lastIndex(of: "/")
        watch(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
      }
    }
  }

  deinit { close(descriptor) }

  private func add(_ directory: String) {
    watch(directory)
    for name in (try? Files.entries(of: directory)) ?? [] where !Self.ignored.contains(name) {
      let path = Files.join(directory, name)
      if count < Self.most, Files.isDirectory(path) { add(path) }
    }
  }

  private func watch(_ directory: String) {
    let events = UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)
    if inotify_add_watch(descriptor, directory, events) >= 0 { count += 1 }
  }

  /// Waits until something has changed, and then until nothing has for 100 ms.
  ///
  /// - Returns: Whether something has; `false` when a signal asked for the end.
  package func wait() -> Bool {
    while !Interrupt.hasCome() {
      guard hasEvents(within: 200) else { continue }
      while hasEvents(within: 100) { continue }
      return true
    }
    return false
  }

  /// Whether something has changed since this was asked last.
  package func hasChanged() -> Bool { hasEvents(within: 0) }

  /// Takes what has happened by now.
  private func hasEvents(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while read(descriptor, &buffer, buffer.count) > 0 { continue }
    return true
  }
}
