import ClientInterface
import Conformance
import Document
import Scenario
import TestKit
import Testing
import Trace
import TraceFiles
import Tree
import Wire

@testable import Recordings

/// Sessions of a live server in which faults took something.
@Suite struct LostAnswerTests {
  private static let add = "{\".sv\":{\"increment\":1}}"

  private static func put(_ number: Int, _ value: String = add) throws -> ClientMessage {
    try ClientMessage(
      json: JSON(
        parsing:
          "{\"t\":\"d\",\"d\":{\"r\":\(number),\"a\":\"p\",\"b\":{\"p\":\"/n\",\"d\":\(value)}}}"))
  }

  private static func ok(_ number: Int) throws -> ServerMessage {
    try ServerMessage(
      json: JSON(parsing: "{\"t\":\"d\",\"d\":{\"r\":\(number),\"b\":{\"s\":\"ok\",\"d\":\"\"}}}"))
  }

  /// What a client and the server did, in order, a millisecond each.
  private struct Session {
    var trace = Trace()
    let alice = ClientIndex(0)
    private var time = Interval.zero

    mutating func add(_ kinds: TraceEvent.Kind...) {
      for kind in kinds { trace.append(kind, cause: nil, time: time, step: -1) }
      time = time + .milliseconds(1)
    }

    mutating func connect(_ number: Int) {
      let hello = ServerMessage.hello(
        .init(timestamp: 1_480_000_000_000, version: "5", host: "h", session: "session\(number)"))
      add(
        .output(alice, .connect), .serverOpened(alice, session: "session\(number)"),
        .input(alice, .opened), .serverSent(alice, hello), .input(alice, .frame(hello)))
    }

    mutating func close(_ number: Int) {
      add(.serverClosed(alice, session: "session\(number)"), .input(alice, .closed))
      time = time + .seconds(1)
    }

    mutating func send(_ message: ClientMessage, arrives: Bool = true) {
      trace.append(.output(alice, .send(message)), cause: nil, time: time, step: -1)
      if arrives { trace.append(.serverReceived(alice, message), cause: nil, time: time, step: -1) }
      time = time + .milliseconds(1)
    }

    mutating func answer(_ message: ServerMessage) {
      add(.serverSent(alice, message), .input(alice, .frame(message)))
    }

    var observed: ObservedSession {
      let header = TraceFile.Header(
        kit: "", scenario: "", title: "", file: "", profile: .firebase, seed: 0, client: "live",
        clients: ["alice", "bob"], judging: .expectations, choices: [], sources: [],
        session: .init(epoch: Instant(milliseconds: 1_480_000_000_000)))
      return ObservedSession(TraceFile(header: header, trace: trace, end: .unjudged))
    }
  }

  private func steps(_ extracted: ExtractedScenario) -> [String] {
    extracted.yaml(from: ["x"]).split(separator: "\n").filter {
      $0.hasPrefix("  - ") && !$0.contains("expect") && !$0.contains("wait")
    }.map { String($0.dropFirst(4)) }
  }

