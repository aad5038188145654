internal import ReferenceServer
internal import Wire

/// What has happened at a server that the network between it and its clients is to know.
///
/// With ``LiveServer/isDisturbed`` messages do not arrive by themselves: they are news, and the
/// caller who takes the news passes them on when it is time, or loses them.
enum ServerNotice: Sendable {
  /// A client has asked for a connection; `sendHello` lets the server know.
  case began(Int)
  /// A client has sent something; `deliver` lets it arrive.
  case arrived(Int, ClientMessage)
  /// The server has sent something; `emit` lets it arrive.
  case departing(ReferenceServer.Outgoing)
  /// A client has sent something into a connection that lets nothing through.
  case lost(Int)
  /// A client is gone; `finish` lets the server know.
  case left(Int)
  /// The server has forgotten a connection.
  case ended(Int)
  /// The server has answered a request, by whatever way it came.
  case answered(Request, ServerMessage.Response)
}
