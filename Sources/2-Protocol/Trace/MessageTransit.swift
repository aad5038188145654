package import ClientInterface
package import Tree
package import Wire

/// A message on its way between a client and the server: the beginning or the end of an arrow.
package struct MessageTransit {
  package enum Content {
    case toServer(ClientMessage)
    case toClient(ServerMessage)
  }

  package enum Moment {
    case leaves
    case arrives
    /// It ends here and never arrives.
    case isLost
  }

  package var client: ClientIndex
  package var content: Content
  package var moment: Moment

  /// The path that the message is about; `nil` for one about none.
  package var path: Path? {
    switch content {
    case let .toServer(.request(_, request)): request.path
    case let .toClient(.put(path, _, _)), let .toClient(.merge(path, _, _)),
      let .toClient(.revoked(path, _)):
      path
    case .toServer(.ping), .toClient(.hello), .toClient(.response), .toClient(.credentialRevoked),
      .toClient(.shutdown), .toClient(.reset), .toClient(.pong), .toClient(.notice),
      .toClient(.other):
      nil
    }
  }
}

extension TraceEvent.Kind {
  /// The listener that receives something.
  package var listener: ListenerID? {
    switch self {
    case let .output(_, .event(event)): event.listener
    case let .output(_, .cancelled(listener, _)): listener
    default: nil
    }
  }

  /// What happens to a message; `nil` for all other events.
  package var transit: MessageTransit? {
    switch self {
    case let .output(client, .send(message)):
      MessageTransit(client: client, content: .toServer(message), moment: .leaves)
    case let .serverReceived(client, message):
      MessageTransit(client: client, content: .toServer(message), moment: .arrives)
    case let .lostToServer(client, message):
      MessageTransit(client: client, content: .toServer(message), moment: .isLost)
    case let .serverSent(client, message):
      MessageTransit(client: client, content: .toClient(message), moment: .leaves)
    case let .input(client, .frame(message)):
      MessageTransit(client: client, content: .toClient(message), moment: .arrives)
    case let .lostToClient(client, message):
      MessageTransit(client: client, content: .toClient(message), moment: .isLost)
    case .step, .input, .output, .serverOpened, .serverClosed, .fault, .serverWrite,
      .serverUpdate:
      nil
    }
  }
}
