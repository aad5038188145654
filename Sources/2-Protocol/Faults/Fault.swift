public import ClientInterface
public import Tree

/// Something that goes wrong in a run, or recovers.
///
/// Plain data: a run with the same faults at the same moments is the same run. What each of them
/// means is described in Specs/faults.md; what is known of each kind stands in the table of
/// `FaultKind`. Scenarios call clients by their names, runs by their indices.
public enum Fault<Client: Hashable & Sendable>: Hashable, Sendable {
  // MARK: Connection

  /// The connection breaks, what is in flight is lost, both ends see it at once, and new
  /// connections are refused until `heal`.
  case cut(Client)
  /// As `cut`, but the client can connect again at once.
  case drop(Client)
  /// New connections work again, and what was stalled goes on.
  case heal(Client)
  /// New connections are refused until `heal`; the one that is open stays.
  case refuse(Client)
  /// Messages sent from now on take this long; without a client, those of everyone.
  case latency(Latency, Client?)
  /// Nothing gets through the open connection any more, in either direction and for ever.
  case halfOpen(Client, notices: FaultSide)
  /// What arrives from now on waits, in order, until `resume`: messages, requests for a connection
  /// and the end of one.
  case stall(Client, FaultDirection)
  case resume(Client, FaultDirection)
  /// As `drop`, when this many more messages have been delivered.
  case closeAfter(Client, messages: Int, FaultDirection)
  /// The server does the next write that it accepts from this client, and the connection drops
  /// before the answer arrives.
  case loseAcknowledgement(Client)
  /// The client sees the connection close now, the server only after the interval.
  case lateClose(Client, after: Interval)
  /// The server sends the client, or every client, to another host, where it is served from now on
  /// (CON-15).
  case redirect(Client?, host: String)
  /// The server sends the client, or every client, away for good by itself (CON-18).
  case shutdown(Client?, reason: String = "server_kill")

  // MARK: Process

  case kill(Client)
  case start(Client, StorageCondition)

  // MARK: Clock

  /// The client's clock shows this much more than it should; zero sets it right.
  case skew(Client, Interval)
  /// The client's clock goes too fast, or too slowly, from now on.
  case drift(Client, ClockDrift)
  /// The client's clock is moved forwards, or back, by this much.
  case jump(Client, Interval)
  /// The server's clock shows this much more than it should; zero sets it right.
  case serverClock(skew: Interval)

  // MARK: Storage

  /// The next so many texts that the client stores are not stored. What was there stays.
  case writeError(Client, count: Int)
  /// What would make the stored texts longer than this many bytes together is not stored.
  case storageFull(Client, bytes: Int)
  /// The text that was stored last is cut in half when the next process starts.
  case tornRecord(Client)
  /// The storage takes everything again.
  case storageWorks(Client)

  // MARK: Server

  /// Access is refused from now on.
  case reject(SecurityRule)
  /// The listens at a path and below end.
  case revoke(Path)
  /// The token with which the client has signed in is not valid any more.
  case revokeAuth(Client)
  /// The next so many conditional writes are refused as stale, whatever their hash.
  case stale(writes: Int, StaleData)
  /// All connections break, with the loss of what is in flight, and none is accepted for the
  /// interval. The data stay.
  case restart(down: Interval, OnDisconnectFate)

  // MARK: Other clients

  /// Another client writes, directly at the server. No fault, but it can wait for a trigger as one.
  case write(ServerWrite)
}

/// A fault as scenarios have it: clients by their names.
public typealias NamedFault = Fault<String>

/// A fault in a run: clients by their indices.
public typealias IndexedFault = Fault<ClientIndex>

extension Fault {
  /// The fault in one line, without its client: `half-open, noticed by the client`.
  public var text: String { Words.printed(recordedText) }

