import ClientEngine
import ClientInterface
import ClientMachine
import Dispatch
import Foundation
import ReferenceClient
import Synchronization
import TestKit
import Testing
import Tree

extension RealSocketTests {
  /// What becomes of servers that are not there, not who they say they are, or none.
  @Suite struct BadServerTests {
    /// A database, and what its developer and its application learn of the connection.
    final class Client: Sendable {
      private let log = Mutexed<[String]>([])
      private let connections = Mutexed<[Bool]>([])
      private let reported = Mutexed<[SyncProblem]>([])
      private let engine: Engine

      init(
        _ url: String, trusting file: String? = nil, emulator: String? = nil,
        findHost: Application.HostFinder? = nil
      ) throws {
        var configuration = Application.Configuration()
        configuration.callbackQueue = LocalServer.callbacks
        configuration.authorities = file
        configuration.isLogging = true
        configuration.emulator = emulator
        configuration.findHost = findHost
        let (log, connections, reported) = (log, connections, reported)
        configuration.problemHandler = { problem in reported.change { $0.append(problem) } }
        configuration.logger = { line in log.change { $0.append(line) } }
        let (address, _) = try #require(DatabaseAddress.parse(url))
        engine = MachinePlatform.makeEngine(address, .firebase, configuration)
        let info = Location(engine).child(".info/connected")
        _ = info.observe(
          .value,
          { snapshot, _ in
            connections.change { $0.append(snapshot.node.json == true) }
          }, cancel: nil)
      }

      deinit { engine.end() }

      /// What `.info/connected` has shown, without what was there before there was a connection.
      var connectedness: [Bool] { Array(connections.value.drop { !$0 }) }
      /// How many connections could not be made.
      var refusals: Int { log.value.count { $0.hasPrefix("no connection to ") } }
      var isConnected: Bool { connectedness.last ?? false }
      /// What its application was told.
      var problems: [SyncProblem] { reported.value }

      /// What was logged first, when so many lines are there.
      func firstLine(of count: Int = 1) async -> String {
        #expect(await eventually { log.value.count >= count })
        return log.value.first ?? ""
      }

      func logs(_ line: String) async -> Bool { await eventually { log.value.contains(line) } }

      func connects() async -> Bool { await eventually { isConnected } }
    }

    /// A value for several threads.
    final class Mutexed<Value: Sendable>: Sendable {
      private let mutex: Mutex<Value>
      init(_ value: Value) { mutex = Mutex(value) }
      var value: Value { mutex.withLock { $0 } }
      func change(_ work: (inout Value) -> Void) { mutex.withLock { work(&$0) } }
    }

    @Test func `an encrypted connection is made to a host that the authority vouches for`()
      async throws
    {
      let authority = try ThrowawayAuthority()
      try authority.sign("localhost", days: 1)
      try await LocalServer.with { server in
        let port = LocalPort.free()
        let end = try authority.serve(port: port, before: URL(string: server)?.port).end
        defer { end() }
        let client = try Client("https://localhost:\(port)/?ns=tls&v=5", trusting: authority.file)

        let connects = await client.connects()
        #expect(connects)
      }
    }

    struct Certificate: CustomTestStringConvertible {
      var host: String
      var days = 1
      var isTrusted = true
      var testDescription: String { isTrusted ? "\(host), \(days)" : "unknown authority" }
    }

    @Test(arguments: [
      Certificate(host: "localhost", isTrusted: false),
      Certificate(host: "other.test"),
      Certificate(host: "localhost", days: -1),
    ])
    func `a certificate that does not fit is refused`(given: Certificate) async throws {
      let authority = try ThrowawayAuthority()
      try authority.sign(given.host, days: given.days)
      let port = LocalPort.free()
      let end = try authority.serve(port: port, before: nil).end
      defer { end() }
      let client = try Client(
        "https://localhost:\(port)/?ns=tls&v=5", trusting: given.isTrusted ? authority.file : nil)
      // The first attempt may come before the server listens.
      let isRefused = await client.logs(
        "no connection to localhost:\(port): "
          + "its certificate is not trusted, is for another host or has expired,"
          + " or it does not encrypt")

      #expect(isRefused)
      #expect(!client.isConnected)
    }

    @Test func `a refused connection is tried again until there is a server`() async throws {
      let port = LocalPort.free()
      let client = try Client("http://127.0.0.1:\(port)/?ns=later&v=5")
      let line = await client.firstLine()

      #expect(line.hasPrefix("no connection to 127.0.0.1:\(port): "), "\(line)")
      try await LocalServer.with(port: port) { _ in
        let connects = await client.connects()
        #expect(connects)
      }
      #expect(client.problems.first?.description == line)
    }

    @Test func `a name server that does not answer stops nobody else`() async throws {
      let silence = DispatchSemaphore(value: 0)
      defer { silence.signal() }
      try await LocalServer.with { server in
        let port = URL(string: server)?.port ?? 0
        let waiting = try Client(
          "http://silent.localhost:\(port)/?ns=a&v=5",
          findHost: { _ in
            silence.wait()
            return []
          })
        let client = try Client(
          "http://other.localhost:\(port)/?ns=b&v=5",
          findHost: { _ in ["127.0.0.2", "127.0.0.1"] })

        let connects = await client.connects()
        #expect(connects)
        #expect(client.refusals == 0, "the second address is tried at once")
        #expect(!waiting.isConnected)
      }
    }

    @Test func `a name that is not known is said`() async throws {
      let client = try Client("http://nowhere.test/?ns=a&v=5", findHost: { _ in [] })
      let line = await client.firstLine()

      #expect(line == "no connection to nowhere.test: the name nowhere.test is not known")
    }

    @Test func `a server of this machine can stand in for that of an address`() async throws {
      try await LocalServer.with { server in
        let port = URL(string: server)?.port ?? 0
        let client = try Client("https://app.wilddogio.com/", emulator: "127.0.0.1:\(port)")

        let connects = await client.connects()
        #expect(connects)
      }
    }

    @Test(arguments: [
      "", "nothing of the kind\r\n\r\n", "HTTP/1.1 500 no\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: wrong\r\n\r\n",
    ])
    func `a server that is none is tried again`(answer: String) async throws {
      for dialect in ["", "&v=5"] {
        let (port, end) = LocalPort.answering(Array(answer.utf8))
        defer { end() }
        let client = try Client("http://127.0.0.1:\(port)/?ns=none\(dialect)")
        let line = await client.firstLine(of: 2)

        #expect(line.hasPrefix("no connection to 127.0.0.1:\(port): "), "\(line)")
        #expect(!client.isConnected)
      }
    }

    @Test(.enabled(if: getenv("KENNEL_SLOW") != nil))
    func `a server that never answers is given up after 20 seconds`() async throws {
      let (port, end) = LocalPort.answering(nil)
      defer { end() }
      let client = try Client("https://127.0.0.1:\(port)/?ns=silent&v=5")
      let other = try Client("http://127.0.0.1:\(port)/?ns=silent&v=5")
      try await Task.sleep(for: .seconds(12))
      let line = await client.firstLine()

      #expect(line.hasPrefix("no connection to 127.0.0.1:\(port): "), "\(line)")
      let otherLine = await other.firstLine()
      #expect(otherLine.hasPrefix("no connection to 127.0.0.1:\(port): "), "\(otherLine)")
    }
  }
}
