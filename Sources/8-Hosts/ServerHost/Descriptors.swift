import Glibc

/// How many files and sockets this process may have open.
package enum Descriptors {
  /// How many are kept for what is not a connection: recordings, and copies for a moment.
  package static let reserve = 32

  /// Lets the process have so many open, if that is allowed.
  ///
  /// - Returns: How many there may be now.
  package static func allow(_ count: Int) -> Int {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 1024 }
    // libwebsockets has a table as long as this, so more than is of use costs memory.
    let wanted = min(rlim_t(count), limit.rlim_max)
    if wanted > limit.rlim_cur || limit.rlim_cur > 1 << 20 {
      var new = rlimit(rlim_cur: wanted, rlim_max: limit.rlim_max)
      if setrlimit(files, &new) == 0 { return Int(wanted) }
    }
    return Int(limit.rlim_cur)
  }
}
