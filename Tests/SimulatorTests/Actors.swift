import ClientInterface
import Faults
import Simulator
import Trace
import Tree

extension SettleResult {
  /// Why a run has not settled, in words.
  var reason: String? { if case let .unsettled(reason) = self { reason.text } else { nil } }
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
