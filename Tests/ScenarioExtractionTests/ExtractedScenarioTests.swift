import ClientInterface
import Conformance
import Faults
import Recordings
import Scenario
import ScenarioFiles
import TestKit
import Testing
import Tree

/// What becomes of single things that a live server has seen.
@Suite struct ExtractedScenarioTests {
  private static let header =
    #"{"recording":1,"client":"firebase","seed":0,"name":"NAME","namespace":"demo","epoch":1480000000000}"#
  private static let greeting = """
    {"t":0,"out":{"connect":{}}}
    {"t":0,"in":{"opened":{}}}
    {"t":0,"in":{"frame":{"t":"c","d":{"t":"h","d":{"ts":1480000000000,"v":"5","h":"h","s":"s1"}}}}}
    """

  private func recording(_ name: String, _ lines: String) throws -> Recording {
    let header = Self.header.replacing("NAME", with: name)
    return try Recording(
      [header, Self.greeting, lines].filter { !$0.isEmpty }.joined(separator: "\n") + "\n",
      file: "\(name).jsonl")
  }

  private func reported(_ recordings: Recording...) throws -> ExtractedScenario {
    ExtractedScenario(of: try ObservedSession(recordings), title: "t")
  }

  /// The steps, a line each, without expectations.
  private func steps(_ extracted: ExtractedScenario) -> [String] {
    let text = extracted.yaml(from: ["x"])
    return text.split(separator: "\n").filter {
      $0.hasPrefix("  - ") && !$0.contains("expect") && !$0.contains("wait")
    }.map { String($0.dropFirst(4)) }
  }

  private static func request(_ time: Double, _ number: Int, _ body: String) -> String {
    #"{"t":\#(time),"out":{"send":{"t":"d","d":{"r":\#(number),\#(body)}}}}"#
  }

  private static func answer(_ time: Double, _ number: Int, _ status: String = "ok") -> String {
    #"{"t":\#(time),"in":{"frame":{"t":"d","d":{"r":\#(number),"b":{"s":"\#(status)","d":""}}}}}"#
  }

  private static func push(_ time: Double, _ action: String, _ body: String) -> String {
    #"{"t":\#(time),"in":{"frame":{"t":"d","d":{"a":"\#(action)","b":\#(body)}}}}"#
  }

