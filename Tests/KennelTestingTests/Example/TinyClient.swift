import ClientInterface
import Tree
import Wire

/// A client that can listen to whole values and set them, and no more.
struct TinyClient: SyncClient {
  let capabilities: Set<String> = ["listen.value", "set"]

  private var server = Node.empty  // what the server said, of the locations in `known`
  private var known: [Path] = []
  private var pending: [(call: CallID, path: Path, node: Node, request: Int)] = []
  private var listeners: [(id: ListenerID, path: Path, shown: Node?)] = []
  private var listens: [(path: Path, request: Int)] = []
  private var isReady = false
  private var lastRequest = 0

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    switch input {
    case .open, .timer: outputs.append(.connect)
    case let .call(_, .listen(id, target, _)):
      listeners.append((id, target.path, nil))
      if isReady { listen(to: target.path, &outputs) }
    case let .call(call, .set(path, node)):
      pending.append((call, path, node, 0))
      if isReady { send(pending.count - 1, &outputs) }
    case .frame(.hello):
      isReady = true
      for listener in listeners { listen(to: listener.path, &outputs) }
      for index in pending.indices { send(index, &outputs) }
    case let .frame(.put(path, node, _)):
      server = server.setting(node, at: path)
      known.append(path)
    case let .frame(.response(response)): finish(response, &outputs)
    case .refused, .closed:
      isReady = false
      outputs.append(.setTimer(1, after: .seconds(1), .backOff))
    case .call, .opened, .frame, .close: break
    }
    raiseEvents(&outputs)
  }

  private mutating func request(_ request: Request, _ outputs: inout [ClientOutput]) -> Int {
    lastRequest += 1
    outputs.append(.send(.request(lastRequest, request)))
    return lastRequest
  }

  private mutating func listen(to path: Path, _ outputs: inout [ClientOutput]) {
    listens.append((path, request(.listen(.init(path: path)), &outputs)))
  }

  private mutating func send(_ index: Int, _ outputs: inout [ClientOutput]) {
    let write = pending[index]
    pending[index].request = request(.put(write.path, write.node, hash: nil), &outputs)
  }

  private mutating func finish(_ response: ServerMessage.Response, _ outputs: inout [ClientOutput])
  {
    known += listens.filter { $0.request == response.request }.map(\.path)
    guard let index = pending.firstIndex(where: { $0.request == response.request }) else { return }
    let call = pending.remove(at: index).call
    let error = response.status == "ok" ? nil : ErrorCode(response.status)
    raiseEvents(&outputs)
    outputs.append(.completed(call, Completion(error: error)))
  }

  /// A listener sees what the server said with the pending writes on top.
  private mutating func raiseEvents(_ outputs: inout [ClientOutput]) {
    let local = pending.reduce(server) { $0.setting($1.node, at: $1.path) }
    for index in listeners.indices {
      let path = listeners[index].path
      let isKnown = (known + pending.map(\.path)).contains { path.starts(with: $0) }
      let value = local[path]
      guard isKnown, listeners[index].shown != value else { continue }
      listeners[index].shown = value
      outputs.append(.event(Event(.value, to: listeners[index].id, key: path.key, value: value)))
    }
  }
}
