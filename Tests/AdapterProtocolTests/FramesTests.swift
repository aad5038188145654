import AdapterProtocol
import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

/// Several messages in one request.
@Suite struct FramesTests {
  private static let messages = [ServerMessage.put("room", Node(1), tag: nil), .pong]

  /// What a dialogue takes from lines in answer to two messages, or what is wrong with them.
  private func answer(_ lines: [String]) throws -> AdapterDialogue.Answer {
    var dialogue = AdapterDialogue()
    let now = Instant(milliseconds: 0)
    _ = dialogue.ask(.input(client: "a", .open(.init()), at: now))
    try dialogue.receive(Array("{\"idle\":1}\n".utf8)[...])
    _ = dialogue.ask(.frames(client: "a", Self.messages, at: now))
    try dialogue.receive(Array(lines.map { $0 + "\n" }.joined().utf8)[...])
    return dialogue.answer
  }

  private static let log = #"{"log":{"text":"a"}}"#
  private static let next = #"{"next":{}}"#
  private static let disconnect = #"{"disconnect":{}}"#
  private static let idle = #"{"idle":2}"#

  @Test(
    arguments: [
      ([log, next, log, log, idle], 1, [2]), ([next, idle], 0, [0]),
      ([log, disconnect, idle], 2, []), ([next, disconnect, idle], 0, [1]),
    ] as [([String], Int, [Int])])
  func `next stands between what the messages cause, and a closed connection ends it`(
    lines: [String], first: Int, later: [Int]
  ) throws {
    let answer = try answer(lines)

    #expect(answer.outputs.count == first)
    #expect(answer.later.map(\.count) == later)
    #expect(answer.isComplete)
  }

  @Test(
    arguments: [
      ([log, idle], "idle after message 1 of 2; expected \"next\" and the others"),
      ([next, next], "\"next\" follows all but the last message of \"frames\""),
      ([""], "the adapter wrote an empty line; expected one of JSON ("),
      ([disconnect, next], "nothing arrives on a connection that the client has closed"),
    ] as [([String], String)])
  func `what does not fit the messages is told`(lines: [String], words: String) {
    let error = #expect(throws: AdapterFault.self) { try answer(lines) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `next belongs to several messages only`() throws {
    var dialogue = AdapterDialogue()
    _ = dialogue.ask(.hello(AdapterRun(.firebase, seed: 0)))
    #expect(throws: AdapterFault.self) { try dialogue.receive(Array("{\"next\":{}}\n".utf8)[...]) }
  }

  @Test func `a host hands over one message after the other until its client disconnects`() {
    var introduction = AdapterHello(name: "n", version: "1", capabilities: ["set"])
    introduction.takesFrames = true
    var host = AdapterHost(introduction) { ReferenceClient(profile: $1) }
    func answer(_ line: String) -> String {
      String(decoding: host.answer(Array(line.utf8)), as: UTF8.self)
    }
    let now = #""client":"a","now":1480000000000"#
    let hello = #"{"t":"c","d":{"t":"h","d":{"ts":1480000000000,"v":"5","h":"h","s":"s"}}}"#
    let reset = #"{"t":"c","d":{"t":"r","d":"other.test"}}"#

    let first = answer(#"{"id":1,"hello":{"protocol":1,"profile":"firebase","seed":"0"}}"#)
    #expect(first.contains(#""capabilities":["set","frames"]"#))
    _ = answer(#"{"id":2,\#(now),"open":{"host":"h","seed":"1"}}"#)
    _ = answer(#"{"id":3,\#(now),"opened":{}}"#)
    let both = answer(#"{"id":4,\#(now),"frames":[\#(hello),\#(reset)]}"#)
    let second = "{\"next\":{}}\n{\"cancelTimer\":{\"timer\":3}}\n{\"disconnect\":{}}\n"
    #expect(both.contains(second), "\(both)")
    _ = answer(#"{"id":5,\#(now),"opened":{}}"#)
    let one = answer(#"{"id":6,\#(now),"frames":[\#(reset),\#(hello)]}"#)
    #expect(one.contains("disconnect"))
    #expect(!one.contains("next"), "\(one)")
  }
}
