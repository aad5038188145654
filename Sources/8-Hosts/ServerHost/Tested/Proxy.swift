import ClientEngine
import ClientInterface
import Dispatch
import Document
import Glibc
import LiveServer
import RunModel
import System
import Trace
import Tree
import Wire

/// Between clients and a server of others: hands on what they say to each other, while the monitor of the wire
/// judges both.
///
/// Each connection of a client has one to the server, in the same framing.
final class Proxy: SocketObserver {
  private let relay: Relay
  private let address: DatabaseAddress
  /// Begins when clients can connect.
  private lazy var probe = Probe(address)
  private unowned let loop: SocketLoop
  private let options: ServerOptions
  /// All connections, those that the server has greeted, and those with a finding.
  private var connections: Set<Int> = []
  /// Those of them that are requests of REST, or streams.
  private var requests: Set<Int> = []
  private var established: Set<Int> = []
  private var failed: Set<Int> = []

  init(to address: DatabaseAddress, _ options: ServerOptions, _ loop: SocketLoop) {
    relay = Relay(address, at: .root)
    (self.address, self.options, self.loop) = (address, options, loop)
  }

  /// Connections without a finding, with one, and those that were never established.
  var tally: Tally {
    let passed = established.subtracting(failed).count
    let skipped = connections.subtracting(requests).subtracting(established).subtracting(failed)
      .count
    return Tally(passed: passed, failed: failed.count, skipped: skipped)
  }

  var now: Instant { SocketLoop.now }

  func receive(_ record: Effect.Record, of connection: Int) {}

  func reportProblem(_ text: String, of connection: Int) {
    options.warn("\(name(of: connection)): \(printable(text))")
  }

  func receive(_ finding: WireFinding, of connection: Int) {
    if !finding.isNote { failed.insert(connection) }
    options.found(finding, name(of: connection))
  }

  func relay(_ relayed: Effect.Relayed, of connection: Int) {
    if case .asked = relayed { requests.insert(connection) }
    connections.insert(connection)
    relay.give(relayed, of: connection)
  }

  func delivers() {}

  func deliver(_ piece: Channel.Piece, to socket: Socket) {}

  func look() {
    if probe.takeRefusal() {
      options.warn(
        "no server accepts connections at \(address.host) yet; clients are connected once one does")
    }
    for (connection, event) in relay.handOver(to: loop) {
      switch event {
      case .message(.hello): established.insert(connection)
      case .message, .response, .begun: break
      case let .odd(text): options.warn(printable(text))
      case let .ended(reason):
        let wasThere = established.contains(connection) || requests.contains(connection)
        reportProblem(
          "the server \(wasThere ? "has ended it" : "is not reached"): \(reason)", of: connection)
      }
    }
  }

  /// Closes what is still open.
  func end() { relay.closeAll() }

  private func name(of connection: Int) -> String {
    let client = loop.live.server.client(of: connection).map { " (\($0))" } ?? ""
    return "connection \(connection)\(client)"
  }
}

/// Finds out whether a server accepts connections, on a thread of its own: one that does not answer holds up nothing.
///
/// Unchecked: what was found is used with `lock` taken.
private final class Probe: @unchecked Sendable {
  private let lock = SerialLock()
  private var isRefused = false

  init(_ address: DatabaseAddress) {
    guard let endpoint = address.endpoint else { return }
    DispatchQueue(label: "kennel.probe").async { [self] in
      if let socket = LoopbackSocket.connected(to: endpoint.port, of: endpoint.name) {
        close(socket)
      } else {
        lock.locked { isRefused = true }
      }
    }
  }

  /// Whether it does not; true once at most.
  func takeRefusal() -> Bool {
    lock.locked {
      defer { isRefused = false }
      return isRefused
    }
  }
}
