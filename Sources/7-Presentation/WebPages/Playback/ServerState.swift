internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Tree
internal import Wire

/// The tree of the server, as it follows from the messages of a run.
struct ServerState {
  private(set) var tree: Node
  /// What was left for the end of each session.
  private var lastWills: [String: [(path: Path, node: Node)]] = [:]
  /// The session of each client that began last. An older one may end later.
  private var sessions: [ClientIndex: String] = [:]
  /// What the clock of the server is ahead by.
  private var skew = Interval.zero
  private let epoch: Instant

  init(_ tree: Node, epoch: Instant) {
    self.tree = tree
    self.epoch = epoch
  }

  /// Takes a request that the server has accepted.
  mutating func accept(_ request: Request, of client: ClientIndex, at time: Interval) {
    let session = sessions[client] ?? ""
    switch request {
    case let .put(path, node, _): write([(path, node)], at: time)
    case let .merge(path, assignments, _): write(assignments.sets(below: path), at: time)
    case let .onDisconnectPut(path, node): lastWills[session, default: []].append((path, node))
    case let .onDisconnectMerge(path, assignments):
      lastWills[session, default: []] += assignments.sets(below: path)
    case let .onDisconnectCancel(path):
      lastWills[session]?.removeAll { $0.path.starts(with: path) }
    case .listen, .unlisten, .get, .stats, .authenticate, .unauthenticate: break
    }
  }

  /// Writes several locations as one change.
  mutating func write(_ parts: [(path: Path, node: Node)], at time: Interval) {
    let before = tree
    let now = (epoch + time + skew).milliseconds
    for (path, node) in parts {
      tree = tree.setting(node.resolved(time: now, over: before[path]), at: path)
    }
  }

  mutating func write(_ path: Path, _ assignments: [Assignment], at time: Interval) {
    write(assignments.sets(below: path), at: time)
  }

  mutating func begin(_ session: String, of client: ClientIndex) { sessions[client] = session }

  /// A session ends: what was left for this moment is done.
  mutating func end(_ session: String, at time: Interval) {
    for part in lastWills.removeValue(forKey: session) ?? [] { write([part], at: time) }
  }

  /// A fault may be about what the server keeps, or about its clock.
  mutating func apply(_ fault: IndexedFault) {
    switch fault {
    case .restart(_, .lost): lastWills = [:]
    case let .serverClock(ahead): skew = ahead
    default: break
    }
  }
}
