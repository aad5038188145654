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
      button: ("Cut", "The connection breaks; new ones are refused until Heal"),
      effect:
        "the connection breaks, what is under way in either direction is lost, and new connections "
        + "are refused until `network.heal`"),
    .drop: Row(
      .network, "drop", .client(), family: "close", .mustTakeEffect, lot: (nil, 2),
      button: ("Drop", "The connection breaks; the client can connect again"),
      effect:
        "the connection breaks, what is under way is lost, but the client can connect again at once"
    ),
    .heal: Row(
      .network, "heal", .client(), family: "network",
      button: ("Heal", "New connections work again, and what was stalled goes on"),
      effect: "connections succeed again, and what was stalled goes on"),
    .refuse: Row(
      .network, "refuse", .client(), family: "network", lot: (nil, 1),
      button: ("Refuse", "New connections are refused until Heal; the open one stays"),
      effect: "new connections are refused; the open one stays"),
    .latency: Row(
      .network, "latency", .latency, lot: (nil, 1),
      button: ("Set latency", "Messages sent from now on take so long, each way"),
      effect:
        "from now on, for all; `{alice: 5ms}` for one client, `{latency: 50ms, when: …}` for all "
        + "where it waits for something"),
    .halfOpen: Row(
      .network, "half-open", .client([.notices]), [.mustTakeEffect, .dependsOnTraffic],
      lot: (nil, 1), button: ("Half-open", "Nothing gets through the open connection any more"),
      effect:
        "nothing gets through the open connection any more, for ever, and what is under way is "
        + "lost. `notices` names who sees it at once: `nobody` (the default), `client` or "
        + "`server`; the server finds out after 60 s of silence, the client by itself (CON-19)"),
    .stall: Row(
      .network, "stall", .client([.direction]), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 2),
      button: ("Stall", "What arrives from now on waits, in order"),
      effect:
        "what arrives from now on waits, in order: messages, requests for a connection and the end "
        + "of one. `direction` is `to-server`, `to-client` or `both`, which is the default"),
    .resume: Row(
      .network, "resume", .client([.direction]), family: "stall", .dependsOnTraffic,
      button: ("Resume", "What waited arrives now"),
      effect: "what waited arrives, in order, at this instant"),
    .closeAfter: Row(
      .network, "close-after", .client([.messages, .direction]), family: "close",
      [.mustTakeEffect, .dependsOnTraffic, .waits], lot: (nil, 2),
      button: ("Close after", "The connection breaks when so many more messages were delivered"),
      effect: "the open connection breaks when that many more messages were delivered"),
    .loseAcknowledgement: Row(
      .network, "lose-acknowledgement", .client(), name: "lost-acknowledgement", family: "close",
      [.mustTakeEffect, .dependsOnTraffic, .waits], lot: ("lost-acknowledgement", 2),
      button: (
        "Lose the next answer",
        "The next write is done, and the connection breaks before its answer"
      ),
      effect:
        "the server carries out the next write that it accepts from the client, and the connection "
        + "breaks before the answer arrives"),
    .lateClose: Row(
      .network, "late-close", .client([.after]), family: "close",
      [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1),
      button: ("Close late", "The client sees the end now, the server so much later"),
      effect:
        "the client sees its connection close now and can connect again, the server only then; "
        + "what is under way is lost"),
    .redirect: Row(
      .server, "redirect", .everyone([.host]), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1),
      effect:
        "the server redirects one client, or each, to this host, where it is served from then on. "
        + "The client has to close the connection"),
    .shutdown: Row(
      .server, "shutdown", .everyone(), [.mustTakeEffect, .dependsOnTraffic], lot: (nil, 1),
      button: ("Send away", "The server sends the client away for good"),
      effect: "the server sends one client, or each, away for good"),
    .kill: Row(
      .process, "kill", .process(), family: "process", .mustTakeEffect, live: .ownProcess,
      lot: (nil, 2),
      effect: "ends the client's process; see below"),
    .start: Row(
      .process, "start", .process([.storage]), family: "process", live: .ownProcess, topic: .none,
      effect: "starts a new process of a client that was killed"),
    .skew: .clock(
      "skew", .shift, lot: (nil, 1),
      effect:
        "from now on the clock shows that much more than the time of the run, or less: `-15m`. "
        + "`{skew: 0ms}` corrects it"),
    .drift: .clock(
      "drift", .gain,
      effect: "from now on the clock gains that much in each second, or loses it"),
    .jump: .clock(
      "jump", .shift,
      effect: "the clock is set back, or forward, by that much"),
    .serverClock: Row(
      .server, "clock", .server([.skew]), name: "server-skew", family: "server clock",
      [.mustTakeEffect, .dependsOnTraffic], lot: ("server-clock", 1),
      effect:
        "from now on the server's clock shows that much more than the time of the run, or less"),
    .writeError: .storage(
      "write-error", "write", [.times],
      effect:
        "the next text that the client stores, or the next so many, are not stored; what was there "
        + "stays"),
    .storageFull: .storage(
      "storage-full", "full", [.at],
      effect: "what would make all stored texts together longer than `at` (such as `1KB`; nothing "
        + "without it) is not stored"),
    .tornRecord: .storage(
      "torn-record", "torn",
      effect: "the next process finds the text that was stored last cut in half"),
    .storageWorks: .storage(
      "storage-works", "nothing",
      effect: "everything is stored again"),
    .reject: Row(
      .server, "reject", .rule, name: "deny", lot: (nil, 1),
      effect:
        "access is refused from now on, `unless?` as in `security`; listens that are in place stay"),
    .revoke: Row(
      .server, "revoke", .path, lot: (nil, 1),
      effect: "reading is refused there and below from now on, and all listens end"),
    .revokeAuth: Row(
      .server, "revoke-auth", .client(), name: "revoke-credential", lot: (nil, 2),
      effect:
        "the token with which the client has signed in becomes invalid, if the client is connected"),
    .stale: Row(
      .server, "stale", .server([.writes, .data]), name: "stale-hash",
      [.mustTakeEffect, .dependsOnTraffic], lot: ("stale-hash", 1), topic: .other("stale-hash"),
      effect:
        "the next conditional write, or the next so many, are refused with `datastale`, whatever "
        + "they are based on; with `data: sent` the server sends the present data before; by "
        + "default it does not (`withheld`); `writes: 0` ends it"),
    .restart: Row(
      .server, "restart", .server([.down, .onDisconnects]), [.mustTakeEffect, .dependsOnTraffic],
      lot: (nil, 1),
      button: (
        "Restart the server",
        "Every connection breaks, and no client can connect for a while; the data stay"
      ),
      effect:
        "every connection breaks, what is under way is lost, and for `down` (no time without it) "
        + "no client can connect; the data stay. The on-disconnect operations of clients are "
        + "`done` (the default) or `lost`"),
    .write: Row(
      .server, "write", .write, family: "server write", topic: .none,
      effect: "a write of another client, directly at the server"),
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
    _ name: String, _ field: FaultKind.Field, lot: (String?, Int)? = nil, effect: String
  ) -> Self {
    Self(
      .process, "clock", .process([field], word: name), name: name,
      [.mustTakeEffect, .dependsOnTraffic], live: .ownClock, lot: lot, effect: effect)
  }

  fileprivate static func storage(
    _ name: String, _ word: String, _ fields: [FaultKind.Field] = [], effect: String
  ) -> Self {
    Self(
      .process, "storage", .process(fields, word: word), name: name,
      [.mustTakeEffect, .dependsOnTraffic], live: .ownStorage, effect: effect)
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
  /// The kinds that have steps of a group, in the order in which messages list them.
  public static func steps(of group: Group) -> [FaultKind] {
    switch group {
    case .network:
      [
        .cut, .drop, .heal, .refuse, .latency, .stall, .resume, .halfOpen, .closeAfter,
        .loseAcknowledgement, .lateClose,
      ]
    case .server:
      [.reject, .revoke, .revokeAuth, .restart, .redirect, .shutdown, .serverClock, .stale]
    case .process: allCases.filter { $0.group == group }
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

extension FaultKind {
  /// Whose step it is, and the word before the dot.
  public enum Group: String, Hashable, Sendable {
    case network
    case server
    /// Of the process or the machine of a client: its name stands before the dot.
    case process = "CLIENT"
  }

  /// What a fault states besides its client, under a key of its own.
  public enum Field: String, Hashable, Sendable {
    case notices
    case direction
    case messages
    case after
    case host
    case down
    case onDisconnects = "on-disconnects"
    case skew
    case writes
    case data
    /// What a new process finds of what was stored.
    case storage
    /// By how much a clock is moved, under the word of the fault.
    case shift
    /// What a clock gains, under the word of the fault.
    case gain
    case times
    /// A number of bytes.
    case at
  }

  /// How a step states a fault of this kind.
  public enum Form: Hashable, Sendable {
    /// `VERB: CLIENT`, or a mapping with the client and these fields.
    case client([Field] = [])
    /// `VERB: CLIENT`, or a mapping with the client and these fields; without a client it is a fault
    /// of each client.
    case everyone([Field] = [])
    /// A mapping with these fields.
    case server([Field])
    case latency
    case rule
    case path
    case write
    /// `CLIENT.VERB`, with these fields. Several faults can share the verb: the word distinguishes
    /// them.
    case process([Field] = [], word: String? = nil)

    /// What is stated besides the client.
    public var fields: [Field] {
      switch self {
      case let .client(fields), let .everyone(fields), let .server(fields), let .process(fields, _):
        fields
      case .latency, .rule, .path, .write: []
      }
    }
  }

  /// What holds of every fault of a kind.
  public struct Traits: OptionSet, Sendable {
    /// One bit for each trait: the sum of the raw values of those that hold.
    public let rawValue: Int
    /// Takes the bits as they are; those that stand for no trait have no effect.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A scenario in which it changes nothing shows nothing: its run is vacuous.
    public static let mustTakeEffect = Traits(rawValue: 1)
    /// What it does depends on which messages there are, or ends with the connection.
    public static let dependsOnTraffic = Traits(rawValue: 2)
    /// It waits for messages even where it has no trigger.
    public static let waits = Traits(rawValue: 4)
  }

  /// Whether a fault can happen between real clients and a live server.
  public enum LiveSupport: Hashable, Sendable {
    case possible
    /// No: it is about something that a live client has for itself.
    case ownProcess
    case ownClock
    case ownStorage
  }

  /// How often hunts draw a fault.
  public struct Lot: Hashable, Sendable {
    /// What reports of hunts call it; several kinds can be drawn under one name.
    public let name: String
    /// How often it is drawn, relative to the weights of everything else that a hunt can draw.
    public let weight: Int
  }

  /// A button of the live page: what is written on it, and what it says when pointed at.
  public struct Button: Hashable, Sendable {
    /// What is written on the button.
    public let label: String
    /// What the button shows when it is pointed at: what the fault does.
    public let title: String
  }

  /// A row of the table.
  struct Row {
    let group: Group
    let verb: String
    let form: Form
    var name: String
    var topic: String?
    var family: String
    var traits: Traits
    var live = LiveSupport.possible
    var lot: Lot?
    var button: Button?
    /// What happens, in Markdown; a clause without a full stop.
    let effect: String

    /// A row in which the verb is the name, the family and the topic unless something else is said.
    init(
      _ group: Group, _ verb: String, _ form: Form, name: String? = nil, family: String? = nil,
      _ traits: Traits = [], live: LiveSupport = .possible, lot: (String?, Int)? = nil,
      button: (String, String)? = nil, topic: Topic = .verb, effect: String
    ) {
      self.group = group
      self.verb = verb
      self.form = form
      self.name = name ?? verb
      self.family = family ?? verb
      self.traits = traits
      self.live = live
      self.lot = lot.map { Lot(name: $0 ?? verb, weight: $1) }
      self.button = button.map { Button(label: $0, title: $1) }
      self.effect = effect
      let prefix = group == .process ? "" : group.rawValue + "."
      switch topic {
      case .verb: self.topic = prefix + verb
      case let .other(text): self.topic = prefix + text
      case .none: self.topic = nil
      }
    }

    /// Where the pages about event order list it.
    enum Topic {
      case verb
      case other(String)
      case none
    }
  }
}

// What the table contains.

extension FaultKind {
  /// Whether the step belongs to the network, to the server or to a client.
  public var group: Group { row.group }
  /// The step as files have it: `network.half-open`; `CLIENT` stands for a client.
  public var step: String { group.rawValue + "." + verb }
  /// The word behind the dot of the step.
  public var verb: String { row.verb }
  /// How the step is written, and which fields it has besides the client.
  public var form: Form { row.form }
  /// What distinguishes it from others with its verb: `skew` of `CLIENT.clock: {skew: 500ms}`; `nil`
  /// where the verb says everything.
  public var word: String? { if case let .process(_, word) = form { word } else { nil } }
  /// What marks, coverage and reports call it: `half-open`.
  public var name: String { row.name }
  /// Under which heading the pages about event order list it; `nil` for what is no fault.
  public var topic: String? { row.topic }
  /// What goes together, so that all of it can be left out at once.
  public var family: String { row.family }
  /// What holds of every fault of this kind, whatever it states.
  public var traits: Traits { row.traits }
  /// Whether a live server can let it happen or, if not, what of a real client stands against it.
  public var live: LiveSupport { row.live }
  /// `nil` for what hunts do not draw by itself.
  public var lot: Lot? { row.lot }
  /// How the live page offers it; `nil` for kinds without a button.
  public var button: Button? { row.button }
  /// What happens, in Markdown; a clause without a full stop.
  package var effect: String { row.effect }

  /// The name of every kind of fault, in the order of the documentation. `write` is none of them.
  public static let names = allCases.filter { $0 != .write }.map(\.name)
}
