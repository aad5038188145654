package import ClientEngine
package import Wire

// What is asked for on any thread is done on that of sockets.

extension Carrier {
  /// Begins a connection that belongs to no engine.
  ///
  /// - Parameters:
  ///   - address: The server.
  ///   - report: Is called on the thread of sockets.
  /// - Returns: The connection, which is not open yet.
  package static func connect(
    to address: DatabaseAddress, _ report: @escaping @Sendable (Event) -> Void
  ) -> Carrier {
    let carrier = Carrier(address, trusting: nil) { report($1) }
    SocketThread.shared.perform { carrier.begin() }
    return carrier
  }

  /// Sends a message, once the connection is open.
  package func post(_ message: ClientMessage) {
    SocketThread.shared.perform { [self] in send(message) }
  }

  /// Closes it. Nothing is reported any more.
  package func close() {
    SocketThread.shared.perform { [self] in end() }
  }
}
