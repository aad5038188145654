import Glibc
package import LiveServer
package import System

/// Serves a page on a port of this machine, one request after another.
package struct Loopback {
  private let listener: Int32
  /// The port on which it listens.
  package let port: Int

  /// How long a connection may wait for its request, in nanoseconds.
  private static let patience: Int64 = 60_000_000_000
  /// How long a request may be, in bytes.
  private static let limit = 8 << 20

  /// Listens on 127.0.0.1.
  ///
  /// - Parameter port: The port; 0 for a free one.
  /// - Throws: `Failure.notStarted` when the port is not free.
  package init(port: Int) throws(Failure) {
    guard let (listener, own) = LoopbackSocket.listening(at: port) else {
      throw .notStarted(
        "port \(port) of 127.0.0.1 is not free: \(Files.lastReason()); --port 0 takes a free one")
    }
    self.listener = listener
    self.port = own
  }

  /// Answers requests until a signal asks for the end.
  ///
  /// Browsers open connections before they need them, so none may keep the others waiting.
  ///
  /// - Parameters:
  ///   - respond: The answer to a request.
  ///   - work: Does a piece of work while there is nothing to answer, and returns whether there is more.
  package func serve(_ respond: (HTTPRequest) -> HTTPResponse, meanwhile work: () -> Bool) {
    var waiting: [Connection] = []
    var hasWork = true
    var hasAnswered = false
    while !Interrupt.hasCome() {
      // A page asks for several things, one after the other: they come before the next piece of work.
      let patience: Int32 = hasWork ? (hasAnswered ? 20 : 0) : 200
      var entries = ([listener] + waiting.map(\.descriptor)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = poll(&entries, nfds_t(entries.count), patience)
      hasAnswered = ready > 0
      // An answer may be the reason for more work.
      hasWork = ready == 0 ? work() : true
      guard ready >= 0 else { continue }
      var open: [Connection] = []
      for (index, entry) in entries.dropFirst().enumerated() {
        var connection = waiting[index]
        let isOpen = entry.revents == 0 ? !connection.isIdle : connection.advance(respond)
        if isOpen { open.append(connection) } else { close(connection.descriptor) }
      }
      if entries[0].revents != 0, let connection = accept() { open.append(connection) }
      waiting = open
    }
    for connection in waiting { close(connection.descriptor) }
    close(listener)
  }

  private func accept() -> Connection? {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return Connection(descriptor: descriptor)
  }

  /// One connection, with one request: browsers open another one for the next.
  private struct Connection {
    let descriptor: Int32
    private var reader = RequestReader(maxBodyBytes: Loopback.limit)
    private let start = Measurement.now

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether it has had no request for so long that it is closed.
    var isIdle: Bool { Measurement.now - start > Loopback.patience }

    /// Takes what has arrived, and answers a request that is complete.
    ///
    /// - Returns: Whether more is to come.
    mutating func advance(_ respond: (HTTPRequest) -> HTTPResponse) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return false }
      reader.append(buffer[..<count])
      switch reader.next() {
      case .nothing: return true
      case .expectContinue:
        write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        return true
      case let .request(request, _), let .webSocket(request, _): answer(respond(request))
      case let .refusal(response): answer(response)
      }
      return false
    }

    private func answer(_ response: HTTPResponse) {
      write(response.head(isLast: true) + response.body)
      shutdown(descriptor, Int32(SHUT_WR))
    }

    private func write(_ bytes: [UInt8]) {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        sent += count
      }
    }
  }
}
