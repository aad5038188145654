internal import ClientInterface
internal import Trace

/// Follows a run through the abstract model, by its trace.
///
/// One pass over the events; most of them concern no client, and a client's states are put together
/// from fields that are computed again only where something has changed.
struct ModelReader {
  private var clients: [ModelClient]
  /// Whose input came last.
  private var current: Int?

  init(clients count: Int) {
    clients = Array(repeating: ModelClient(), count: count)
  }

  /// Shows every state that a run comes to, as often as it does.
  static func read(_ trace: Trace, clients count: Int, _ body: (UInt32) -> Void) {
    var reader = ModelReader(clients: count)
    trace.events.forEach(from: 0) { reader.take($0, body) }
    reader.finish(body)
  }

  private mutating func take(_ event: UnsafePointer<TraceEvent>, _ body: (UInt32) -> Void) {
    switch event.pointee.kind {
    case let .input(client, input):
      finish(body)
      guard clients.indices.contains(client.number) else { return }
      current = client.number
      clients[client.number].take(input)
    case let .output(client, output):
      guard clients.indices.contains(client.number) else { return }
      clients[client.number].take(output)
    case let .fault(incident):
      guard let fault = ModelFault(incident) else { return }
      if let client = incident.client, !fault.isOfServer, clients.indices.contains(client.number) {
        clients[client.number].fault = fault
      } else {
        for index in clients.indices { clients[index].fault = fault }
      }
    case .step, .serverReceived, .serverSent, .lostToServer, .lostToClient, .serverOpened,
      .serverClosed, .serverWrite, .serverUpdate:
      break
    }
  }

  /// What the input of a client has caused is complete.
  private mutating func finish(_ body: (UInt32) -> Void) {
    guard let index = current else { return }
    clients[index].show(body)
    current = nil
  }
}
