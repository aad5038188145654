internal import ClientInterface

// The one table of faults: a new one gets its case and its row here.

/// The kinds of faults, in the order of the documentation.
public enum FaultKind: Int, CaseIterable, Hashable, Sendable {
  case cut, drop, heal, refuse, latency, halfOpen, stall, resume, closeAfter
  case loseAcknowledgement, lateClose, redirect, shutdown
  case kill, start, skew, drift, jump, serverClock
  case writeError, storageFull, tornRecord, storageWorks
  case reject, revoke, revokeAuth, stale, restart
  /// No fault, but it can wait for a trigger as one.
  case write
}

extension FaultKind {
  /// The row of each kind, in the order of the documentation.
  private static let table: [FaultKind: Row] = [
    .cut: Row(
      .network, "cut", .client(), family: "network", .mustTakeEffect, lot: (nil, 3),
      button: ("Cut", "The connection breaks; new ones are refused until Heal")),
    .drop: Row(
      .network, "drop", .client(), family: "close", .mustTakeEffect, lot: (nil, 2),
      button: ("Drop", "The connection breaks; the client can connect again")),
    .heal: Row(
      .network, "heal", .client(), family: "network",
      button: ("Heal", "New connections work again, and what was stalled goes on")),
    .refuse: Row(
      .network, "refuse", .client(), family: "network", lot: (nil, 1),
      button: ("Refuse", "New connections are refused until Heal; the open one stays")),
    .latency: Row(
      .network, "latency", .latency, lot: (nil, 1),
      button: ("Set", "Messages sent from now on take so long, each way")),
    .halfOpen: Row(
      .network, "half-open", .client([.notices]), [.mustTakeEffect, .dependsOnTraffic],
      lot: (nil, 1), button: ("Half-open", "Nothing gets through the open connection any more")),
    .stall: Row(
      .network, "stall", .client([.direction]), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 2),
      button: ("Stall", "What arrives from now on waits, in order")),
    .resume: Row(
      .network, "resume", .client([.direction]), family: "stall", .dependsOnTraffic,
      button: ("Resume", "What waited arrives now")),
    .closeAfter: Row(
      .network, "close-after", .client([.messages, .direction]), family: "close",
      [.mustTakeEffect, .dependsOnTraffic, .waits], lot: (nil, 2),
      button: ("Close after", "The connection breaks when so many more messages were delivered")),
    .loseAcknowledgement: Row(
      .network, "lose-acknowledgement", .client(), name: "lost-acknowledgement", family: "close",
      [.mustTakeEffect, .dependsOnTraffic, .waits], lot: ("lost-acknowledgement", 2),
      button: (
        "Lose the next answer",
        "The next write is done, and the connection breaks before its answer"
      )),
    .lateClose: Row(
      .network, "late-close", .client([.after]), family: "close",
      [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1),
      button: ("Close late", "The client sees the end now, the server so much later")),
    .redirect: Row(
      .server, "redirect", .everyone([.host]), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1)),
    .shutdown: Row(
      .server, "shutdown", .everyone(), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1),
      button: ("Send away", "The server sends the client away for good")),
    .kill: Row(
      .process, "kill", .process(), family: "process", .mustTakeEffect, live: .ownProcess,
      lot: (nil, 2)),
    .start: Row(
      .process, "start", .process([.storage]), family: "process", live: .ownProcess, topic: .none),
    .skew: .clock("skew", .shift, lot: (nil, 1)),
    .drift: .clock("drift", .gain),
    .jump: .clock("jump", .shift),
    .serverClock: Row(
      .server, "clock", .server([.skew]), name: "server-skew", family: "server clock",
      [.mustTakeEffect, .dependsOnTraffic], lot: ("server-clock", 1)),
    .writeError: .storage("write-error", "write", [.times]),
    .storageFull: .storage("storage-full", "full", [.at]),
    .tornRecord: .storage("torn-record", "torn"),
    .storageWorks: .storage("storage-works", "nothing"),
    .reject: Row(.server, "reject", .rule, name: "deny", lot: (nil, 1)),
    .revoke: Row(.server, "revoke", .path, lot: (nil, 1)),
    .revokeAuth: Row(.server, "revoke-auth", .client(), name: "revoke-credential", lot: (nil, 2)),
    .stale: Row(
      .server, "stale", .server([.writes, .data]), name: "stale-hash",
      [.mustTakeEffect, .dependsOnTraffic], lot: ("stale-hash", 1), topic: .other("stale-hash")),
    .restart: Row(
      .server, "restart", .server([.down, .onDisconnects]), [.mustTakeEffect, .dependsOnTraffic],
      lot: (nil, 1),
      button: (
        "Restart the server",
        "Every connection breaks, and no client can connect for a while; the data stay"
      )),
    .write: Row(.server, "write", .write, family: "server write", topic: .none),
  ]

  /// In the order of the kinds.
  private static let rows = allCases.map { kind in
    guard let row = table[kind] else {
      preconditionFailure("the table of faults has no row for \(kind)")
    }
    return row
  }

  var row: Row { Self.rows[rawValue] }
}

