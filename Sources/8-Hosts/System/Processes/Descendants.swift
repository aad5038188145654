import CScheduling
import Glibc

/// The processes that this one has started, and what those have left behind.
///
/// An adapter that is wrong may start others, leave its process group, or ignore every signal but
/// one. None of that may outlive this process.
package enum Descendants {
  /// The process groups of those that run. Signal handlers read it, so it is plain memory.
  private nonisolated(unsafe) static let groups = {
    let memory = UnsafeMutablePointer<pid_t>.allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: capacity)
    return memory
  }()
  private static let capacity = 256
  /// Only ever becomes true, and watching twice changes nothing.
  private nonisolated(unsafe) static var isWatching = false
  /// Whether the kit has started every child of this process. Only ever becomes true, before anything
  /// is started.
  private nonisolated(unsafe) static var ownsAll = false

  /// States that this process belongs to the kit, so that any child that is not known was left behind
  /// by another. Without this, the children that other code has started in this process are left alone.
  package static func ownAll() { ownsAll = true }

  /// From now on everything that is started ends with this process, also when it is asked to end by
  /// a signal.
  package static func watch() {
    guard !isWatching else { return }
    isWatching = true
    _ = groups
    if ownsAll { _ = kennel_adopt_orphans() }
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] {
      sigaddset(&unblocked, number)
      let before = signal(number) { number in
        Descendants.endAll()
        signal(number, SIG_DFL)
        raise(number)
      }
      // A user who wants this process to live on, as nohup does, means it.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    // The parent of this process may have kept them waiting.
    sigprocmask(SIG_UNBLOCK, &unblocked, nil)
  }

  /// Records a process that was started, which leads a group of its own.
  static func add(_ process: pid_t) {
    for slot in 0..<capacity where groups[slot] == 0 {
      groups[slot] = process
      return
    }
  }

  /// Records a process that was waited for.
  static func remove(_ process: pid_t) {
    for slot in 0..<capacity where groups[slot] == process { groups[slot] = 0 }
  }

  /// Ends all that run. Does nothing but what a signal handler may.
  package static func endAll() {
    for slot in 0..<capacity where groups[slot] != 0 { kill(-groups[slot], SIGKILL) }
  }

  /// Ends what those that have ended have left behind, in a process that belongs to the kit.
  ///
  /// - Returns: How many processes that were.
  @discardableResult
  package static func endOrphans() -> Int {
    guard isWatching, ownsAll else { return 0 }
    var count = 0
    // The children of one that is ended come to this process only then.
    for _ in 0..<100 {
      let orphans = hasOthers ? children().filter { !isKnown($0) } : []
      if orphans.isEmpty { break }
      for orphan in orphans {
        if kill(orphan, SIGKILL) == 0, !isZombie(orphan) { count += 1 }
        _ = waitpid(orphan, nil, 0)
      }
    }
    return count
  }

  private static func isKnown(_ process: pid_t) -> Bool {
    (0..<capacity).contains { groups[$0] == process }
  }

  /// Whether there may be children that are not known. Asks the system once, which is cheap.
  private static var hasOthers: Bool {
    var information = siginfo_t()
    let isParent = waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0
    return isParent || errno != ECHILD
  }

  private static func isZombie(_ process: pid_t) -> Bool {
    status(of: process)?.first == "Z"
  }

  /// All processes whose parent is this one.
  private static func children() -> [pid_t] {
    let own = String(getpid())
    let names = (try? Files.entries(of: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      guard let fields = status(of: process), fields.count > 1 else { return false }
      return fields[1] == own
    }
  }

  /// What the system reports about a process behind its name: its state, its parent and so on.
  static func status(of process: pid_t) -> [Substring]? {
    guard let text = try? Files.text(of: "/proc/\(process)/stat") else { return nil }
    // By bytes: this is asked of all processes of a machine.
    return text.utf8.lastIndex(of: UInt8(ascii: ")")).map { end in
      let fields = text.utf8[text.utf8.index(after: end)...].split(separator: UInt8(ascii: " "))
      return fields.map { Substring($0) }
    }
  }
}
