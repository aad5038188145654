import ClientInterface
import Hosting
import Tree
import Wire

/// A small SDK in the style of `async`: an actor, a loop that reads the connection, sets that are
/// awaited, and values that come as a stream.
actor AsyncDatabase {
  private struct Observer {
    var path: Path
    var continuation: AsyncStream<Node>.Continuation
    var shown: Node?
  }

  private struct Write {
    var path: Path
    var node: Node
    var request = 0
    var continuation: CheckedContinuation<String?, Never>
  }

  /// Everything on this actor runs where the kit says.
  nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A planted race: whether what is sent again is sent by tasks, whose order is nobody's.
  private let isCareless: Bool
  private let environment: Environment
  private var send: (ClientMessage) -> Void = { _ in }
  private var isReady = false
  private var lastRequest = 0
  private var server = Node.empty
  private var known: [Path] = []
  private var observers: [Observer] = []
  private var listens: [(path: Path, request: Int)] = []
  private var writes: [Write] = []

  init(_ environment: Environment, isCareless: Bool) {
    self.environment = environment
    self.isCareless = isCareless
    executor = environment.actorExecutor
  }

  /// Keeps a connection until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let (connection, events) = environment.connect()
      send = { connection.send($0) }
      for await case let .received(message) in events { receive(message) }
      isReady = false
      try? await Task.sleep(for: .seconds(1), clock: environment.clock)
    }
  }

  /// - Returns: Why the server refused; `nil` when it did not.
  func set(_ path: Path, _ node: Node) async -> String? {
    await withCheckedContinuation { continuation in
      writes.append(Write(path: path, node: node, continuation: continuation))
      if isReady { send(writes.count - 1) }
      notify()
    }
  }

  func values(at path: Path) -> AsyncStream<Node> {
    let (values, continuation) = AsyncStream<Node>.makeStream()
    observers.append(Observer(path: path, continuation: continuation))
    if isReady { listen(to: path) }
    notify()
    return values
  }

  private func receive(_ message: ServerMessage) {
    switch message {
    case .hello:
      isReady = true
      for observer in observers { listen(to: observer.path) }
      for index in writes.indices {
        if isCareless { Task { self.send(index) } } else { send(index) }
      }
    case let .put(path, node, _):
      server = server.setting(node, at: path)
      known.append(path)
    case let .response(response): finish(response)
    default: break
    }
    notify()
  }

  private func request(_ request: Request) -> Int {
    lastRequest += 1
    send(.request(lastRequest, request))
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
    write.continuation.resume(returning: response.status == "ok" ? nil : response.status)
  }

  private func notify() {
    let local = writes.reduce(server) { $0.setting($1.node, at: $1.path) }
    for index in observers.indices {
      let path = observers[index].path
      let isKnown = (known + writes.map(\.path)).contains { path.starts(with: $0) }
      let value = local[path]
      guard isKnown, observers[index].shown != value else { continue }
      observers[index].shown = value
      observers[index].continuation.yield(value)
    }
  }
}

/// What the implementer of that SDK writes to have it tested.
final class AsyncGlue: AsyncHostedSDK {
  static let capabilities: Set<String> = ["listen.value", "set"]

  private let environment: Environment
  private let database: AsyncDatabase

  init(_ environment: Environment, isCareless: Bool = false) {
    self.environment = environment
    let database = AsyncDatabase(environment, isCareless: isCareless)
    self.database = database
    environment.task { await database.run() }
  }

  func perform(_ operation: Operation, as call: CallID) async {
    switch operation {
    case let .listen(listener, target, _):
      for await value in await database.values(at: target.path) {
        environment.raise(Event(.value, to: listener, key: target.path.key, value: value))
      }
    case let .set(path, node):
      let error = await database.set(path, node)
      environment.complete(call, Completion(error: error.map { ErrorCode($0) }))
    default: environment.refuse(call, "not_supported")
    }
  }
}
