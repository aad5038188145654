import CScheduling
import Glibc

/// The processors of this machine.
package enum Processors {
  /// How many this process may use; at least one.
  package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

extension Processors {
  /// Keeps this process, and those that it starts, on one of several that share the work.
  package static func stay(on number: Int) {
    let processor = number % min(count, 64)
    var set: UInt64 = 1 << UInt64(processor)
    _ = sched_setaffinity(0, MemoryLayout<UInt64>.size, &set)
  }

  /// Keeps this process, and those that it starts, on the processor on which it runs now.
  ///
  /// Where two processes wait for each other all the time, waking the other processor costs five times
  /// what they do.
  package static func stayOnOne() {
    let processor = sched_getcpu()
    guard (0..<64).contains(processor) else { return }
    var set: UInt64 = 1 << UInt64(processor)
    _ = sched_setaffinity(0, MemoryLayout<UInt64>.size, &set)
  }
}
