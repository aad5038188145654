import Glibc

/// Reads the machine's own clocks and counters.
package enum Measurement {
  /// Nanoseconds on a clock that only goes forward.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// How long this process has had a processor, in nanoseconds.
  package static var ownProcessorTime: Int64 { processorTime(of: RUSAGE_SELF.rawValue) }

  /// How long the processes that it has started have had one, as far as they have ended and were waited for.
  package static var endedProcessorTime: Int64 { processorTime(of: RUSAGE_CHILDREN.rawValue) }

  private static func processorTime(of whom: __rusage_who_t) -> Int64 {
    var usage = rusage()
    getrusage(whom, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Int64($1.tv_sec) * 1_000_000_000 + Int64($1.tv_usec) * 1000
    }
  }
}
