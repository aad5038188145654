package import ClientInterface
package import Trace

/// Who takes part in a run, from left to right.
package struct Participants {
  package let clients: [String]
  /// The column of the server.
  package let server: Int

  package enum ServerPosition {
    /// Messages of different clients do not cross.
    case middle
    /// The first client, which most is about, stands alone on its side.
    case second
  }

  package init(clients: [String], server position: ServerPosition = .middle) {
    self.clients = clients
    server =
      switch position {
      case .middle: (clients.count + 1) / 2
      case .second: min(1, clients.count)
      }
  }

  package var count: Int { clients.count + 1 }

  /// The names from left to right.
  package var names: [String] { clients[..<server] + ["server"] + clients[server...] }

  package func column(of client: ClientIndex) -> Int {
    client.number < server ? client.number : client.number + 1
  }

  /// The columns that a message goes from and to.
  func ends(of transit: MessageTransit) -> (from: Int, to: Int) {
    switch transit.content {
    case .toServer: (column(of: transit.client), server)
    case .toClient: (server, column(of: transit.client))
    }
  }

  /// The column at the other end of a message, or of a connection of the server; `nil` for what
  /// happens in one column.
  package func otherColumn(of event: TraceEvent) -> Int? {
    if let transit = event.transit {
      let (from, to) = ends(of: transit)
      return from == column(of: event) ? to : from
    }
    switch event.kind {
    case let .serverOpened(client, _), let .serverClosed(client, _): return column(of: client)
    default: return nil
    }
  }

  /// Where an event happens; `nil` for a step, which happens everywhere.
  package func column(of event: TraceEvent) -> Int? {
    switch event.kind {
    case .step: nil
    case let .input(client, _), let .output(client, _): column(of: client)
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .serverWrite, .serverUpdate:
      server
    case let .lostToServer(client, _), let .lostToClient(client, _): column(of: client)
    case let .fault(incident): incident.client.map(column) ?? server
    }
  }
}
