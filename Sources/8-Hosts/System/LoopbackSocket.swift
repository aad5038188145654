import Glibc

/// Plain TCP on this machine.
package enum LoopbackSocket {
  /// A socket that listens at a port of 127.0.0.1.
  ///
  /// - Parameter port: The port; 0 for a free one.
  /// - Returns: The socket with its port; nil where the port is not free, and `errno` says why.
  package static func listening(at port: Int) -> (descriptor: Int32, port: Int)? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(descriptor, name, size) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, name, &size) == 0
      }
    }
    guard isBound else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A port that was free just now; nil where there is none.
  package static func freePort() -> Int? {
    guard let (descriptor, port) = listening(at: 0) else { return nil }
    close(descriptor)
    return port
  }

  /// A socket that is connected to a port of a host, this one unless stated; nil where it is not accepted.
  package static func connected(to port: UInt16, of host: String = "127.0.0.1") -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var next = list
    while let entry = next?.pointee {
      let kind = entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(entry.ai_family, kind, entry.ai_protocol)
      if connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return descriptor }
      close(descriptor)
      next = entry.ai_next
    }
    return nil
  }
}
