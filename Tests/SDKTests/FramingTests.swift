import ClientMachine
import Testing
import Wire

/// What arrives over one connection, without sockets.
@Suite struct FramingTests {
  private let hello = #"{"t":"c","d":{"t":"h","d":{"ts":1,"v":"5","h":"a.test","s":"s"}}}"#

  @Test func `Firebase's framing opens with the socket, and puts segments together`() {
    var framing = Framing(.firebase)

    #expect(Self.texts(framing.socketOpened()) == ["opened"])
    #expect(framing.isOpen)
    #expect(Self.texts(framing.receive("2")) == [])
    #expect(Self.texts(framing.receive(String(hello.prefix(20)))) == [])
    #expect(Self.texts(framing.receive(String(hello.dropFirst(20)))) == ["message"])
    #expect(Self.texts(framing.receive("0")) == [])
  }

  @Test func `engine.io opens after its probe, with what came before`() {
    var framing = Framing(.wilddog)
    let body = Self.body(#"0{"sid":"s1","pingInterval":2000}"#) + Self.body("40")

    #expect(Self.texts(framing.receive(handshake: body)) == ["upgrade s1"])
    #expect(Self.texts(framing.socketOpened()) == ["send 2probe"])
    #expect(Self.texts(framing.receive("42[\"wd\",\(hello)]")) == [])
    #expect(!framing.isOpen)
    #expect(Self.texts(framing.receive("3probe")) == ["send 5", "opened", "message"])
    #expect(framing.isOpen)
    #expect(framing.pingInterval == 2)
    #expect(framing.pingTimeout == 60)
    #expect(Self.texts(framing.receive("2x")) == ["send 3x"])
  }

  @Test func `an answer to a ping is noticed`() {
    var framing = Framing(.wilddog)

    #expect(framing.ping() == "2")
    #expect(!framing.isPingAnswered)
    #expect(Self.texts(framing.receive("3")) == [])
    #expect(framing.isPingAnswered)
  }

  @Test(arguments: [
    "", "nothing", "1:0", body(#"4{"sid":"s"}"#), body(#"0{"sid":1}"#), body(#"0{"sid":"a b"}"#),
    body(#"0{"sid":"a\r\nb"}"#), body("0{\"sid\":\"\(String(repeating: "a", count: 201))\"}"),
  ])
  func `a handshake that is none ends the attempt`(body: String) {
    var framing = Framing(.wilddog)

    #expect(
      Self.texts(framing.receive(handshake: body))
        == ["end: the answer is no handshake of engine.io"])
  }

  @Test(arguments: [("1e300", 86_400), ("-5", 1), ("true", 25)])
  func `a time that no clock can wait for is not waited for`(stated: String, seconds: Double) {
    var framing = Framing(.wilddog)

    _ = framing.receive(handshake: Self.body(#"0{"sid":"s","pingInterval":\#(stated)}"#))
    #expect(framing.pingInterval == seconds)
  }

  @Test(arguments: [
    ("1", "the server closes"), ("x", "a packet that is none of engine.io"),
    ("", "a packet that is none of engine.io"),
    ("4x", "a packet begins with \"x\"; events begin with 2"),
    ("42[1]", "an event is no [\"wd\", MESSAGE]"),
  ])
  func `a packet that is none ends the connection`(packet: String, reason: String) {
    var framing = Framing(.wilddog)
    _ = framing.receive(handshake: Self.body(#"0{"sid":"s"}"#))
    _ = framing.receive("3probe")

    #expect(Self.texts(framing.receive(packet)) == ["end: \(reason)"])
  }

  @Test(arguments: [Dialect.firebase, .wilddog])
  func `a message that is none ends the connection`(dialect: Dialect) {
    var framing = Framing(dialect)
    _ = framing.receive(handshake: Self.body(#"0{"sid":"s"}"#))
    _ = framing.socketOpened()
    _ = framing.receive("3probe")

    let steps = Self.texts(framing.receive(dialect == .firebase ? "{" : #"42["wd",7]"#))
    #expect(steps.count == 1)
    #expect(steps[0].hasPrefix("end: what the server sent is no message: "), "\(steps)")
  }

  /// The body of an answer with one packet.
  private static func body(_ packet: String) -> String { "\(packet.count):\(packet)" }

  private static func texts(_ steps: [Framing.Step]) -> [String] {
    steps.map { step in
      switch step {
      case .opened: "opened"
      case .message: "message"
      case let .send(text): "send \(text)"
      case let .upgrade(session): "upgrade \(session)"
      case let .end(reason): "end: \(reason)"
      }
    }
  }
}
