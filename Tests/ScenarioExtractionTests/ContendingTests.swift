import ClientInterface
import Conformance
import Document
import Scenario
import ScenarioFiles
import TestKit
import Testing
import Trace
import TraceFiles
import Tree
import Wire

@testable import Recordings

/// Sessions of a live server in which two clients contend for a number.
///
/// Servers write down that a message arrives at once. A client may read it later: then what it sends
/// meanwhile knows nothing of it.
@Suite struct ContendingTests {
  /// What goes over the wire, a millisecond each: the client, the direction and the message.
  private typealias Line = (client: Int, isSent: Bool, text: String)

  private static let (alice, bob) = (0, 1)

  private static func request(_ number: Int, _ action: String, _ body: String) -> String {
    #"{"t":"d","d":{"r":\#(number),"a":"\#(action)","b":{\#(body)}}}"#
  }

  private static func answer(_ number: Int, _ status: String = "ok") -> String {
    #"{"t":"d","d":{"r":\#(number),"b":{"s":"\#(status)","d":{}}}}"#
  }

  private static func news(_ value: Int) -> String {
    #"{"t":"d","d":{"a":"d","b":{"p":"n","d":\#(value)}}}"#
  }

  /// Alice adds 1. Bob, who does not know of it, adds 1 as well, and twice more while he waits.
  private static let lateListen: [Line] = [
    (alice, true, request(1, "q", #""p":"/n","h":"""#)), (alice, false, answer(1)),
    (alice, true, request(2, "p", #""p":"/n","d":1,"h":"""#)), (alice, false, news(1)),
    (alice, false, answer(2)), (bob, true, request(1, "q", #""p":"/n","h":"""#)),
    (bob, false, news(1)), (bob, false, answer(1)),
    (bob, true, request(2, "p", #""p":"/n","d":1,"h":"""#)),
    (bob, false, answer(2, "datastale")), (bob, true, request(3, "p", #""p":"/log","d":"x""#)),
    (bob, false, answer(3)),
    (bob, true, request(4, "p", #""p":"/n","d":4,"h":"\#(hashOfOne)""#)),
    (alice, false, news(4)), (bob, false, news(4)), (bob, false, answer(4)),
  ]

  /// Alice adds 1 twice, and Bob learns of the second time too late as well.
  private static let lateTwice: [Line] =
    lateListen.prefix(10) + [
      (alice, true, request(3, "p", #""p":"/n","d":2,"h":"\#(hashOfOne)""#)),
      (alice, false, news(2)), (bob, false, news(2)), (alice, false, answer(3)),
      (bob, true, request(3, "p", #""p":"/n","d":2,"h":"\#(hashOfOne)""#)),
      (bob, false, answer(3, "datastale")),
      (bob, true, request(4, "p", #""p":"/n","d":3,"h":"\#(hashOfTwo)""#)),
      (alice, false, news(3)), (bob, false, news(3)), (bob, false, answer(4)),
    ]

  private static let hashOfOne = Node(json: 1).hash
  private static let hashOfTwo = Node(json: 2).hash

  private static func extracted(_ lines: [Line]) throws -> ExtractedScenario {
    var trace = Trace()
    for client in [alice, bob] {
      let (index, session) = (ClientIndex(client), "session\(client)")
      let hello = ServerMessage.hello(
        .init(timestamp: 1_480_000_000_000, version: "5", host: "h", session: session))
      for kind: TraceEvent.Kind in [
        .output(index, .connect), .serverOpened(index, session: session), .input(index, .opened),
        .serverSent(index, hello), .input(index, .frame(hello)),
      ] { trace.append(kind, cause: nil, time: .zero, step: -1) }
    }
    for (number, line) in lines.enumerated() {
      let (client, json) = (ClientIndex(line.client), try JSON(parsing: line.text))
      let kinds: [TraceEvent.Kind]
      if line.isSent {
        let message = try ClientMessage(json: json)
        kinds = [.output(client, .send(message)), .serverReceived(client, message)]
      } else {
        let message = try ServerMessage(json: json)
        kinds = [.serverSent(client, message), .input(client, .frame(message))]
      }
      for kind in kinds {
        trace.append(kind, cause: nil, time: .milliseconds(10 + number), step: -1)
      }
    }
    let header = TraceFile.Header(
      kit: "", scenario: "", title: "", file: "", profile: .firebase, seed: 0, client: "live",
      clients: ["alice", "bob"], judging: .expectations, choices: [], sources: [],
      session: .init(epoch: Instant(milliseconds: 1_480_000_000_000)))
    return ExtractedScenario(
      of: ObservedSession(TraceFile(header: header, trace: trace, end: .unjudged)), title: "t")
  }

  @Test func `a client learns of others when its transaction is tried again`() throws {
    let extracted = try Self.extracted(Self.lateListen)

    let steps = extracted.yaml(from: ["x"]).split(separator: "\n").filter {
      $0.hasPrefix("  - ") && $0.contains("bob")
    }
    #expect(
      steps.map { String($0.dropFirst(4)) }.filter { !$0.contains("expect") }.prefix(6) == [
        "network.stall: {client: bob, direction: to-client}", "bob.listen: {path: n, as: l1}",
        "bob.transaction: {path: n, update: {increment: 1}}",
        "bob.transaction: {path: n, update: {increment: 2}}", "bob.set: {path: log, value: x}",
        "network.resume: {client: bob, direction: to-client}",
      ])
  }

  @Test func `a session of more than eight mebibytes is told whole`() throws {
    let large = String(repeating: "x", count: 9 << 20)
    let lines = Self.lateListen.map { line in
      (line.client, line.isSent, line.text.replacing(#""d":"x""#, with: #""d":"\#(large)""#))
    }
    let extracted = try Self.extracted(lines)
    let text = Array(extracted.yaml(from: ["x"]).utf8)
    let read = ScenarioReader.read(file: "s.yaml", bytes: text, load: { _ in nil })

    #expect(extracted.similarity.isExact && text.count > large.utf8.count)
    #expect(read.problems.map(\.description) == [])
    let result = Kit.run(try #require(read.scenarios.first))
    #expect(result.verdict == .pass)
    #expect(result.serverTree[Path("log")].json == .string(large))
  }

  @Test(arguments: [(lateListen, 4), (lateTwice, 3)] as [([Line], Double)])
  private func `the scenario has every request`(lines: [Line], sum: Double) throws {
    let extracted = try Self.extracted(lines)

    #expect(extracted.similarity.isExact, "\(extracted.similarity.sentence)")
    let result = Kit.run(extracted.scenario)
    #expect(result.verdict == .pass)
    #expect(result.serverTree[Path("n")].json == .number(sum))
  }
}