  @Test func `an answer that was lost is lost in the scenario`() throws {
    var session = Session()
    session.connect(1)
    session.send(try Self.put(1))
    session.close(1)
    session.connect(2)
    session.send(try Self.put(2))
    session.answer(try Self.ok(2))
    let extracted = ExtractedScenario(of: session.observed, title: "t")

    #expect(
      steps(extracted) == [
        "network.stall: {client: alice, direction: to-client}",
        "alice.set: {path: n, value: {.sv: {increment: 1}}}", "network.drop: alice",
        "network.resume: {client: alice, direction: to-client}",
      ])
    #expect(extracted.similarity.isExact, "\(extracted.similarity.sentence)")
    let result = Kit.run(extracted.scenario)
    #expect(result.verdict == .pass)
    #expect(result.serverTree[Path("n")].json == 2)
  }

  @Test func `what was under way when a connection broke does not arrive in the scenario`() throws {
    var session = Session()
    let alice = session.alice
    session.connect(1)
    func happens(_ milliseconds: Int, _ kinds: TraceEvent.Kind...) {
      for kind in kinds {
        session.trace.append(kind, cause: nil, time: .milliseconds(milliseconds), step: -1)
      }
    }
    let (puts, answers) = (
      try (0...5).map { try Self.put($0) }, try (0...5).map { try Self.ok($0) }
    )
    happens(10, .output(alice, .send(puts[1])))
    happens(30, .serverReceived(alice, puts[1]), .serverSent(alice, answers[1]))
    happens(50, .output(alice, .send(puts[2])))
    happens(90, .output(alice, .send(puts[3])), .input(alice, .frame(answers[1])))
    happens(110, .serverReceived(alice, puts[2]), .serverSent(alice, answers[2]))
    happens(
      140, .lostToServer(alice, puts[3]), .lostToClient(alice, answers[2]),
      .serverClosed(alice, session: "session1"), .input(alice, .closed))
    let hello = ServerMessage.hello(
      .init(timestamp: 1_480_000_000_000, version: "5", host: "h", session: "session2"))
    happens(
      1200, .output(alice, .connect), .serverOpened(alice, session: "session2"),
      .input(alice, .opened), .serverSent(alice, hello))
    happens(
      1240, .input(alice, .frame(hello)), .output(alice, .send(puts[4])),
      .output(alice, .send(puts[5])))
    happens(
      1300, .serverReceived(alice, puts[4]), .serverSent(alice, answers[4]),
      .serverReceived(alice, puts[5]), .serverSent(alice, answers[5]))
    happens(1360, .input(alice, .frame(answers[4])), .input(alice, .frame(answers[5])))
    let extracted = ExtractedScenario(of: session.observed, title: "t")

    let result = Kit.run(extracted.scenario)
    #expect(result.verdict == .pass)
    #expect(result.serverTree[Path("n")].json == 4)
    #expect(extracted.similarity.isExact, "\(extracted.similarity.sentence)")
  }

  @Test func `an answer that was lost twice is lost twice`() throws {
    var session = Session()
    for number in 1...3 {
      session.connect(number)
      session.send(try Self.put(number))
      if number < 3 { session.close(number) } else { session.answer(try Self.ok(number)) }
    }
    let extracted = ExtractedScenario(of: session.observed, title: "t")

    #expect(
      steps(extracted).suffix(3) == [
        "network.drop: alice", "network.resume: {client: alice, direction: to-client}",
        "network.lose-acknowledgement: alice",
      ])
    #expect(extracted.similarity.difference == nil, "\(extracted.similarity.sentence)")
  }

  @Test func `a client stays away while another one writes`() throws {
    var session = Session()
    session.connect(1)
    session.send(try Self.put(1, "1"))
    session.close(1)
    session.add(.serverWrite(Path("n"), Node(json: 2)))
    session.connect(2)
    session.send(try Self.put(2, "1"))
    session.answer(try Self.ok(2))
    let extracted = ExtractedScenario(of: session.observed, title: "t")

    #expect(steps(extracted).contains("network.cut: alice"))
    #expect(steps(extracted).contains("network.heal: alice"))
    #expect(extracted.similarity.difference == nil, "\(extracted.similarity.sentence)")
  }

  @Test func `a write that did not arrive is held back until the connection ends`() throws {
    var session = Session()
    session.connect(1)
    session.send(try Self.put(1), arrives: false)
    session.close(1)
    session.connect(2)
    session.send(try Self.put(2))
    session.answer(try Self.ok(2))
    let extracted = ExtractedScenario(of: session.observed, title: "t")

    #expect(steps(extracted).first == "network.stall: {client: alice, direction: to-server}")
    #expect(extracted.similarity.difference == nil)
  }

  @Test func `a difference of the trees is reported`() {
    var similarity = ExtractedScenario.Similarity()
    (similarity.requests, similarity.same) = (1, 1)
    similarity.difference = (Path("n"), 2, 1)

    #expect(
      similarity.sentence
        == "Run with the reference client, the clients send the same request.\n"
        + "The server's trees at the end are not the same: at /n the session has 2, the run 1.")
    #expect(!similarity.isExact)
  }

  @Test func `times do not count as a difference`() throws {
    let first = Node(json: try JSON(parsing: #"{"a":1795000000000,"b":{"c":1}}"#))
    let second = Node(json: try JSON(parsing: #"{"a":1480000000000,"b":{"c":2}}"#))
    let difference = TreeComparison.first(first, second)

    #expect(difference?.path == Path("b/c"))
    #expect(difference?.session == 1)
    #expect(difference?.run == 2)
    #expect(TreeComparison.first(first, first) == nil)
  }

  @Test func `a part of a session begins with the data of that moment`() throws {
    var session = Session()
    session.connect(1)
    session.send(try Self.put(1, "5"))
    session.answer(try Self.ok(1))
    session.close(1)
    session.connect(2)
    session.send(try Self.put(2))
    session.answer(try Self.ok(2))
    var selection = SessionSelection()
    selection.from = .milliseconds(500)
    let part = ExtractedScenario(of: session.observed.selecting(selection), title: "t")
    #expect(part.scenario.data[Path("n")].json == 5)
    #expect(part.scenario.steps.count { if case .call = $0.action { true } else { false } } == 1)

    selection = SessionSelection()
    selection.until = .milliseconds(500)
    #expect(
      ExtractedScenario(of: session.observed.selecting(selection), title: "t").similarity.requests
        == 1)
    selection = SessionSelection()
    selection.clients = ["bob"]
    let bob = ExtractedScenario(of: session.observed.selecting(selection), title: "t")
    #expect(bob.scenario.clients == ["bob"])
    #expect(
      steps(bob) == [
        "server.set: {path: n, value: 5}", "server.set: {path: n, value: 6}",
      ])
    selection = SessionSelection()
    selection.path = Path("elsewhere")
    #expect(
      ExtractedScenario(of: session.observed.selecting(selection), title: "t").similarity.requests
        == 0)
  }
}
