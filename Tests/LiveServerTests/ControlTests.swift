import ClientInterface
import Document
import LiveServer
import Testing
import Tree

/// The port for whoever runs the server.
@Suite struct ControlTests {
  private let server = DisturbedServer(LiveServer())
  private let now = Instant(milliseconds: 1_480_000_000_000)

  private func ask(
    _ server: inout DisturbedServer, _ method: String, _ path: String, _ body: String = ""
  ) -> (text: String, effects: [Effect]) {
    var effects: [Effect] = []
    let request = HTTPRequest(method, path, body: Array(body.utf8))
    let response = server.control(request, at: now, into: &effects)
    return ("\(response.status) \(String(decoding: response.body, as: UTF8.self))", effects)
  }

  @Test func `a plan comes back as it was given`() {
    var server = server
    let plan =
      #"[{"fault":"latency","from":1,"to":2},{"fault":"cut","after":3,"times":4},"#
      + #"{"fault":"lose-answer","after":5},{"fault":"half-open","after":6},"#
      + #"{"fault":"stall","after":7,"for":8},{"fault":"refuse","from":9,"for":10},"#
      + #"{"fault":"late-end","for":11}]"#

    #expect(ask(&server, "PUT", "/faults", plan).text == "200 \(plan)\n")
    #expect(ask(&server, "GET", "/faults").text == "200 \(plan)\n")
  }

  @Test func `a bad plan changes nothing`() {
    var server = server
    #expect(
      ask(&server, "PUT", "/faults", "{").text.hasPrefix(
        #"400 {"error":"the plan is no JSON: 1:2: "#))
    #expect(
      ask(&server, "PUT", "/faults", "1").text
        == "400 {\"error\":\"the plan is a number, expected a list of faults\"}\n")
    #expect(ask(&server, "GET", "/faults").text == "200 []\n")
  }

  @Test func `it cuts what is connected`() {
    var server = server
    var effects: [Effect] = []
    let request = HTTPRequest("GET", "/.ws", [.init("ns", "demo")])
    _ = server.server.refusal(ofSocketFor: request)
    server.open(Socket(7), for: request, at: now, into: &effects)
    server.receive(
      #"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","q":{"l":1,"vf":"l"},"t":1,"h":""}}}"#,
      from: Socket(7), at: now, into: &effects)

    let cut = ask(&server, "POST", "/cut")
    #expect(cut.text == "200 {\"cut\":1}\n")
    #expect(cut.effects == [.close(Socket(7), code: 1006, reason: "")])
  }

  @Test func `what it does not do is said`() {
    var server = server

    #expect(
      ask(&server, "GET", "/a.json").text
        == "404 {\"error\":\"expected GET /connections, GET /faults, PUT /faults or POST /cut, not"
        + " GET /a.json\"}\n")
  }
}
