import Glibc

/// Reads the machine's own clocks and counters.
package enum Measurement {
  /// Nanoseconds on a clock that only goes forward.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
