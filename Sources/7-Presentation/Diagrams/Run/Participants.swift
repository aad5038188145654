internal import ClientInterface
package import Trace

/// Who takes part in a run, from left to right: the server stands in the middle, so that messages of
/// different clients do not cross.
package struct Participants {
  package let clients: [String]
  /// The column of the server.
  package let server: Int

  package init(clients: [String]) {
    self.clients = clients
    server = (clients.count + 1) / 2
  }

  package var count: Int { clients.count + 1 }

  /// The names from left to right.
  package var names: [String] { clients[..<server] + ["server"] + clients[server...] }

  package func column(of client: ClientIndex) -> Int {
    client.number < server ? client.number : client.number + 1
  }

  /// Where an event happens; `nil` for a step, which happens everywhere.
  package func column(of event: TraceEvent) -> Int? {
    switch event.kind {
    case .step: nil
    case let .input(client, _), let .output(client, _): column(of: client)
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .serverWrite, .serverUpdate:
      server
    case let .lostToServer(client, _), let .lostToClient(client, _): column(of: client)
    case let .fault(_, client): client.map(column) ?? server
    }
  }
}
