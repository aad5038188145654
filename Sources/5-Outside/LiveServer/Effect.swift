public import Faults
public import HTTP
public import WireMonitor

/// Names what a client has opened: a WebSocket, or a request of HTTP that has no answer yet.
/// The caller does the input and output and chooses the numbers and uses each of them once.
public struct Socket: Hashable, Comparable, Sendable {
  /// The number that the host chose, never used for another socket.
  public var number: Int

  /// Names a socket by a number that has not been used before.
  public init(_ number: Int) { self.number = number }
  public static func < (a: Socket, b: Socket) -> Bool { a.number < b.number }
}

/// What is to be done, in this order.
public enum Effect: Hashable, Sendable {
  /// Send one text frame over a WebSocket.
  case send(Socket, String)
  /// Answer a request.
  case respond(Socket, HTTPResponse)
  /// Answer a request with a stream that has only begun: the body goes on with `write`.
  case begin(Socket, HTTPResponse)
  /// Send more of a stream.
  case write(Socket, String)
  /// Close, after everything that was sent before. The code is one of WebSockets; streams have
  /// none.
  case close(Socket, code: Int, reason: String)
  /// Do this, in another thread or later, and hand the outcome to ``LiveServer/resume(with:at:into:)``.
  indirect case work(LargeWork)
  /// Keep this of a connection in its recording.
  case record(Record, connection: Int)
  /// Report to the operator of the server why a connection was closed, and the like.
  case reportProblem(String, connection: Int)
  /// Report that a fault has happened. It is a record as well, where records are kept.
  indirect case fault(IndexedFault)
  /// Report to the operator of the server something that the protocol does not allow, or advise.
  indirect case found(WireFinding, connection: Int)
}
