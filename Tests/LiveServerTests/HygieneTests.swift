import LiveServer
import Testing

/// What whoever runs the server is told of clients that do what a server can live with.
@Suite struct HygieneTests {
  private func findings(_ requests: (String, String)...) -> [String] {
    var table = Table()
    let alice = table.connect()
    for (index, request) in requests.enumerated() {
      let number = request.0 == "s" ? 1 : index + 1
      table.say(
        #"{"t":"d","d":{"r":\#(number),"a":"\#(request.0)","b":\#(request.1)}}"#, over: alice)
    }
    return table.effects.compactMap { effect in
      guard case let .complain(text, 1) = effect else { return nil }
      return text
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
      findings(listen, ("s", #"{"c":{}}"#)) == ["request 1 comes after request 1 (WIR-12)"])
  }

  @Test func `a listen is made once`() {
    #expect(findings(listen, listen) == ["it listens to /a twice (WIR-4)"])
    #expect(
      findings(window("/a", 1, tag: 1), window("/a", 1, tag: 2))
        == ["it listens to /a twice (WIR-4)"])
  }

  @Test func `a listen to everything covers those below`() {
    #expect(
      findings(listen, ("q", #"{"p":"/a/b","h":""}"#))
        == ["it listens to /a/b, which the listen to /a covers (WIR-4)"])
    #expect(
      findings(listen, window("/a", 1, tag: 1))
        == ["it listens to /a, which the listen to /a covers (WIR-4)"])
  }

  @Test func `a tag is that of one listen`() {
    #expect(
      findings(window("/a", 1, tag: 1), window("/b", 1, tag: 1))
        == ["tag 1 at /b is that of the listen to /a (WIR-7)"])
  }

  @Test func `only what is in place is ended`() {
    #expect(findings(unlisten) == ["it ends a listen to /a that is not in place (WIR-4)"])
  }

  @Test func `of one connection only so much is told`() {
    var table = Table()
    let alice = table.connect()
    for _ in 0..<50 {
      table.say(#"{"t":"d","d":{"r":1,"a":"n","b":{"p":"/a"}}}"#, over: alice)
    }

    #expect(table.effects.count { if case .complain = $0 { true } else { false } } == 21)
  }
}
