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
  /// In the order of the kinds.
  private static let rows = allCases.map { kind in
    guard let row = kind.networkRow ?? kind.machineRow ?? kind.serverRow else {
      preconditionFailure("the table of faults has no row for \(kind)")
    }
    return row
  }

  var row: Row { Self.rows[rawValue] }

  private var networkRow: Row? {
    switch self {
    case .cut:
      Row(
        .network, "cut", .client(), family: "network", .mustTakeEffect, lot: (nil, 3),
        button: ("Cut", "The connection breaks; new ones are refused until Heal"))
    case .drop:
      Row(
        .network, "drop", .client(), family: "close", .mustTakeEffect, lot: (nil, 2),
        button: ("Drop", "The connection breaks; the client can connect again"))
    case .heal:
      Row(
        .network, "heal", .client(), family: "network",
        button: ("Heal", "New connections work again, and what was stalled goes on"))
    case .refuse:
      Row(
        .network, "refuse", .client(), family: "network", lot: (nil, 1),
        button: ("Refuse", "New connections are refused until Heal; the open one stays"))
    case .latency:
      Row(
        .network, "latency", .latency, lot: (nil, 1),
        button: ("Set", "Messages sent from now on take so long, each way"))
    case .halfOpen:
      Row(
        .network, "half-open", .client([.notices]), [.mustTakeEffect, .dependsOnTraffic],
        lot: (nil, 1),
        button: ("Half-open", "Nothing gets through the open connection any more"))
    case .stall, .resume, .closeAfter, .loseAcknowledgement, .lateClose: trafficRow
    case .kill, .start, .skew, .drift, .jump, .writeError, .storageFull, .tornRecord,
      .storageWorks, .redirect, .shutdown, .serverClock, .reject, .revoke, .revokeAuth, .stale,
      .restart, .write:
      nil
    }
  }

  private var trafficRow: Row? {
    switch self {
    case .stall:
      Row(
        .network, "stall", .client([.direction]), [.mustTakeEffect, .dependsOnTraffic],
        lot: (nil, 2),
        button: ("Stall", "What arrives from now on waits, in order"))
    case .resume:
      Row(
        .network, "resume", .client([.direction]), family: "stall", .dependsOnTraffic,
        button: ("Resume", "What waited arrives now"))
    case .closeAfter:
      Row(
        .network, "close-after", .client([.messages, .direction]), family: "close",
        [.mustTakeEffect, .dependsOnTraffic, .waits], lot: (nil, 2),
        button: ("Close after", "The connection breaks when so many more messages were delivered"))
    case .loseAcknowledgement:
      Row(
        .network, "lose-acknowledgement", .client(), name: "lost-acknowledgement", family: "close",
        [.mustTakeEffect, .dependsOnTraffic, .waits], lot: ("lost-acknowledgement", 2),
        button: (
          "Lose the next answer",
          "The next write is done, and the connection breaks before its answer"
        ))
    case .lateClose:
      Row(
        .network, "late-close", .client([.after]), family: "close",
        [.mustTakeEffect, .dependsOnTraffic],
        lot: (nil, 1),
        button: ("Close late", "The client sees the end now, the server so much later"))
    case .cut, .drop, .heal, .refuse, .latency, .halfOpen, .kill, .start, .skew, .drift,
      .jump, .writeError, .storageFull, .tornRecord, .storageWorks, .redirect, .shutdown,
      .serverClock, .reject, .revoke, .revokeAuth, .stale, .restart, .write:
      nil
    }
  }

  private var machineRow: Row? {
    switch self {
    case .kill:
      Row(
        .process, "kill", .process(), family: "process", .mustTakeEffect, live: .ownProcess,
        lot: (nil, 2))
    case .start:
      Row(
        .process, "start", .process([.storage]), family: "process", live: .ownProcess, topic: .none)
    case .skew: clockRow("skew", .shift, lot: (nil, 1))
    case .drift: clockRow("drift", .gain)
    case .jump: clockRow("jump", .shift)
    case .writeError: storageRow("write-error", "write", [.times])
    case .storageFull: storageRow("storage-full", "full", [.at])
    case .tornRecord: storageRow("torn-record", "torn")
    case .storageWorks: storageRow("storage-works", "nothing")
    case .cut, .drop, .heal, .refuse, .latency, .halfOpen, .stall, .resume, .closeAfter,
      .loseAcknowledgement, .lateClose, .redirect, .shutdown, .serverClock, .reject, .revoke,
      .revokeAuth, .stale, .restart, .write:
      nil
    }
  }

  private func clockRow(_ name: String, _ field: Field, lot: (String?, Int)? = nil) -> Row {
    Row(
      .process, "clock", .process([field], word: name), name: name,
      [.mustTakeEffect, .dependsOnTraffic], live: .ownClock, lot: lot)
  }

  private func storageRow(_ name: String, _ word: String, _ fields: [Field] = []) -> Row {
    Row(
      .process, "storage", .process(fields, word: word), name: name,
      [.mustTakeEffect, .dependsOnTraffic], live: .ownStorage)
  }

  private var serverRow: Row? {
    switch self {
    case .redirect:
      Row(
        .server, "redirect", .everyone([.host]), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1)
      )
    case .shutdown:
      Row(
        .server, "shutdown", .everyone(), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1),
        button: ("Send away", "The server sends the client away for good"))
    case .serverClock:
      Row(
        .server, "clock", .server([.skew]), name: "server-skew", family: "server clock",
        [.mustTakeEffect, .dependsOnTraffic], lot: ("server-clock", 1))
    case .reject:
      Row(.server, "reject", .rule, name: "deny", lot: (nil, 1))
    case .revoke: Row(.server, "revoke", .path, lot: (nil, 1))
    case .revokeAuth:
      Row(.server, "revoke-auth", .client(), name: "revoke-credential", lot: (nil, 2))
    case .stale:
      Row(
        .server, "stale", .server([.writes, .data]), name: "stale-hash",
        [.mustTakeEffect, .dependsOnTraffic],
        lot: ("stale-hash", 1), topic: .other("stale-hash"))
    case .restart:
      Row(
        .server, "restart", .server([.down, .onDisconnects]), [.mustTakeEffect, .dependsOnTraffic],
        lot: (nil, 1),
        button: (
          "Restart the server",
          "Every connection breaks, and no client can connect for a while; the data stay"
        ))
    case .write:
      Row(.server, "write", .write, family: "server write", topic: .none)
    case .cut, .drop, .heal, .refuse, .latency, .halfOpen, .stall, .resume, .closeAfter,
      .loseAcknowledgement, .lateClose, .kill, .start, .skew, .drift, .jump, .writeError,
      .storageFull, .tornRecord, .storageWorks:
      nil
    }
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