extension FaultKind.Row {
  fileprivate static func clock(
    _ name: String, _ field: FaultKind.Field, lot: (String?, Int)? = nil
  ) -> Self {
    Self(
      .process, "clock", .process([field], word: name), name: name,
      [.mustTakeEffect, .dependsOnTraffic], live: .ownClock, lot: lot)
  }

  fileprivate static func storage(
    _ name: String, _ word: String, _ fields: [FaultKind.Field] = []
  ) -> Self {
    Self(
      .process, "storage", .process(fields, word: word), name: name,
      [.mustTakeEffect, .dependsOnTraffic], live: .ownStorage)
  }
}

extension FaultKind {
  /// What the network does with new connections of the client from then on; `nil` for what changes
  /// nothing about them.
  package var access: ClientNetwork.Access? {
    switch self {
    case .cut: .cut
    case .refuse: .refusing
    case .heal: .up
    default: nil
    }
  }
}

// Orders that are not that of the documentation.

extension FaultKind {
  /// The kinds that have steps of the network or the server, in the order in which messages list
  /// them.
  public static func steps(of group: Group) -> [FaultKind] {
    switch group {
    case .network:
      [
        .cut, .drop, .heal, .refuse, .latency, .stall, .resume, .halfOpen, .closeAfter,
        .loseAcknowledgement, .lateClose,
      ]
    case .server:
      [.reject, .revoke, .revokeAuth, .restart, .redirect, .shutdown, .serverClock, .stale]
    case .process: []
    }
  }

  /// What hunts draw, in the order of the draws: a new one comes last, or old seeds change.
  public static let drawn: [FaultKind] = [
    .reject, .revoke, .revokeAuth, .cut, .drop, .refuse, .latency, .stall, .halfOpen, .closeAfter,
    .loseAcknowledgement, .lateClose, .redirect, .shutdown, .restart, .stale, .serverClock, .skew,
    .kill,
  ]

  /// The rows of buttons of the live page, each with what its faults state.
  public static let buttons: [[FaultKind]] = [
    [.cut, .drop, .refuse, .heal], [.latency], [.stall, .resume], [.halfOpen],
    [.closeAfter, .loseAcknowledgement], [.lateClose], [.restart, .shutdown],
  ]

  /// What sweeps try at every moment for one client, each with what it states and what undoes it.
  public static func candidates<Client>(
    of client: Client
  ) -> [(fault: Fault<Client>, repair: Fault<Client>?)] {
    [
      (.cut(client), .heal(client)), (.drop(client), nil), (.loseAcknowledgement(client), nil),
      (.lateClose(client, after: .milliseconds(50)), nil),
      (.stall(client, .both), .resume(client, .both)),
      (.halfOpen(client, notices: .client), nil),
    ]
  }

  /// What sweeps try at every moment for the server.
  public static func serverCandidates<Client>() -> [Fault<Client>] {
    [.restart(down: .milliseconds(100), .done), .stale(writes: 1, .sent)]
  }
}