  /// The words by which the hash of a trace knows the fault, and which traces of version 1 have.
  /// They never change: a fault that is to be printed in other words gets those in ``text``.
  package var recordedText: String {
    switch self {
    case let .latency(latency, _): "latency \(latency.text)"
    case let .halfOpen(_, side):
      "half-open, noticed by \(side == .neither ? "" : "the ")\(side.rawValue)"
    case let .stall(_, direction): "stall \(direction.text)"
    case let .resume(_, direction): "resume \(direction.text)"
    case let .closeAfter(_, count, direction): "close after \(count) messages \(direction.text)"
    case .loseAcknowledgement: "lost acknowledgement"
    case let .lateClose(_, interval): "late close, after \(interval.text)"
    case let .redirect(_, host): "redirect to \(host)"
    case let .shutdown(_, reason): "shutdown: \(reason)"
    case let .start(_, condition): "start, storage \(condition)"
    case let .skew(_, interval): "clock ahead by \(interval.text)"
    case let .drift(_, drift): "clock gains \(drift.gain) in \(drift.per)"
    case let .jump(_, interval): "clock jumps by \(interval.text)"
    case let .serverClock(interval): "clock of the server ahead by \(interval.text)"
    case let .writeError(_, count): "write error, \(count) times"
    case let .storageFull(_, bytes): "storage full at \(bytes) bytes"
    case .tornRecord: "torn record"
    case .storageWorks: "storage works"
    case let .reject(rule):
      "deny \(rule.denied.map(\.rawValue).joined(separator: ", ")) at \(rule.path)"
    case let .revoke(path): "revoke \(path)"
    case let .stale(count, data): "stale hash, \(count) times, new data \(data.rawValue)"
    case let .restart(down, fate): "restart, down for \(down.text), on-disconnects \(fate.text)"
    case .cut, .drop, .heal, .refuse, .kill, .revokeAuth, .write: kind.name
    }
  }
}

extension OnDisconnectFate {
  fileprivate var text: String { self == .done ? "carried out" : "lost" }
}

// MARK: - Fields

/// A fault as its kind and everything that a fault can state: what readers fill in, writers write
/// and maps go through. A fault has the fields that its kind names; the others have their defaults.
public struct FaultFields<Client: Hashable & Sendable>: Sendable {
  /// The client that the fault affects; `nil` for the server or everyone.
  public var client: Client?
  /// Of `latency`: how long messages take from now on, in one direction.
  public var latency = Latency.standard
  /// Of `halfOpen`: who sees at once that the connection is dead.
  public var notices = FaultSide.neither
  /// Of `stall`, `resume` and `closeAfter`: the direction of the messages concerned.
  public var direction = FaultDirection.both
  /// Of messages, writes or texts.
  public var count = 1
  /// Of `storageFull`: how many bytes all stored texts together may have.
  public var bytes = 0
  /// How long something takes, or how much a clock shows too much.
  public var interval = Interval.zero
  /// Of `redirect`: the host to which the server sends the client (CON-15).
  public var host = ""
  /// Of `shutdown`: the reason that the server gives the client (CON-18).
  public var reason = "server_kill"
  /// Of `start`: what the new process finds of what the old one stored.
  public var storage = StorageCondition.kept
  /// Of `drift`: how much the client's clock gains or loses from now on.
  public var drift = ClockDrift.none
  /// Of `reject`: what is denied from now on, where and to whom (ACC-8).
  public var rule = SecurityRule.nothing
  /// Of `revoke`: the location at and below which listens end.
  public var path = Path.root
  /// Of `stale`: whether the present data are sent before a write is refused.
  public var data = StaleData.withheld
  /// Of `restart`: whether pending on-disconnect operations are carried out or lost.
  public var fate = OnDisconnectFate.done
  /// Of `write`: what is written directly at the server.
  public var write = ServerWrite.remove(.root)

  /// Gives every field but the client its default; the fault is made with `Fault.init(_:_:)`.
  public init(client: Client? = nil) {
    self.client = client
  }

  /// The same fields, of another client.
  fileprivate func with<Other>(client: Other?) -> FaultFields<Other> {
    var other = FaultFields<Other>(client: client)
    other.latency = latency
    (other.notices, other.direction, other.count, other.bytes) = (notices, direction, count, bytes)
    (other.interval, other.host, other.reason, other.storage) = (interval, host, reason, storage)
    (other.drift, other.rule, other.path, other.data) = (drift, rule, path, data)
    (other.fate, other.write) = (fate, write)
    return other
  }
}

extension SecurityRule {
  fileprivate static let nothing = SecurityRule(.root, deny: [])
}

