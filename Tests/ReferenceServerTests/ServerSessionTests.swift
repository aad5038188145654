import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct ConnectionTests {
  @Test func `a connection is greeted with the time, the version, the host and its session`() {
    var harness = Harness(connections: 0)

    let sent = harness.open(7)

    #expect(
      sent == [
        #"7: {"t":"c","d":{"t":"h","d":{"ts":1480000000000,"v":"1.0","h":"test.example","#
          + #""s":"session7"}}}"#
      ])
  }

  @Test func `a keep-alive is answered`() {
    var harness = Harness()

    let sent = harness.collect {
      $0.server.receive(.ping, from: .init(0), at: $0.now, into: &$1)
    }

    #expect(sent == [#"0: {"t":"c","d":{"t":"o","d":{}}}"#])
  }

  @Test(arguments: [
    Request.stats([.init("sdk.js.2-0-0", 1)]), .unauthenticate,
  ])
  func `requests about the connection are answered with an empty text`(request: Request) {
    var harness = Harness()

    #expect(harness.send(request) == [#"0: ok """#])
  }

  @Test func `a request of a connection that is not open is lost`() {
    var harness = Harness()
    _ = harness.close(0)

    let sent = harness.send(.put("a", 1))

    #expect(sent == [])
    #expect(harness.tree == "null")
  }

  @Test func `a closed connection receives nothing more and leaves nothing behind`() {
    var harness = Harness(connections: 2)
    _ = harness.send(.listen("a"))
    _ = harness.send(.onDisconnectPut("b", Node(1)))
    _ = harness.close(0)

    let sent = harness.send(.put("a", 1), from: 1)

    #expect(sent == ["1: ok {}"])
    #expect(harness.server.openConnections == [.init(1)])
    #expect(harness.server.resources(of: .init(0)) == .init())
  }

  @Test func `connections are told in order of their numbers, however they were opened`() {
    var harness = Harness(connections: 0)
    for number in [3, 1, 2] {
      _ = harness.open(number)
      _ = harness.send(.listen("a"), from: number)
    }

    #expect(harness.write(.put("a", Node(1))) == ["1: put /a 1", "2: put /a 1", "3: put /a 1"])
  }
}
