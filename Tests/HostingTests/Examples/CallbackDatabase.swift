import ClientInterface
import Hosting
import Tree
import Wire

/// A small SDK in the style of callbacks: whole values can be observed and set. It posts what it
/// calls back to a queue, and tries again after a second when the connection is gone.
final class CallbackDatabase {
  private struct Observer {
    var path: Path
    var callback: (Node) -> Void
    var shown: Node?
  }

  private struct Write {
    var path: Path
    var node: Node
    var request = 0
    var completion: (String?) -> Void
  }

  private let environment: Environment
  private var connection: Connection?
  private var isReady = false
  private var lastRequest = 0
  private var server = Node.empty
  private var known: [Path] = []
  private var observers: [Observer] = []
  private var listens: [(path: Path, request: Int)] = []
  private var writes: [Write] = []

  init(_ environment: Environment) {
    self.environment = environment
    connect()
  }

  func observe(_ path: Path, _ callback: @escaping (Node) -> Void) {
    observers.append(Observer(path: path, callback: callback))
    if isReady { listen(to: path) }
    notify()
  }

  func set(_ path: Path, _ node: Node, completion: @escaping (String?) -> Void) {
    writes.append(Write(path: path, node: node, completion: completion))
    if isReady { send(writes.count - 1) }
    notify()
  }

  private func connect() {
    connection = environment.connect { [unowned self] event in
      switch event {
      case .opened: break
      case let .received(message): receive(message)
      case .refused, .closed:
        isReady = false
        environment.schedule(after: .seconds(1), purpose: .backOff) { self.connect() }
      }
    }
  }

  private func receive(_ message: ServerMessage) {
    switch message {
    case .hello:
      isReady = true
      for observer in observers { listen(to: observer.path) }
      for index in writes.indices { send(index) }
    case let .put(path, node, _):
      server = server.setting(node, at: path)
      known.append(path)
    case let .response(response): finish(response)
    default: break
    }
    notify()
  }

  /// Requests leave as text, as they would on a real connection.
  private func request(_ request: Request) -> Int {
    lastRequest += 1
    let message = ClientMessage.request(lastRequest, request)
    connection?.send(text: message.json(in: environment.profile.dialect).text)
    return lastRequest
  }

  private func listen(to path: Path) {
    listens.append((path, request(.listen(.init(path: path)))))
  }

  private func send(_ index: Int) {
    writes[index].request = request(.put(writes[index].path, writes[index].node, hash: nil))
  }

  private func finish(_ response: ServerMessage.Response) {
    known += listens.filter { $0.request == response.request }.map(\.path)
    guard let index = writes.firstIndex(where: { $0.request == response.request }) else { return }
    let write = writes.remove(at: index)
    notify()
    environment.perform { write.completion(response.status == "ok" ? nil : response.status) }
  }

  private func notify() {
    let local = writes.reduce(server) { $0.setting($1.node, at: $1.path) }
    for index in observers.indices {
      let path = observers[index].path
      let isKnown = (known + writes.map(\.path)).contains { path.starts(with: $0) }
      let value = local[path]
      guard isKnown, observers[index].shown != value else { continue }
      observers[index].shown = value
      let callback = observers[index].callback
      environment.perform { callback(value) }
    }
  }
}

/// What the implementer of that SDK writes to have it tested.
final class CallbackGlue: HostedSDK {
  static let capabilities: Set<String> = ["listen.value", "set", "callbacks"]

  private let environment: Environment
  private let database: CallbackDatabase

  init(_ environment: Environment) {
    self.environment = environment
    database = CallbackDatabase(environment)
  }

  func perform(_ operation: Operation, as call: CallID) {
    switch operation {
    case let .listen(listener, target, _):
      database.observe(target.path) { [environment] value in
        environment.raise(Event(.value, to: listener, key: target.path.key, value: value))
      }
    case let .set(path, node):
      database.set(path, node) { [environment] error in
        environment.complete(call, Completion(error: error.map { ErrorCode($0) }))
      }
    default: environment.refuse(call, "not_supported")
    }
  }
}
