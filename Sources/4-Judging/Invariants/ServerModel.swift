internal import ClientInterface
internal import Trace
internal import Tree
internal import Wire

/// The server's tree, kept a second time from what went over the wire.
///
/// It knows nothing of listens and rules, only what was accepted. Placeholders for server values
/// and two sessions of one client at a time make it give up: then it says nothing.
struct ServerModel {
  private(set) var tree: Node
  /// Whether everything that changed the tree was understood.
  private(set) var isCertain = true
  /// The locations that on-disconnect operations may have written.
  private(set) var willed: [Path] = []
  /// By the numbers of the clients.
  private var sessions: [Session] = []

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
      makeRoom(for: client)
      sessions[client.number].count += 1
      if hasTwo(client), !sessions[client.number].wills.isEmpty { isCertain = false }
    case let .serverClosed(client, _):
      makeRoom(for: client)
      let wills = sessions[client.number].wills
      sessions[client.number].wills = []
      sessions[client.number].count -= 1
      for will in wills { apply(will) }
    case let .fault(text, nil)
    where text.hasSuffix("on-disconnects lost") && !text.hasPrefix("armed: "):
      // The server starts again and does not do what was left for the end of sessions.
      for index in sessions.indices { sessions[index].wills = [] }
    case let .serverReceived(client, .request(number, request)):
      makeRoom(for: client)
      sessions[client.number].taken = (number, request)
    case let .serverSent(client, .response(response)):
      makeRoom(for: client)
      guard let taken = sessions[client.number].taken, taken.number == response.request else {
        return
      }
      sessions[client.number].taken = nil
      if response.status == "ok" { accept(taken.request, of: client) }
    default: break
    }
  }

  /// The request that a response answers, while the server has not answered it.
  func request(answeredBy response: ServerMessage.Response, to client: ClientIndex) -> Request? {
    guard sessions.indices.contains(client.number),
      let taken = sessions[client.number].taken, taken.number == response.request
    else { return nil }
    return taken.request
  }

  private mutating func makeRoom(for client: ClientIndex) {
    while sessions.count <= client.number { sessions.append(Session()) }
  }

  private func hasTwo(_ client: ClientIndex) -> Bool { sessions[client.number].count > 1 }

  private mutating func accept(_ request: Request, of client: ClientIndex) {
    switch request {
    case let .put(path, node, _): apply([(path, node)])
    case let .merge(path, assignments, _): apply(assignments.sets(below: path))
    case let .onDisconnectPut(path, node): keep([(path, node)], of: client)
    case let .onDisconnectMerge(path, assignments):
      keep(assignments.sets(below: path), of: client)
    case let .onDisconnectCancel(path):
      if hasTwo(client) { isCertain = false }
      sessions[client.number].wills = sessions[client.number].wills.compactMap { will in
        let rest = will.filter { !$0.path.starts(with: path) }
        return rest.isEmpty ? nil : rest
      }
    case .listen, .unlisten, .get, .stats, .authenticate, .unauthenticate: break
    }
  }

  private mutating func keep(_ will: [(path: Path, node: Node)], of client: ClientIndex) {
    if hasTwo(client) { isCertain = false }
    willed += will.map(\.path)
    sessions[client.number].wills.append(will)
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