extension Fault {
  /// What kind of fault it is. Asked again and again, as the client is: not by way of the fields.
  @inlinable
  public var kind: FaultKind {
    switch self {
    case .cut: .cut
    case .drop: .drop
    case .heal: .heal
    case .refuse: .refuse
    case .latency: .latency
    case .halfOpen: .halfOpen
    case .stall: .stall
    case .resume: .resume
    case .closeAfter: .closeAfter
    case .loseAcknowledgement: .loseAcknowledgement
    case .lateClose: .lateClose
    case .redirect: .redirect
    case .shutdown: .shutdown
    case .kill: .kill
    case .start: .start
    case .skew: .skew
    case .drift: .drift
    case .jump: .jump
    case .serverClock: .serverClock
    case .writeError: .writeError
    case .storageFull: .storageFull
    case .tornRecord: .tornRecord
    case .storageWorks: .storageWorks
    case .reject: .reject
    case .revoke: .revoke
    case .revokeAuth: .revokeAuth
    case .stale: .stale
    case .restart: .restart
    case .write: .write
    }
  }

  /// The client that it affects, or `nil` for the server or everyone.
  @inlinable
  public var client: Client? {
    switch self {
    case let .cut(client), let .drop(client), let .heal(client), let .refuse(client),
      let .halfOpen(client, _), let .stall(client, _), let .resume(client, _),
      let .closeAfter(client, _, _), let .loseAcknowledgement(client), let .lateClose(client, _),
      let .kill(client), let .start(client, _), let .skew(client, _), let .drift(client, _),
      let .jump(client, _), let .writeError(client, _), let .storageFull(client, _),
      let .tornRecord(client), let .storageWorks(client), let .revokeAuth(client):
      client
    case let .latency(_, client), let .redirect(client, _), let .shutdown(client, _): client
    case .serverClock, .reject, .revoke, .stale, .restart, .write: nil
    }
  }

  // Generic code takes ten times as long.
  /// What kind of fault it is, and what it states.
  public var parts: (kind: FaultKind, fields: FaultFields<Client>) {
    @_specialize(where Client == String)
    @_specialize(where Client == ClientIndex)
    get {
      var fields = FaultFields(client: client)
      switch self {
      case let .latency(latency, _): fields.latency = latency
      case let .halfOpen(_, side): fields.notices = side
      case let .stall(_, direction), let .resume(_, direction): fields.direction = direction
      case let .closeAfter(_, count, direction):
        (fields.count, fields.direction) = (count, direction)
      case let .lateClose(_, interval), let .skew(_, interval), let .jump(_, interval),
        let .serverClock(interval):
        fields.interval = interval
      case let .redirect(_, host): fields.host = host
      case let .shutdown(_, reason): fields.reason = reason
      case let .start(_, storage): fields.storage = storage
      case let .drift(_, drift): fields.drift = drift
      case let .writeError(_, count): fields.count = count
      case let .storageFull(_, bytes): fields.bytes = bytes
      case let .reject(rule): fields.rule = rule
      case let .revoke(path): fields.path = path
      case let .stale(count, data): (fields.count, fields.data) = (count, data)
      case let .restart(down, fate): (fields.interval, fields.fate) = (down, fate)
      case let .write(write): fields.write = write
      case .cut, .drop, .heal, .refuse, .loseAcknowledgement, .kill, .tornRecord, .storageWorks,
        .revokeAuth:
        break
      }
      return (kind, fields)
    }
  }

  /// The fault of a kind with these fields; `nil` where the kind needs a client and there is none.
  public init?(_ kind: FaultKind, _ fields: FaultFields<Client>) {
    let client = fields.client
    let fault: Fault? =
      switch kind {
      case .cut: client.map { .cut($0) }
      case .drop: client.map { .drop($0) }
      case .heal: client.map { .heal($0) }
      case .refuse: client.map { .refuse($0) }
      case .latency: .latency(fields.latency, client)
      case .halfOpen: client.map { .halfOpen($0, notices: fields.notices) }
      case .stall: client.map { .stall($0, fields.direction) }
      case .resume: client.map { .resume($0, fields.direction) }
      case .closeAfter: client.map { .closeAfter($0, messages: fields.count, fields.direction) }
      case .loseAcknowledgement: client.map { .loseAcknowledgement($0) }
      case .lateClose: client.map { .lateClose($0, after: fields.interval) }
      case .redirect: .redirect(client, host: fields.host)
      case .shutdown: .shutdown(client, reason: fields.reason)
      case .kill: client.map { .kill($0) }
      case .start: client.map { .start($0, fields.storage) }
      case .skew: client.map { .skew($0, fields.interval) }
      case .drift: client.map { .drift($0, fields.drift) }
      case .jump: client.map { .jump($0, fields.interval) }
      case .serverClock: .serverClock(skew: fields.interval)
      case .writeError: client.map { .writeError($0, count: fields.count) }
      case .storageFull: client.map { .storageFull($0, bytes: fields.bytes) }
      case .tornRecord: client.map { .tornRecord($0) }
      case .storageWorks: client.map { .storageWorks($0) }
      case .reject: .reject(fields.rule)
      case .revoke: .revoke(fields.path)
      case .revokeAuth: client.map { .revokeAuth($0) }
      case .stale: .stale(writes: fields.count, fields.data)
      case .restart: .restart(down: fields.interval, fields.fate)
      case .write: .write(fields.write)
      }
    guard let fault else { return nil }
    self = fault
  }
}

