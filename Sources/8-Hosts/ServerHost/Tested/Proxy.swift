import ClientEngine
import ClientInterface
import Document
import LiveServer
import RunModel
import Trace
import Tree
import Wire

/// Between clients and a server of others: hands on what they say to each other, while the monitor of the wire
/// judges both.
///
/// Each connection of a client has one to the server, in the same framing.
final class Proxy: SocketObserver {
  private let relay: Relay
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
    (self.options, self.loop) = (options, loop)
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
    for (connection, event) in relay.handOver(to: loop) {
      switch event {
      case .message(.hello): established.insert(connection)
      case .message, .response, .begun: break
      case let .odd(text): options.warn(printable(text))
      case let .ended(reason): reportProblem("the server has ended it: \(reason)", of: connection)
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