// What faults do, in words.

extension FaultKind {
  /// What happens, in Markdown; a clause without a full stop.
  package var effect: String {
    guard let effect = Self.effects[self] else {
      preconditionFailure("the table of effects has no row for \(self)")
    }
    return effect
  }

  private static let effects: [FaultKind: String] = [
    .cut:
      "the connection breaks, what is under way in either direction is lost, and new connections "
      + "are refused until `network.heal`",
    .drop:
      "the connection breaks, what is under way is lost, but the client can connect again at once",
    .refuse: "new connections are refused; the open one stays",
    .heal: "connections succeed again, and what was stalled goes on",
    .latency:
      "from now on, for all; `{alice: 5ms}` for one client, `{latency: 50ms, when: …}` for all "
      + "where it waits for something",
    .stall:
      "what arrives from now on waits, in order: messages, requests for a connection and the end "
      + "of one. `direction` is `to-server`, `to-client` or `both`, which is the default",
    .resume: "what waited arrives, in order, at this instant",
    .halfOpen:
      "nothing gets through the open connection any more, for ever, and what is under way is "
      + "lost. `notices` names who sees it at once: `nobody` (the default), `client` or "
      + "`server`; the server finds out after 60 s of silence, the client by itself (CON-19)",
    .closeAfter: "the open connection breaks when that many more messages were delivered",
    .loseAcknowledgement:
      "the server carries out the next write that it accepts from the client, and the connection "
      + "breaks before the answer arrives",
    .lateClose:
      "the client sees its connection close now and can connect again, the server only then; "
      + "what is under way is lost",
    .kill: "ends the client's process; see below",
    .start: "starts a new process of a client that was killed",
    .skew:
      "from now on the clock shows that much more than the time of the run, or less: `-15m`. "
      + "`{skew: 0ms}` corrects it",
    .jump: "the clock is set back, or forward, by that much",
    .drift: "from now on the clock gains that much in each second, or loses it",
    .writeError:
      "the next text that the client stores, or the next so many, are not stored; what was there "
      + "stays",
    .storageFull:
      "what would make all stored texts together longer than `at` (such as `1KB`; nothing "
      + "without it) is not stored",
    .tornRecord: "the next process finds the text that was stored last cut in half",
    .storageWorks: "everything is stored again",
    .reject:
      "access is refused from now on, `unless?` as in `security`; listens that are in place stay",
    .revoke: "reading is refused there and below from now on, and all listens end",
    .revokeAuth:
      "the token with which the client has signed in becomes invalid, if the client is connected",
    .restart:
      "every connection breaks, what is under way is lost, and for `down` (no time without it) "
      + "no client can connect; the data stay. The on-disconnect operations of clients are "
      + "`done` (the default) or `lost`",
    .redirect:
      "the server redirects one client, or each, to this host, where it is served from then on. "
      + "The client has to close the connection",
    .shutdown: "the server sends one client, or each, away for good",
    .serverClock:
      "from now on the server's clock shows that much more than the time of the run, or less",
    .stale:
      "the next conditional write, or the next so many, are refused with `datastale`, whatever "
      + "they are based on; with `data: sent` the server sends the present data before; by "
      + "default it does not (`withheld`); `writes: 0` ends it",
    .write: "a write of another client, directly at the server",
  ]
}
