import ClientEngine
import Foundation
import ServerHost
import System
import TestKit
import Testing
import Tree

@Suite struct ServeSessionTests {
  @Test func `a program serves in ten lines`() throws {
    var options = ServerOptions()
    options.data = Node(json: ["a": ["b": 1]])
    let session = try ServeSession(options)
    let client = Client(asking: "/a.json")
    try session.run(until: { client.hasAnswer }) { start throws(Failure) in
      client.connect(to: start.port)
    }

    #expect(client.answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(client.answer.contains("\r\n\r\n{\"b\":1}"))
  }

  @Test func `the port for control and the steps that are done are known at the start`() throws {
    var options = ServerOptions()
    options.controlPort = 0
    var starts: [ServeSession.Start] = []

    try ServeSession(options).run(until: { true }) { start throws(Failure) in starts.append(start) }

    #expect(starts.count == 1)
    #expect(starts.first.map { $0.port > 0 && ($0.controlPort ?? 0) > 0 } == true)
    #expect(starts.first?.scenarioNotes == nil)
  }

  @Test(arguments: [
    ("localhost:5000", "has no http:// or https:// in front; expected http://localhost:5000"),
    ("[::1]:{port}", "has no http:// or https:// in front; expected http://[::1]:{port}"),
    ("127.0.0.1", "has no http:// or https:// in front; expected http://127.0.0.1"),
    ("[::1]:80", "has no http:// or https:// in front; expected http://[::1]:80"),
    ("5000", "has no http:// or https:// in front; expected http://127.0.0.1:5000"),
    ("a.b.com/?ns=x", "has no http:// or https:// in front; expected https://a.b.com/?ns=x"),
    ("http:/localhost", "is no address of a database; did you mean \"http://localhost\"?"),
    ("wss:a.b.com", "is no address of a database; did you mean \"wss://a.b.com\"?"),
    (
      "ftp://a.b",
      "is no address of a database; expected one such as http://127.0.0.1:5000/?ns=test"
    ),
    ("http://", "is no address of a database; expected one such as http://127.0.0.1:5000/?ns=test"),
    (
      "localhost:x",
      "is no address of a database; expected one such as http://127.0.0.1:5000/?ns=test"
    ),
  ])
  func `an address without its beginning is completed`(text: String, problem: String) {
    #expect(ServerOptions.objection(toURL: text) == "\(text) \(problem)")
  }

  @Test func `what is thrown at the start ends the server`() throws {
    let session = try ServeSession(ServerOptions())

    #expect {
      try session.run(until: { true }) { _ throws(Failure) in throw .unusable("no") }
    } throws: { ($0 as? Failure)?.description == "no" }
  }

  @Test func `recordings that cannot be written are reported once`() throws {
    let folder = try Folder()
    var warnings: [String] = []
    var options = ServerOptions()
    options.recordingFolder = folder.url.path
    options.warn = { warnings.append($0) }
    let session = try ServeSession(options)
    let client = Client(asking: "/a.json", method: "PUT")
    try FileManager.default.removeItem(at: folder.url)
    try session.run(until: { client.hasAnswer }) { start throws(Failure) in
      client.connect(to: start.port)
    }

    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasSuffix(".trace.jsonl: No such file or directory") == true,
      "\(warnings)")
  }

  @Test func `a port that another program has on IPv6 is reported`() throws {
    let other = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(other) }
    guard let port = Self.listen(other) else { return }  // A machine without IPv6.
    var warnings: [String] = []
    var options = ServerOptions()
    options.port = port
    options.warn = { warnings.append($0) }

    try ServeSession(options).run(until: { true }) { _ throws(Failure) in }

    #expect(
      warnings == [
        "port \(port) of ::1 belongs to another program, which localhost may lead to; use 127.0.0.1"
      ])
  }

  @Test func `a server that is not there yet is told at the start and to each client`() throws {
    let port = try #require(LoopbackSocket.freePort())
    var warnings: [String] = []
    var options = ServerOptions()
    options.upstream = DatabaseAddress.parse("http://127.0.0.1:\(port)/?ns=test")?.0
    options.warn = { warnings.append($0) }
    let client = Client(asking: "/.lp?start=t&ns=test")
    let deadline = Date(timeIntervalSinceNow: 10)
    try ServeSession(options).run(until: { warnings.count > 1 || Date() > deadline }) {
      start throws(Failure) in client.connect(to: start.port)
    }

    let (toClient, atStart) = (warnings.min() ?? "", warnings.max() ?? "")
    #expect(toClient.hasPrefix("connection 1 (client-1): the server is not reached: "))
    #expect(
      atStart
        == "no server accepts connections at 127.0.0.1:\(port) yet; clients are connected once one does"
    )
    #expect(warnings.count == 2)
  }

  /// Listens on a free port of ::1 alone.
  private static func listen(_ descriptor: Int32) -> Int? {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return bind(descriptor, start, size) == 0 && Glibc.listen(descriptor, 1) == 0
        && getsockname(descriptor, start, &size) == 0
    }
    return isBound ? Int(in_port_t(bigEndian: address.sin6_port)) : nil
  }

  @Test func `data that are none are refused with the file`() throws {
    let folder = try Folder()
    try folder.write(#"{"a":}"#, to: "data.json")
    let file = folder.path("data.json")

    #expect {
      try ServerOptions.readData(file)
    } throws: { ($0 as? Failure)?.description.hasPrefix("\(file):1:") == true }
  }
}

/// A client that asks one thing. It never waits, so that the server can run in the same thread.
final class Client {
  private let descriptor: Int32
  private let request: String
  private(set) var answer = ""

  init(asking path: String, method: String = "GET") {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let body = method == "GET" ? "" : "1"
    request =
      "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
  }

  deinit { close(descriptor) }

  /// The system takes connections for a server that listens, before it accepts them.
  func connect(to port: Int) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    _ = withUnsafeBytes(of: &address) { bytes in
      Glibc.connect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    _ = Array(request.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Whether the server has sent everything and closed the connection.
  var hasAnswer: Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 12)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count > 0 { answer += String(decoding: bytes[..<count], as: UTF8.self) }
    return count == 0
  }
}
