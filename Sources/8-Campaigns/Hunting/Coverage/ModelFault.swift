internal import Faults
internal import Trace

/// What was done to a client, or to the server, last.
enum ModelFault: Int {
  case none, latency, stall, cut, broken, lostAcknowledgement, process, clock, serverClock, storage
  case denial, stale, sentAway, restart, armed

  /// What an event of the trace about a fault means.
  ///
  /// - Returns: `nil` for what is no fault by itself.
  init?(_ incident: Incident) {
    if case .armed = incident {
      self = .armed
      return
    }
    switch incident.fault?.kind {
    case .heal, .resume, .storageWorks: self = .none
    case .latency: self = .latency
    case .stall: self = .stall
    case .cut, .refuse: self = .cut
    case .loseAcknowledgement: self = .lostAcknowledgement
    case .redirect, .shutdown: self = .sentAway
    case .skew, .drift, .jump: self = .clock
    case .serverClock: self = .serverClock
    case .writeError, .storageFull, .tornRecord: self = .storage
    case .reject, .revoke, .revokeAuth: self = .denial
    case .stale: self = .stale
    case .restart: self = .restart
    // They are inputs of the client, or writes at the server.
    case nil, .kill, .start, .write: return nil
    // The others end a connection, now or later.
    default: self = .broken
    }
  }

  /// Whether a new connection is the end of it.
  var endsWithHello: Bool {
    [.broken, .lostAcknowledgement, .process, .sentAway, .restart].contains(self)
  }

  /// Whether it concerns everyone.
  var isOfServer: Bool {
    [.serverClock, .denial, .stale, .restart].contains(self)
  }
}
