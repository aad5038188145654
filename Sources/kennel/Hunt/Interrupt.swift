import Glibc

/// The wish of somebody that this process end, by Ctrl-C, `kill` or a terminal that is gone.
///
/// The signals are kept waiting instead of handled, so that nothing is ever interrupted in the
/// middle; whoever works for long asks from time to time.
enum Interrupt {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// From now on the signals wait to be asked for.
  static func begin() {
    var set = Self.set
    sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// Whether one has come since the last question.
  static func hasCome() -> Bool {
    var set = Self.set
    var none = timespec()
    return sigtimedwait(&set, nil, &none) > 0
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
