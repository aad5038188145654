internal import ClientInterface
internal import Document
internal import Tree
public import Wire

/// What happens to a connection that an SDK asked for.
public enum ConnectionEvent: Hashable, Sendable {
  /// It is up; the server's hello will follow.
  case opened
  /// It could not be made. Nothing follows.
  case refused
  /// The server sent a message, whole; ``Connection/text(of:)`` has its text.
  case received(ServerMessage)
  /// It is gone. Nothing follows. Not raised for a connection that the SDK has closed itself.
  case closed
}

/// A connection, as a WebSocket would be: messages arrive whole and in order until it ends.
public final class Connection {
  private unowned let environment: Environment
  let receive: (ConnectionEvent) -> Void

  init(_ environment: Environment, _ receive: @escaping (ConnectionEvent) -> Void) {
    self.environment = environment
    self.receive = receive
  }

  /// Sends a message. After the end of the connection nothing happens.
  public func send(_ message: ClientMessage) {
    if environment.connection === self { environment.emit(.send(message)) }
  }

  /// Sends a message as the SDK has written it, without the framing of its transport: no segments, no
  /// engine.io packet, no keep-alive. What is no message is not sent, and logged.
  public func send(text: String) {
    do {
      send(try ClientMessage(json: try JSON(parsing: text)))
    } catch let error as WireError {
      environment.log(error.description)
    } catch {
      environment.log("what the client sent is not JSON: \(error): \(text.prefix(400))")
    }
  }

  /// A message of the server as it goes over the wire, in the dialect of the profile.
  public func text(of message: ServerMessage) -> String {
    message.json(in: environment.profile.dialect).text
  }

  /// Closes the connection, or stops asking for one.
  public func close() { environment.close(self) }
}
