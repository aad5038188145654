internal import ReferenceServer
public import Wire

// A server elsewhere that does what clients ask, in place of the one of a namespace. Framings, the lines
// and the faults on them stay what they are.

extension LiveServer {
  /// Hands something on to it. Nothing else arrives there until the caller says that it has done its work,
  /// unless everything is handed on at once.
  mutating func relay(_ relayed: Effect.Relayed, _ number: Int) {
    isHeld = !settings.handsOnAtOnce
    effects.append(.relay(relayed, connection: number))
  }

  /// Takes what it sends over the connection that it has for one of this server.
  ///
  /// Clients connect again to the host of the hello, which is here, and the name of the session is the one
  /// by which it is known here.
  public mutating func take(relayed message: ServerMessage, on number: Int) {
    guard let link = links[number] else { return }
    var message = message
    if case var .hello(hello) = message {
      (hello.host, hello.session) = (link.host, link.id.session)
      message = .hello(hello)
    }
    transmit([.init(link.id, message)])
  }

  /// It has ended the connection that it has for one of this server.
  public mutating func end(relayed number: Int) {
    end(number, code: 1001, "the server has closed the connection")
  }
}
