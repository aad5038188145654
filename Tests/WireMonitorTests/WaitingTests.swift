import RunModel
import Testing

/// What somebody who watches is told of requests without an answer.
@Suite struct WaitingTests {
  @Test func `requests wait until they are answered or the connection ends`() throws {
    var watched = try Watched.helloReceived()
    try watched.send(
      #"4 p {"p":"/a","d":1}"#, #"5 q {"p":"/b","h":""}"#, #"6 unauth {}"#)

    #expect(watched.monitor.unanswered.count == 3)
    #expect(
      Array(watched.monitor.unanswered) == [
        "put /a, request 4", "listen /b, request 5", "unauth, request 6",
      ])
    try watched.answer(4, 6)
    #expect(Array(watched.monitor.unanswered) == ["listen /b, request 5"])
    watched.end()
    #expect(watched.monitor.unanswered.isEmpty)
  }
}