// What asks about a fault without asking which it is.

extension Fault {
  /// The same fault, of another client or with other names of clients.
  public func mapping<Other, Failure: Error>(
    client: (Client) throws(Failure) -> Other
  ) throws(Failure) -> Fault<Other> {
    let (kind, fields) = parts
    let other = try fields.client.map(client)
    guard let mapped = Fault<Other>(kind, fields.with(client: other)) else {
      preconditionFailure("\(kind.name) lost its client")
    }
    return mapped
  }

  /// The same fault at another path.
  public func mapping<Failure: Error>(
    path: (Path) throws(Failure) -> Path, write: (ServerWrite) throws(Failure) -> ServerWrite
  ) throws(Failure) -> Fault {
    var (kind, fields) = parts
    switch kind.form {
    case .rule: fields.rule.path = try path(fields.rule.path)
    case .path: fields.path = try path(fields.path)
    case .write: fields.write = try write(fields.write)
    case .client, .everyone, .latency, .server, .process: return self
    }
    return Fault(kind, fields) ?? self
  }

  /// The path that it is about, if it is about one.
  public var path: Path? {
    if case let .reject(rule) = self { return rule.path }
    if case let .revoke(path) = self { return path }
    if case let .write(write) = self { return write.path }
    return nil
  }

  /// Whether it only ends what another fault began: a clock or a server that is set right.
  public var isRepair: Bool {
    switch self {
    case let .skew(_, interval), let .serverClock(interval): interval == .zero
    case let .stale(count, _): count == 0
    case let .drift(_, drift): drift.isNone
    case .storageWorks: true
    case .cut, .drop, .heal, .refuse, .latency, .halfOpen, .stall, .resume, .closeAfter,
      .loseAcknowledgement, .lateClose, .redirect, .shutdown, .kill, .start, .jump, .writeError,
      .storageFull, .tornRecord, .reject, .revoke, .revokeAuth, .restart, .write:
      false
    }
  }

  /// Whether a run in which it changes nothing is vacuous.
  ///
  /// What only repairs, or only holds from now on, may be there to be safe.
  public var mustTakeEffect: Bool { kind.traits.contains(.mustTakeEffect) && !isRepair }

  /// How long it keeps a run waiting at least.
  public var duration: Interval {
    kind.form.fields.contains { [.after, .down].contains($0) } ? parts.fields.interval : .zero
  }

  /// The same fault of each client, where it can be of one and is of everyone.
  package func forEveryone(in clients: Range<Int>) -> [Fault] where Client == ClientIndex {
    switch kind.form {
    case .latency, .everyone:
      var fields = parts.fields
      guard fields.client == nil else { return [self] }
      return clients.compactMap { index in
        fields.client = ClientIndex(index)
        return Fault(kind, fields)
      }
    case .client, .server, .rule, .path, .write, .process: return [self]
    }
  }
}

extension Fault where Client == String {
  /// The faults of single clients that it consists of: what the server sends to everyone it sends
  /// to each.
  ///
  /// - Parameters:
  ///   - clients: Everyone, in order.
  ///   - index: The client with a name, if there is one.
  /// - Returns: The faults; none where the client does not exist.
  public func resolved(
    for clients: Range<Int>, _ index: (String) -> ClientIndex?
  ) -> [IndexedFault] {
    let (kind, fields) = parts
    let own: [ClientIndex?]
    if let client = fields.client {
      own = index(client).map { [$0] } ?? []
    } else if case .everyone = kind.form {
      own = clients.map { ClientIndex($0) }
    } else {
      own = [nil]
    }
    return own.compactMap { IndexedFault(kind, fields.with(client: $0)) }
  }
}
