import ClientInterface
import Document
import Faults
import LiveServer
import Testing
import Tree
import Wire

/// A server elsewhere that does what clients ask.
@Suite struct RelayTests {
  private var net: Net

  init() {
    var settings = LiveServerSettings()
    settings.isRelay = true
    net = Self.net(settings)
  }

  private static func net(_ settings: LiveServerSettings) -> Net {
    var net = Net(FaultyServer(LiveServer(settings), clients: ["alice", "bob"]))
    net.inject(.latency(.fixed(.zero), nil))
    return net
  }

  /// What was handed on since this was asked last.
  private mutating func relayed() -> [String] {
    defer { net.effects = [] }
    return net.effects.compactMap { effect in
      guard case let .relay(relayed, connection) = effect else { return nil }
      return switch relayed {
      case let .opened(dialect): "\(connection) opens \(dialect)"
      case let .message(message): "\(connection) " + message.json(in: .firebase).text
      case .closed: "\(connection) closes"
      case let .change(write): "\(connection) \(write.step) \(write.path)"
      }
    }
  }

  /// The server elsewhere has done its work.
  private mutating func release() {
    net.perform {
      $0.server.isHeld = false
      $0.arriveDue()
    }
  }

  @Test mutating func `one thing after the other arrives there`() {
    net.connect("alice")
    #expect(relayed() == ["1 opens firebase"])
    net.put("alice", "/a", "1")
    net.put("alice", "/a", "2")
    #expect(relayed() == [])
    release()
    #expect(relayed() == [#"1 {"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":1}}}"#])
    release()
    #expect(relayed() == [#"1 {"t":"d","d":{"r":2,"a":"p","b":{"p":"/a","d":2}}}"#])
    release()
    net.leave("alice")
    #expect(relayed() == ["1 closes"])
  }

  @Test mutating func `what it sends has the host and the session of this server`() {
    net.connect("alice")
    release()
    let hello = ServerMessage.Hello(timestamp: 5, version: "5", host: "there:1", session: "x")
    net.perform { net in net.disturb { $0.take(relayed: .hello(hello), on: 1) } }

    let sent = net.effects.compactMap { effect in
      if case let .send(_, text) = effect { text } else { nil }
    }
    let own = #""h":"here:9000","s":"session1""#
    #expect(sent == [#"{"t":"c","d":{"t":"h","d":{"ts":5,"v":"5",\#(own)}}}"#])
  }

  @Test mutating func `its end ends the connection here, and a lost one is closed there`() {
    net.connect("alice")
    release()
    net.connect("bob")
    release()
    _ = relayed()
    net.perform { net in net.disturb { $0.end(relayed: 1) } }
    net.wait(0)
    #expect(net.received("alice") == ["closed"])
    release()
    _ = relayed()
    net.inject(.drop(bob))
    #expect(relayed() == ["2 closes"])
  }

  @Test mutating func `a write of no client is handed on too`() {
    net.inject(.write(.set("/a", Node(.number(1)))))
    #expect(relayed() == ["0 server.set /a"])
  }

  @Test mutating func `a server in between hands everything on at once`() {
    var settings = LiveServerSettings()
    (settings.isRelay, settings.handsOnAtOnce) = (true, true)
    net = Self.net(settings)
    net.connect("alice")
    net.put("alice", "/a", "1")
    net.put("alice", "/a.b", "2")

    #expect(relayed().map { $0.prefix(8) } == ["1 opens ", #"1 {"t":""#, #"1 {"t":""#])
  }
}
