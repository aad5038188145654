import ClientInterface
import Faults
import Simulator
import Trace
import Tree
import Wire

/// A client without a mind of its own: writes and listens go straight to the server, and what it
/// does otherwise is laid down.
struct Puppet: SyncClient {
  private let opening: [ClientOutput]
  private let onFrame: [ClientOutput]
  private let onRefused: [ClientOutput]
  private let onTimer: [ClientOutput]
  private var requests = 0

  init(
    opening: [ClientOutput] = [.connect], onFrame: [ClientOutput] = [],
    onRefused: [ClientOutput] = [], onTimer: [ClientOutput] = []
  ) {
    self.opening = opening
    self.onFrame = onFrame
    self.onRefused = onRefused
    self.onTimer = onTimer
  }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    switch input {
    case .open: outputs += opening
    case let .call(_, .set(path, node)): send(.put(path, node, hash: nil), &outputs)
    case let .call(_, .onDisconnectSet(path, node)): send(.onDisconnectPut(path, node), &outputs)
    case let .call(_, .listen(_, target, _)): send(.listen(.init(path: target.path)), &outputs)
    case .call(_, .goOffline): outputs.append(.disconnect)
    case .call(_, .goOnline): outputs.append(.connect)
    case .frame(.hello): break
    case .frame: outputs += onFrame
    case .refused: outputs += onRefused
    case .timer: outputs += onTimer
    case .call, .opened, .closed, .close: break
    }
  }

  private mutating func send(_ request: Request, _ outputs: inout [ClientOutput]) {
    requests += 1
    outputs.append(.send(.request(requests, request)))
  }
}

extension Simulator {
  /// A run of puppets that are called alice, bob, … and are started.
  init(
    _ clients: any SyncClient..., latency: Latency = .standard,
    adjust: (inout Configuration) -> Void = { _ in }
  ) {
    let names = ["alice", "bob", "carol"]
    var configuration = Configuration(
      profile: .wilddog2,
      clients: zip(names, clients).map { ClientSetup(name: $0, client: $1) })
    configuration.latency = latency
    adjust(&configuration)
    self.init(configuration)
    open()
  }

  mutating func set(_ path: Path, _ value: Scalar, by client: ClientIndex = alice) {
    call(client, "w", .set(path, Node(value)))
  }

  /// The lines of the trace after the first `start` events.
  func lines(from start: Int = 0) -> [String] {
    trace.events.dropFirst(start).map { $0.line(names: names) }
  }

  /// The lines of the trace of which the text contains `part`.
  func lines(with part: String, from start: Int = 0) -> [String] {
    lines(from: start).filter { $0.contains(part) }
  }
}

let alice = ClientIndex(0)
let bob = ClientIndex(1)
