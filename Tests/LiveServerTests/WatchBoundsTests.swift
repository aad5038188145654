import ClientInterface
import LiveServer
import Testing

/// Watching costs little, however much there is and however slow whoever watches.
@Suite struct WatchBoundsTests {
  private func put(_ number: Int) -> String { frame(number, "p", #"{"p":"/a","d":1}"#) }

  @Test func `of many messages some are told, and how many more there were`() throws {
    var table = try Watching()
    let socket = table.look()
    let (alice, bob) = (table.connect(), table.connect())
    for number in 1...500 { table.say(put(number), over: alice) }
    table.say(put(1), over: bob)

    let received = try table.received(socket)
    #expect(received.filter { $0.hasPrefix("in 1") || $0.hasPrefix("out 1") }.count == 100)
    #expect(received.contains("in 2: put /a 1"))
    #expect(received.last == "more 1: 901")
    table.say(put(501), over: alice)
    #expect(try table.received(socket) == ["more 1: 2"])
    table.flush(after: .seconds(1))
    table.say(put(502), over: alice)
    #expect(try table.received(socket) == ["in 1: put /a 1", "out 1: ok 502 (put /a 1)"])
  }

  @Test func `many connections together have a bound too, and are counted together`() throws {
    var table = try Watching()
    let socket = table.look()
    let sockets = (0..<20).map { _ in table.connect() }
    for _ in 0..<40 { for socket in sockets { table.say(put(1), over: socket) } }

    let received = try table.received(socket)
    #expect(received.filter { $0.hasPrefix("in ") || $0.hasPrefix("out ") }.count == 200)
    #expect(received.last?.hasPrefix("more: ") == true, "\(received.last ?? "")")
  }

  @Test func `of many openings some are told`() throws {
    var table = try Watching()
    let socket = table.look()
    for _ in 0..<150 { _ = table.connect() }

    #expect(try table.received(socket).filter { $0.hasPrefix("open ") }.count == 100)
  }

  @Test func `nothing is kept while nobody watches`() throws {
    var table = try Watching()
    let alice = table.connect()
    table.say(put(1), over: alice)
    let socket = table.look()

    #expect(try table.received(socket) == [])
  }

  @Test func `who is slow is told less, and at last nothing`() throws {
    var table = try Watching()
    let socket = table.look()
    let alice = table.connect()
    table.flush(waiting: 1 << 20)
    #expect(table.written(to: socket) == "")
    table.say(put(1), over: alice)
    table.flush(waiting: 1 << 20)
    #expect(table.written(to: socket) == "")
    table.say(put(2), over: alice)
    #expect(
      try table.received(socket) == [
        "more: 4", "in 1: put /a 1", "out 1: ok 2 (put /a 1)",
      ])
    table.flush(after: .seconds(31), waiting: 1 << 20)
    #expect(table.effects.contains(.close(socket, code: 1008, reason: "it does not read")))
    table.say(put(3), over: alice)
    table.flush()
    #expect(table.written(to: socket) == "")
  }

  @Test func `a quiet stream shows that it is alive, and nothing is told too often`() throws {
    var table = try Watching()
    let socket = table.look()
    table.flush(after: .seconds(5))
    #expect(table.written(to: socket) == "")
    table.flush(after: .seconds(6))
    #expect(table.written(to: socket) == ": nothing\n\n")
    _ = table.connect()
    table.flush(after: .milliseconds(50))
    #expect(table.written(to: socket) == "")
    table.flush(after: .milliseconds(50))
    #expect(table.written(to: socket).contains("\"open\""))
  }

  @Test func `a character as long as a message is cut too`() throws {
    var table = try Watching()
    let socket = table.look()
    let marks = String(repeating: "\u{301}", count: 100_000)
    table.say(frame(1, "p", "{\"p\":\"/a\",\"d\":\"e\(marks)\"}"), over: table.connect())

    table.flush()
    #expect(table.written(to: socket).utf8.count < 6000)
    let body = #"{"namespace":"default","places":[{"path":"/a"}]}"#
    let answer = table.ask("POST", "/.kennel/tree", body)
    #expect((answer?.body.count ?? 0) < 2000)
  }
}
