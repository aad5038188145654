/// What was done to a client, or to the server, last.
enum ModelFault: Int {
  case none, latency, stall, cut, broken, lostAcknowledgement, process, clock, serverClock, storage
  case denial, stale, sentAway, restart, armed

  /// What a line of the trace about a fault means.
  ///
  /// - Returns: `nil` for what is no fault by itself.
  init?(text: String) {
    guard let word = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).first,
      let found = Self.words[String(decoding: word, as: UTF8.self)]
    else { return nil }
    self = found
    if text == "storage works" { self = .none }
    if found == .clock, text.hasPrefix("clock of the server") { self = .serverClock }
  }

  /// Whether a new connection is the end of it.
  var endsWithHello: Bool {
    switch self {
    case .broken, .lostAcknowledgement, .process, .sentAway, .restart: true
    case .none, .latency, .stall, .cut, .clock, .serverClock, .storage, .denial, .stale, .armed:
      false
    }
  }

  /// Whether it concerns everyone.
  var isOfServer: Bool {
    self == .serverClock || self == .denial || self == .stale || self == .restart
  }

  /// The first words of faults, as a trace has them.
  private static let words: [String: ModelFault] = [
    "latency": .latency, "half-open,": .broken, "stall": .stall, "resume": .none,
    "close": .broken, "lost": .lostAcknowledgement, "late": .broken, "redirect": .sentAway,
    "shutdown:": .sentAway, "clock": .clock, "write": .storage, "storage": .storage,
    "torn": .storage, "deny": .denial, "revoke": .denial, "stale": .stale, "restart,": .restart,
    "cut": .cut, "drop": .broken, "heal": .none, "refuse": .cut, "armed:": .armed,
  ]
}
