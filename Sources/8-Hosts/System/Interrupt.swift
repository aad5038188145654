import Glibc

/// The request that this process end, by Ctrl-C, `kill` or a terminal that is gone.
///
/// The signals are kept waiting instead of handled, so that nothing is ever interrupted in the
/// middle; long work asks from time to time.
package enum Interrupt {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The first one that came. No handler writes it, since the signals wait; one thread asks.
  private nonisolated(unsafe) static var first: Int32?

  /// From now on the signals wait to be asked for.
  package static func begin() {
    var set = Self.set
    sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// Whether one has come.
  package static func hasCome() -> Bool { signal() != nil }

  /// The first one that has come; nil for none.
  package static func signal() -> Int32? {
    if first != nil { return first }
    var set = Self.set
    var none = timespec()
    let signal = sigtimedwait(&set, nil, &none)
    if signal > 0 { first = signal }
    return first
  }

  /// `SIGINT`, as people know it.
  package static func name(of signal: Int32) -> String {
    switch signal {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "signal \(signal)"
    }
  }

  /// Those that mean something to this process: what `nohup` or a shell had it ignore stays
  /// ignored.
  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals where !isIgnored(signal) { sigaddset(&set, signal) }
    return set
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    let handler = action.__sigaction_handler.sa_handler
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
