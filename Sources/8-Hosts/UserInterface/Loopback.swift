import Glibc
package import HTTP
package import System

/// Serves a page on a port of this machine, one request after another.
package struct Loopback {
  private let listener: Int32
  /// The port on which it listens.
  package let port: Int

  /// How long a client may take for its request, in milliseconds.
  private static let patience: Int32 = 5_000
  /// How long a request may be, in bytes.
  private static let limit = 8 << 20

  /// Listens on 127.0.0.1.
  ///
  /// - Parameter port: The port; 0 for a free one.
  /// - Throws: `Failure.notStarted` when the port is not free.
  package init(port: Int) throws(Failure) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(listener, name, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, name, &size) == 0
      }
    }
    guard isBound else {
      throw .notStarted("port \(port) of 127.0.0.1 is not free: \(Files.lastReason())")
    }
    self.listener = listener
    self.port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Answers requests until a signal asks for the end.
  package func serve(_ respond: (HTTPRequest) -> HTTPResponse) {
    while !Interrupt.hasCome() {
      guard Self.canRead(listener, within: 200) else { continue }
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      Self.serve(connection, respond)
      close(connection)
    }
    close(listener)
  }

  /// One request a connection: browsers open another one for the next.
  private static func serve(_ connection: Int32, _ respond: (HTTPRequest) -> HTTPResponse) {
    var reader = RequestReader(maxBodyBytes: limit)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while canRead(connection, within: patience) {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return }
      reader.append(buffer[..<count])
      switch reader.next() {
      case .nothing: continue
      case .expectContinue: write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection)
      case let .request(request, _): return answer(respond(request), to: connection)
      case let .webSocket(request, _): return answer(respond(request), to: connection)
      case let .refusal(response): return answer(response, to: connection)
      }
    }
  }

  private static func answer(_ response: HTTPResponse, to connection: Int32) {
    write(response.head(isLast: true) + response.body, to: connection)
    shutdown(connection, Int32(SHUT_WR))
  }

  private static func write(_ bytes: [UInt8], to connection: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  private static func canRead(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }
}
