internal import ClientInterface
internal import Trace
public import Wire

/// Follows the connections of the clients and notices what the protocol does not allow, whatever
/// the scenario expects.
struct ProtocolWatch {
  private enum Connection {
    case none
    case asked
    /// Up, but the server has not said hello (WIR-1).
    case opened
    case greeted
  }

  private var connections: [Connection]

  init(clients count: Int) {
    connections = Array(repeating: .none, count: count)
  }

  /// Takes one event of the trace, in order.
  ///
  /// - Returns: What a client did wrong in it, and who; or `nil`.
  mutating func observe(_ event: TraceEvent.Kind) -> (ClientIndex, ProtocolBreach)? {
    switch event {
    case let .input(client, input):
      follow(client, input)
      return nil
    case let .output(client, output): return judge(client, output).map { (client, $0) }
    case .step, .serverReceived, .serverSent, .lostToServer, .lostToClient, .serverOpened,
      .serverClosed, .fault, .serverWrite, .serverUpdate:
      return nil
    }
  }

  private mutating func follow(_ client: ClientIndex, _ input: ClientInput) {
    switch input {
    case .opened: connections[client.number] = .opened
    case .frame(.hello): connections[client.number] = .greeted
    case .open, .closed, .refused, .close: connections[client.number] = .none
    case .call, .frame, .timer: break
    }
  }

  private mutating func judge(_ client: ClientIndex, _ output: ClientOutput) -> ProtocolBreach? {
    switch output {
    case .connect, .connectTo:
      let had = connections[client.number]
      connections[client.number] = .asked
      return had == .none ? nil : .secondConnection
    case .disconnect:
      connections[client.number] = .none
      return nil
    case let .send(message):
      switch connections[client.number] {
      case .none, .asked: return .sentWithoutConnection(message)
      case .opened: return .sentBeforeHello(message)
      case .greeted: return nil
      }
    case .setTimer, .cancelTimer, .event, .cancelled, .completed, .answered, .threw, .updateRan,
      .store, .erase, .log:
      return nil
    }
  }
}

/// Something that no client may do on a connection.
public enum ProtocolBreach: Hashable, Sendable {
  case sentWithoutConnection(ClientMessage)
  case sentBeforeHello(ClientMessage)
  /// Asked for a connection while it had one or had asked for one.
  case secondConnection
}

extension ProtocolBreach {
  /// The rule that was broken.
  var rule: String {
    switch self {
    case .sentWithoutConnection, .sentBeforeHello: "CON-12"
    case .secondConnection: "CON-11"
    }
  }
}
