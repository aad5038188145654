import ClientInterface
import LiveServer
import RunModel
import Testing

/// What whoever runs the server is told of clients that do what a server can live with.
@Suite struct HygieneTests {
  private func findings(
    _ requests: (String, String)..., after seconds: Int = 0, _ last: (String, String)? = nil
  ) -> [String] {
    var table = Table()
    let alice = table.connect()
    for (index, request) in (requests + [last].compactMap { $0 }).enumerated() {
      if index == requests.count { table.now = table.now + .seconds(seconds) }
      let number = request.0 == "s" && last == nil ? 1 : index + 1
      table.say(
        #"{"t":"d","d":{"r":\#(number),"a":"\#(request.0)","b":\#(request.1)}}"#, over: alice)
    }
    return table.effects.compactMap { effect in
      guard case let .found(finding, 1) = effect, !finding.isNote else { return nil }
      return finding.sentence
    }
  }

  private let listen = ("q", #"{"p":"/a","h":""}"#)
  private let unlisten = ("n", #"{"p":"/a"}"#)

  private func window(_ path: String, _ limit: Int, tag: Int) -> (String, String) {
    ("q", #"{"p":"\#(path)","q":{"l":\#(limit),"vf":"l"},"t":\#(tag),"h":""}"#)
  }

  @Test func `of a client that does nothing wrong nothing is told`() {
    #expect(
      findings(listen, unlisten, window("/a", 1, tag: 1), window("/a", 2, tag: 2), listen) == [])
  }

  @Test func `request numbers increase`() {
    #expect(
      findings(listen, ("s", #"{"c":{}}"#)) == [
        "request 1, stats, has the number of the request before it; each has a larger number than "
          + "all before it, also on a new connection (WIR-12)"
      ])
  }

  @Test func `a listen is made once`() {
    #expect(
      findings(listen, listen) == [
        "request 2 listens to /a, which request 1 listens to already; one listen serves all "
          + "listeners (WIR-4)"
      ])
    #expect(
      findings(window("/a", 1, tag: 1), window("/a", 1, tag: 2)) == [
        "request 2 listens to a query at /a, which request 1 listens to already; one listen serves "
          + "all listeners (WIR-4)"
      ])
  }

  @Test func `a listen to everything covers those below, if they stay`() {
    #expect(findings(listen, ("q", #"{"p":"/a/b","h":""}"#)) == [])
    #expect(
      findings(listen, ("q", #"{"p":"/a/b","h":""}"#), after: 3, ("s", #"{"c":{}}"#)) == [
        "request 2 listens to /a/b, which the listen to /a covers; take it back, the other one "
          + "brings its data (WIR-4)"
      ])
  }

  @Test func `a tag is that of one listen`() {
    #expect(
      findings(window("/a", 1, tag: 1), window("/b", 1, tag: 1))
        == [
          "request 2 gives the listen to /b the tag 1, which that to /a has; a tag is given to "
            + "another query when its listen has ended (WIR-7)"
        ])
  }

  @Test func `only what is in place is ended`() {
    #expect(
      findings(unlisten) == [
        "request 1 takes back the listen to /a, which is not in place; take back only what was "
          + "listened to and not refused or ended since (WIR-4)"
      ])
  }

  @Test func `a second connection of one client is a note, unless it names the first`() {
    for (session, notes) in [("ls=session9", 2), ("ls=session1", 0)] {
      var table = Table()
      _ = (table.connect("client=alice"), table.connect("client=alice", session))
      let found = table.effects.compactMap { effect -> WireFinding? in
        if case let .found(finding, _) = effect { finding } else { nil }
      }
      #expect(found.count == notes, "\(found.map(\.sentence))")
      #expect(found.allSatisfy { $0.isNote })
      #expect(table.live.client(of: 2) == "alice")
    }
  }

  @Test func `who was refused has a name all the same`() {
    var table = Table()
    let alice = table.connect("client=alice")
    table.say("[", over: alice)
    #expect(table.live.connectionCount == 0)
    #expect(table.live.client(of: 1) == "alice")
    #expect(table.live.client(of: 2) == nil)
  }

  @Test func `of one connection only so much is told`() {
    var table = Table()
    let alice = table.connect()
    for _ in 0..<50 {
      table.say(#"{"t":"d","d":{"r":1,"a":"n","b":{"p":"/a"}}}"#, over: alice)
    }

    #expect(table.effects.count { if case .found = $0 { true } else { false } } == 20)
    #expect(
      table.effects.contains(
        .reportProblem("more findings follow and are not shown", connection: 1)))
  }
}
