internal import ClientInterface
internal import ReferenceServer
public import Trace
internal import Tree

extension Fault {
  /// What kind of fault it is, as coverage lists it: `half-open`.
  public var name: String {
    switch self {
    case .cut: "cut"
    case .drop: "drop"
    case .heal: "heal"
    case .refuse: "refuse"
    case .latency: "latency"
    case .halfOpen: "half-open"
    case .stall: "stall"
    case .resume: "resume"
    case .closeAfter: "close-after"
    case .lostAcknowledgement: "lost-acknowledgement"
    case .lateClose: "late-close"
    case .redirect: "redirect"
    case .shutdown: "shutdown"
    case .kill: "kill"
    case .start: "start"
    case .skew: "skew"
    case .drift: "drift"
    case .jump: "jump"
    case .serverSkew: "server-skew"
    case .writeError: "write-error"
    case .storageFull: "storage-full"
    case .tornRecord: "torn-record"
    case .storageWorks: "storage-works"
    case .deny: "deny"
    case .revoke: "revoke"
    case .revokeCredential: "revoke-credential"
    case .staleHash: "stale-hash"
    case .restart: "restart"
    case .write: "write"
    }
  }

  /// The name of every kind of fault, in the order of the documentation. `write` is none of them.
  public static let names = [
    "cut", "drop", "heal", "refuse", "latency", "half-open", "stall", "resume", "close-after",
    "lost-acknowledgement", "late-close", "redirect", "shutdown", "kill", "start", "skew", "drift",
    "jump", "server-skew", "write-error", "storage-full", "torn-record", "storage-works", "deny",
    "revoke", "revoke-credential", "stale-hash", "restart",
  ]

  /// The client that it befalls, or `nil` for the server or everyone.
  public var client: ClientIndex? {
    switch self {
    case let .cut(client), let .drop(client), let .heal(client), let .refuse(client),
      let .halfOpen(client, _), let .stall(client, _), let .resume(client, _),
      let .closeAfter(client, _, _), let .lostAcknowledgement(client), let .lateClose(client, _),
      let .redirect(client, _), let .shutdown(client, _), let .kill(client), let .start(client, _),
      let .skew(client, _), let .drift(client, _), let .jump(client, _),
      let .writeError(client, _), let .storageFull(client, _), let .tornRecord(client),
      let .storageWorks(client), let .revokeCredential(client):
      client
    case let .latency(_, client): client
    case .serverSkew, .deny, .revoke, .staleHash, .restart, .write: nil
    }
  }

  /// The fault in one line, without its client: `half-open, noticed by nobody`.
  public var text: String {
    switch self {
    case let .latency(latency, _): "latency \(latency.text)"
    case let .halfOpen(_, side): "half-open, noticed by \(side == .nobody ? "" : "the ")\(side)"
    case let .stall(_, flow): "stall \(flow.text)"
    case let .resume(_, flow): "resume \(flow.text)"
    case let .closeAfter(_, count, flow): "close after \(count) messages \(flow.text)"
    case .lostAcknowledgement: "lost acknowledgement"
    case let .lateClose(_, interval): "late close, after \(interval.text)"
    case let .redirect(_, host): "redirect to \(host)"
    case let .shutdown(_, reason): "shutdown: \(reason)"
    case let .start(_, condition): "start, storage \(condition)"
    case let .skew(_, interval): "clock ahead by \(interval.text)"
    case let .drift(_, drift): "clock gains \(drift.gain) in \(drift.per)"
    case let .jump(_, interval): "clock jumps by \(interval.text)"
    case let .serverSkew(interval): "clock of the server ahead by \(interval.text)"
    case let .writeError(_, count): "write error, \(count) times"
    case let .storageFull(_, bytes): "storage full at \(bytes) bytes"
    case .tornRecord: "torn record"
    case .storageWorks: "storage works"
    case let .deny(rule): "deny \(rule.kinds) at \(rule.path)"
    case let .revoke(path): "revoke \(path)"
    case let .staleHash(count, data): "stale hash, \(count) times, new data \(data)"
    case let .restart(down, left): "restart, down for \(down.text), on-disconnects \(left.text)"
    case .cut, .drop, .heal, .refuse, .kill, .revokeCredential, .write: name
    }
  }
}

extension Fault.Flow {
  /// The directions in words.
  package var text: String {
    switch self {
    case .toServer: "to the server"
    case .toClient: "to the client"
    case .both: "both ways"
    }
  }
}

extension SecurityRule {
  /// `read, write`.
  var kinds: String {
    Access.allCases.filter { deny.contains($0) }.map(\.rawValue).joined(separator: ", ")
  }
}

extension ReferenceServer.LeftBehind {
  fileprivate var text: String { self == .carriedOut ? "carried out" : "lost" }
}
