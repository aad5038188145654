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
    case let .stale(count, data): "stale hash, \(count) times, new data \(data)"
    case let .restart(down, fate): "restart, down for \(down.text), on-disconnects \(fate.text)"
    case .cut, .drop, .heal, .refuse, .kill, .revokeAuth, .write: kind.name
    }
  }
}

extension OnDisconnectFate {
  fileprivate var text: String { self == .done ? "carried out" : "lost" }
}
