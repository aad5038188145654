import Foundation
import Glibc
import TestKit

/// Certificates of an authority that exists for one test only, and servers that use them.
final class ThrowawayAuthority {
  private let folder: Folder

  /// The file of the authority's own certificate.
  var file: String { path("ca.pem") }

  init() throws {
    folder = try Folder()
    try Self.openssl(
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path("ca.key"), "-out", file,
      "-days", "2", "-subj", "/CN=throwaway")
  }

  /// A certificate for a host that ends so many days from now.
  func sign(_ host: String, days: Int) throws {
    try folder.write("subjectAltName=DNS:\(host)", to: "names")
    try Self.openssl(
      "req", "-newkey", "rsa:2048", "-nodes", "-keyout", path("key"), "-out", path("request"),
      "-subj", "/CN=\(host)")
    try Self.openssl(
      "x509", "-req", "-in", path("request"), "-CA", file, "-CAkey", path("ca.key"),
      "-CAcreateserial", "-days", "\(days)", "-extfile", path("names"), "-out", path("pem"))
  }

  /// A server with the certificate that was signed last. What it receives goes to a plain server at
  /// another port, and the other way round.
  ///
  /// - Returns: What ends it, and what has it hold still, with its connections open.
  func serve(port: Int, before plainPort: Int?) throws -> (end: () -> Void, hold: () -> Void) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "s_server", "-quiet", "-accept", "\(port)", "-cert", path("pem"), "-key",
      path("key"),
    ]
    let socket = plainPort.map { Self.connect(to: $0) }
    let handle = socket.map { FileHandle(fileDescriptor: $0) }
    process.standardInput = handle ?? Pipe()
    process.standardOutput = handle ?? Pipe()
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = {
      // The threads of dispatch queues block SIGTERM, and a child inherits that.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if let socket { close(socket) }
    }
    return (end, { kill(process.processIdentifier, SIGSTOP) })
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private static func openssl(_ arguments: String...) throws {
    let outcome = try Program(path: "/usr/bin/env").run(["openssl"] + arguments)
    if outcome.status != 0 { throw CocoaError(.executableLoad) }
  }

  private static func connect(to port: Int) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = LocalPort.address(port)
    _ = withUnsafeBytes(of: &address) {
      Glibc.connect(
        descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t(MemoryLayout<sockaddr_in>.size))
    }
    return descriptor
  }
}

/// A port of this machine: one without a server, or one where something else answers.
enum LocalPort {
  static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
  }

  /// A port that was free a moment ago.
  static func free() -> Int {
    let (descriptor, port) = listening(at: 0)
    close(descriptor)
    return port
  }

  /// Answers each connection with these bytes, and closes it when the client has sent something;
  /// without bytes it never answers.
  ///
  /// - Returns: The port, and what ends it.
  static func answering(_ bytes: [UInt8]?) -> (port: Int, end: () -> Void) {
    let (descriptor, port) = listening(at: 0)
    Thread.detachNewThread {
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        guard let bytes else { continue }
        var request = [UInt8](repeating: 0, count: 4096)
        _ = read(client, &request, request.count)
        _ = write(client, bytes, bytes.count)
        close(client)
      }
    }
    return (port, { shutdown(descriptor, Int32(SHUT_RDWR)) })
  }

  private static func listening(at port: Int) -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = address(port)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) {
      let pointer = $0.assumingMemoryBound(to: sockaddr.self).baseAddress
      _ = bind(descriptor, pointer, length)
      _ = listen(descriptor, 16)
      _ = getsockname(descriptor, pointer, &length)
    }
    return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
  }
}
