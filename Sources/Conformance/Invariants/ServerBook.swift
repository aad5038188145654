internal import ClientInterface
internal import Trace
internal import Tree
internal import Wire

/// The server's tree, kept a second time from what went over the wire.
///
/// It knows nothing of listens and rules, only what was accepted. Placeholders for server values and
/// two sessions of one client at a time make it give up: then it says nothing.
struct ServerBook {
  private(set) var tree: Node
  /// Whether everything that changed the tree was understood.
  private(set) var isCertain = true
  /// The places that on-disconnect operations may have written.
  private(set) var willed: [Path] = []
  private var sessions: [ClientIndex: Session] = [:]

  private struct Session {
    var count = 0
    /// What is to be done at the end, in order of registration.
    var wills: [[(path: Path, node: Node)]] = []
    /// The request that was taken last, until it is answered.
    var taken: (number: Int, request: Request)?
  }

  init(data: Node) {
    tree = data
    if data.hasServerValues { isCertain = false }
  }

  mutating func take(_ event: TraceEvent.Kind) {
    switch event {
    case let .serverWrite(path, node): apply([(path, node)])
    case let .serverUpdate(path, assignments): apply(assignments.sets(below: path))
    case let .serverOpened(client, _):
      sessions[client, default: Session()].count += 1
      if sessions[client]?.count ?? 0 > 1, sessions[client]?.wills.isEmpty == false {
        isCertain = false
      }
    case let .serverClosed(client, _):
      guard let session = sessions[client] else { return }
      for will in session.wills { apply(will) }
      sessions[client]?.wills = []
      sessions[client]?.count -= 1
    case let .fault(text, nil) where text.hasSuffix("on-disconnects lost"):
      // The server starts anew and does not do what was left for the end of sessions.
      for client in sessions.keys { sessions[client]?.wills = [] }
    case let .serverReceived(client, .request(number, request)):
      sessions[client]?.taken = (number, request)
    case let .serverSent(client, .response(response)):
      guard let taken = sessions[client]?.taken, taken.number == response.request else { return }
      sessions[client]?.taken = nil
      if response.status == "ok" { accept(taken.request, of: client) }
    default: break
    }
  }

  private mutating func accept(_ request: Request, of client: ClientIndex) {
    switch request {
    case let .put(path, node, _): apply([(path, node)])
    case let .merge(path, assignments, _): apply(assignments.sets(below: path))
    case let .onDisconnectPut(path, node): keep([(path, node)], of: client)
    case let .onDisconnectMerge(path, assignments):
      keep(assignments.sets(below: path), of: client)
    case let .onDisconnectCancel(path):
      if sessions[client]?.count ?? 0 > 1 { isCertain = false }
      let wills = sessions[client]?.wills ?? []
      sessions[client]?.wills = wills.compactMap { will in
        let rest = will.filter { !$0.path.starts(with: path) }
        return rest.isEmpty ? nil : rest
      }
    case .listen, .unlisten, .get, .stats, .authenticate, .unauthenticate: break
    }
  }

  private mutating func keep(_ will: [(path: Path, node: Node)], of client: ClientIndex) {
    if sessions[client]?.count ?? 0 > 1 { isCertain = false }
    willed += will.map(\.path)
    sessions[client]?.wills.append(will)
  }

  private mutating func apply(_ sets: [(path: Path, node: Node)]) {
    if sets.contains(where: { $0.node.hasServerValues }) { isCertain = false }
    tree = sets.applied(to: tree, at: .root)
  }
}

extension [Assignment] {
  func sets(below path: Path) -> [(path: Path, node: Node)] {
    map { (path.appending($0.path), $0.node) }
  }
}