  @Test func `requests become calls`() throws {
    let bodies = [
      (#""a":"q","b":{"p":"/a","h":""}"#, "alice.listen: {path: a, as: l1}"),
      (#""a":"p","b":{"p":"/a/b","d":1}"#, "alice.set: {path: a/b, value: 1}"),
      (
        #""a":"p","b":{"p":"/a/b/.priority","d":2}"#,
        "alice.set-priority: {path: a/b, priority: 2}"
      ),
      (#""a":"p","b":{"p":"/a/b","d":null}"#, "alice.remove: a/b"),
      (#""a":"m","b":{"p":"/a","d":{"c":1}}"#, "alice.update: {path: a, value: {c: 1}}"),
      (
        #""a":"o","b":{"p":"/a/d","d":1}"#, "alice.on-disconnect-set: {path: a/d, value: 1}"
      ),
      (
        #""a":"om","b":{"p":"/a","d":{"e":1}}"#,
        "alice.on-disconnect-update: {path: a, value: {e: 1}}"
      ), (#""a":"oc","b":{"p":"/a","d":null}"#, "alice.on-disconnect-cancel: a"),
      (#""a":"n","b":{"p":"/a"}"#, "alice.unlisten: l1"),
    ]
    var lines: [String] = []
    for (index, body) in bodies.enumerated() {
      let time = Double(index + 1) * 100
      lines.append(Self.request(time, index + 1, body.0))
      lines.append(Self.answer(time, index + 1))
    }
    let extracted = try reported(recording("alice", lines.joined(separator: "\n")))

    #expect(steps(extracted) == bodies.map(\.1))
    #expect(extracted.similarity.isExact, "\(extracted.similarity.differences)")
    #expect(extracted.reported.isEmpty)
  }

  @Test func `what nobody here asked for is somebody else's`() throws {
    let extracted = try reported(
      recording(
        "alice",
        [
          Self.request(10, 1, #""a":"q","b":{"p":"/a","h":""}"#),
          Self.push(10, "d", #"{"p":"a","d":{"x":1}}"#), Self.answer(10, 1),
          Self.push(500, "d", #"{"p":"a/y","d":2}"#),
          Self.push(900, "m", #"{"p":"a","d":{"x":null,"z":3}}"#),
          Self.push(950, "c", #"{"p":"a"}"#),
        ].joined(separator: "\n")))

    #expect(
      steps(extracted) == [
        "alice.listen: {path: a, as: l1}", "server.set: {path: a/y, value: 2}",
        "server.update: {path: a, value: {x: null, z: 3}}", "server.revoke: a",
      ])
    #expect(extracted.scenario.data.json.text == #"{"a":{"x":1}}"#)
    #expect(extracted.isKnown.filter { !$0 }.count == 4)
    #expect(extracted.yaml(from: ["x"]).contains("\n# Inferred: steps 1, 3"))
  }

  @Test func `a connection that gets lost, and one that the client closes`() throws {
    let again = Self.greeting.replacing(#""t":0,"#, with: #""t":900,"#)
    let lines = [
      Self.request(10, 1, #""a":"q","b":{"p":"/a","h":""}"#), Self.answer(10, 1),
      #"{"t":500,"in":{"closed":{}}}"#, again,
      Self.request(900, 1, #""a":"q","b":{"p":"/a","h":""}"#), Self.answer(900, 1),
      #"{"t":1500,"out":{"disconnect":{}}}"#,
    ]
    let extracted = try reported(recording("alice", lines.joined(separator: "\n")))

    #expect(
      steps(extracted) == [
        "alice.listen: {path: a, as: l1}", "network.drop: alice", "alice.go-offline",
      ])
    #expect(extracted.similarity.isExact, "\(extracted.similarity.differences)")
  }

  @Test func `refusals become rules, and tokens are learned from answers`() throws {
    let user = #"{"auth":{"uid":"ann"}}"#
    let ok = #"{"t":5,"in":{"frame":{"t":"d","d":{"r":1,"b":{"s":"ok","d":\#(user)}}}}}"#
    let alice = try recording(
      "alice",
      [
        Self.request(5, 1, #""a":"auth","b":{"cred":"t1"}"#), ok,
        Self.request(50, 2, #""a":"p","b":{"p":"/club/x","d":1}"#), Self.answer(50, 2),
      ].joined(separator: "\n"))
    let bob = try recording(
      "bob",
      [
        Self.request(70, 1, #""a":"p","b":{"p":"/club/x","d":2}"#),
        Self.answer(70, 1, "permission_denied"),
      ].joined(separator: "\n"))
    let extracted = try reported(alice, bob)

    #expect(extracted.scenario.tokens["t1"]?.user == "ann")
    #expect(extracted.scenario.security.map(\.unless) == [.user("ann")])
    let outcomes = extracted.scenario.steps.compactMap(\.expectation).flatMap(\.outcomes)
    #expect(outcomes.map(\.client) == ["bob"])
  }

  @Test func `a function is found that gives what each run of a transaction gave`() throws {
    let five = Node(json: 5).hash
    let stale = [
      Self.request(5, 1, #""a":"q","b":{"p":"/n","h":""}"#),
      Self.push(5, "d", #"{"p":"n","d":5}"#), Self.answer(5, 1),
      Self.push(99, "d", #"{"p":"n","d":7}"#),
      Self.request(100, 2, #""a":"p","b":{"p":"/n","d":6,"h":"\#(five)"}"#),
      Self.answer(100, 2, "datastale"),
    ]
    let seven = Node(json: 7).hash
    let again = [
      Self.request(101, 3, #""a":"p","b":{"p":"/n","d":8,"h":"\#(seven)"}"#), Self.answer(101, 3),
    ]
    let extracted = try reported(recording("alice", (stale + again).joined(separator: "\n")))
    let text = extracted.yaml(from: ["x"])

    #expect(extracted.similarity.isExact, "\(extracted.similarity.differences)")
    #expect(text.contains("update: {increment: 1}"), "\(text)")
  }

  @Test func `a client that differed fails exactly there`() throws {
    let scenario = try Kit.projectScenario("limits/refill-after-foreign-removal")
    let result = Kit.run(scenario, client: "no-refill")
    let session = try ObservedSession(Sessions.recordings(of: result, knowsCalls: true))
    let extracted = ExtractedScenario(of: session, title: "t")
    let again = Kit.run(extracted.scenario)

    #expect(again.verdict == .fail)
    #expect(again.divergences.first?.step == 4)
    let mutated = Kit.run(extracted.scenario, client: "no-refill")
    #expect(mutated.divergences.allSatisfy { !"\($0.kind)".contains("event") })
  }

  @Test func `ten thousand messages take seconds`() throws {
    var lines: [String] = []
    for number in 1...5000 {
      let time = Double(number)
      let body = #""a":"p","b":{"p":"/a/k\#(number % 100)","d":\#(number)}"#
      lines.append(Self.request(time, number, body))
      lines.append(Self.answer(time, number))
    }
    let extracted = try reported(recording("alice", lines.joined(separator: "\n")))
    #expect(extracted.similarity.same == 5000)
  }

  @Test func `recordings of two families are of no one session`() throws {
    let first = try recording("alice", "")
    var second = first
    second.profile = .wilddog2
    second.file = "bob.jsonl"
    #expect(throws: ObservedSession.Mismatch.profiles("alice.jsonl", "bob.jsonl")) {
      try ObservedSession([first, second])
    }
    #expect(throws: ObservedSession.Mismatch.nothing) { try ObservedSession([]) }
    let text = "\(ObservedSession.Mismatch.profiles("a", "b"))"
    #expect(text == "a and b are of clients of different families; they are of no one session")
    #expect("\(ObservedSession.Mismatch.nothing)" == "there is no recording")
  }

  @Test func `names that scenarios do not allow become others`() throws {
    let text = """
      {"recording":1,"client":"firebase","seed":0,"name":"server","epoch":0}
      {"t":0,"in":{"call":{"id":"1 2","op":"listen","listener":"ä","path":"/a"}}}
      {"t":0,"in":{"call":{"id":"#7","op":"set","path":"/a","value":1}}}
      {"t":0,"out":{"event":{"listener":"ä","type":"value","key":"a","value":1}}}
      """
    let recording = try Recording.readable(text, file: "x")
    let extracted = ExtractedScenario(of: try ObservedSession([recording]), title: "t")
    let yaml = extracted.yaml(from: ["x"])
    let read = Kit.read(yaml)
    #expect(read.problems.isEmpty, "\(read.problems) \(yaml)")
    #expect(extracted.scenario.clients == ["cserver"])
  }
}
