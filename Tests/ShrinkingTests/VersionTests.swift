import ClientInterface
import Conformance
import Mutants
import Reports
import Scenario
import Search
import TestKit
import Testing
import Trace
import Tree
import Wire

/// What two versions of a client do differently, of traces as values and of planted changes.
@Suite struct VersionTests {
  private static let alice = ClientIndex(0)

  /// A run in which alice does these things at these times.
  private func run(
    _ acts: [(Int, ClientOutput)], _ verdict: Verdict = .pass
  ) throws -> ScenarioResult {
    var trace = Trace()
    let input = trace.append(
      .input(Self.alice, .opened), cause: nil, time: .milliseconds(1), step: 0)
    for (time, output) in acts {
      trace.append(
        .output(Self.alice, output), cause: input, time: .milliseconds(time), step: 1)
    }
    return ScenarioResult(try Kit.scenario(Kit.feed), .firebase, seed: 0, verdict, trace: trace)
  }

  private func value(_ number: Int, on listener: ListenerID = "feed") -> ClientOutput {
    .event(Event(.value, to: listener, key: "room", value: Node(json: .count(number))))
  }

  private func put(_ path: Path, request number: Int = 1) -> ClientOutput {
    .send(.request(number, .put(path, Node(json: 1), hash: nil)))
  }

  private func causes(
    _ old: [(Int, ClientOutput)], _ new: [(Int, ClientOutput)], withOrders: Bool = false
  ) throws -> [String] {
    let comparison = VersionComparison(try run(old), try run(new))
    return VersionGroup.groups(of: [comparison], withOrders: withOrders).map(\.cause)
  }

  @Test func `each way in which acts differ has its cause`() throws {
    #expect(try causes([(5, value(1))], [(5, value(1))]) == [])
    #expect(try causes([(5, value(1))], []) == ["missing event on connection"])
    #expect(try causes([], [(5, value(1))]) == ["extra event on connection"])
    #expect(try causes([(5, value(1))], [(5, value(2))]) == ["other event on connection"])
    #expect(try causes([(5, value(1))], [(8, value(1))]) == ["late event on connection"])
    #expect(try causes([(5, put("a"))], [(5, put("b"))]) == ["missing send put on connection"])
    #expect(
      try causes([(5, .store(key: "write/1", text: "a"))], [(5, .store(key: "write/1", text: "b"))])
        == ["other store write on connection"])
  }

  @Test func `numbers of requests, statistics, timers and remarks are no difference`() throws {
    let old = [(5, put("a")), (6, put("b", request: 2))]
    let new: [(Int, ClientOutput)] = [
      (3, .send(.request(1, .stats([])))), (4, .log("hello")),
      (4, .setTimer(7, after: .zero, .other)),
      (5, put("a", request: 2)), (6, put("b", request: 7)),
    ]

    #expect(try causes(old, new) == [])
  }

  @Test func `orders count only where a rule decides, or where they are asked for`() throws {
    let old: [(Int, ClientOutput)] = [
      (5, value(1)), (5, value(2, on: "other")), (5, put("a")), (5, put("b")),
    ]
    let new = [old[1], old[0], old[3], old[2]]

    #expect(try causes(old, new) == [])
    #expect(
      try causes(old, new, withOrders: true) == [
        "reordered event on connection", "reordered send put on connection",
      ])
    let decided = VersionComparison(try run(old), try run(new, .crash))
    #expect(decided.ruling == .against)
    #expect(VersionGroup.groups(of: [decided]).map(\.isRed) == [true, false])
  }

  @Test func `times are compared up to the first other difference`() throws {
    let comparison = VersionComparison(
      try run([(5, value(1)), (9, value(2))]), try run([(7, value(1)), (9, value(3))]))
    #expect(comparison.differences.map(\.aspect) == [.timing, .events])
    #expect(comparison.differences[0].delay == .milliseconds(2))

    let later = VersionComparison(
      try run([(2, put("a")), (5, value(1))]), try run([(5, value(1)), (7, put("a"))]))
    #expect(later.differences.map(\.aspect) == [.timing])
    let behind = VersionComparison(
      try run([(2, put("a")), (5, value(1))]), try run([(7, value(1))]))
    #expect(behind.differences.map(\.aspect) == [.messages])
  }

  @Test func `what is stored is compared where a process ends, not how it came to be`() throws {
    let old: [(Int, ClientOutput)] = [(5, .store(key: "a", text: "1"))]
    let new: [(Int, ClientOutput)] = [
      (5, .store(key: "b", text: "2")), (5, .store(key: "a", text: "1")), (6, .erase(key: "b")),
    ]

    #expect(try causes(old, new) == [])
    #expect(try causes(old, Array(new.dropLast())) == ["extra store b on connection"])
  }

  @Test func `a verdict that differs alone is a difference`() throws {
    let comparison = VersionComparison(try run([]), try run([], .crash))

    #expect(VersionGroup.groups(of: [comparison]).map(\.cause) == ["crash"])
    #expect(!comparison.isEqual())
  }

  @Test func `verdicts say whether the rules decide`() throws {
    func ruling(_ old: Verdict, _ new: Verdict) throws -> VersionComparison.Ruling {
      VersionComparison(try run([], old), try run([], new)).ruling
    }

    #expect(try ruling(.pass, .advice) == .open)
    #expect(try ruling(.pass, .hang) == .against)
    #expect(try ruling(.crash, .pass) == .inFavour)
    #expect(try ruling(.crash, .crash) == .bothFail)
    #expect(try ruling(.crash, .hang) == .otherFailure)
    #expect(try ruling(.pass, .unsupported) == .unjudged)
    #expect(VersionComparison(try run([]), try run([], .unsupported)).isLost)
  }

  /// A change that is planted, and what it is put down to in a scenario.
  struct Planted: CustomTestStringConvertible {
    var mutant: String
    var scenario: String
    var cause: String
    var aspect: VersionDifference.Aspect
    var ruling = VersionComparison.Ruling.against

    var testDescription: String { mutant }
  }

  static let planted = [
    Planted(
      mutant: "no-refill", scenario: "limits/refill-after-foreign-removal",
      cause: "missing event on data", aspect: .events),
    Planted(
      mutant: "value-first", scenario: "writes/local-echo", cause: "reordered event on data",
      aspect: .events),
    Planted(
      mutant: "lost-echo", scenario: "writes/local-echo", cause: "late event on write",
      aspect: .timing),
    Planted(
      mutant: "listens-not-restored", scenario: "connection/difference-after-reconnection",
      cause: "missing send listen on connection", aspect: .messages),
    Planted(
      mutant: "writes-not-kept", scenario: "persistence/kept-writes-are-sent",
      cause: "missing store write on write", aspect: .storage),
    Planted(
      mutant: "answered-writes-stay-kept", scenario: "persistence/kept-writes-are-sent",
      cause: "extra store write on write", aspect: .storage),
    Planted(
      mutant: "asks-for-life", scenario: "connection/tries-become-rarer",
      cause: "early send ping on timer", aspect: .timing, ruling: .open),
    Planted(
      mutant: "tries-late", scenario: "connection/tries-become-rarer",
      cause: "late connect on timer", aspect: .timing, ruling: .open),
  ]

  @Test(arguments: planted)
  func `a planted change is put down to what it is`(planted: Planted) throws {
    let scenario = try Kit.projectScenario(planted.scenario)
    let comparison = VersionComparison(Kit.run(scenario), Kit.run(scenario, client: planted.mutant))
    let group = try #require(VersionGroup.groups(of: [comparison]).first { !$0.firsts.isEmpty })

    #expect(group.cause == planted.cause)
    #expect(group.shortest.difference?.aspect == planted.aspect)
    #expect(comparison.ruling == planted.ruling)
  }

  @Test func `a report has what differs, where, and what repeats it`() throws {
    let scenario = try Kit.scenario(Kit.refill)
    let comparison = VersionComparison(Kit.run(scenario), Kit.run(scenario, client: "no-refill"))
    let report = VersionReport(of: [comparison]) { "again \($0.scenario.id)" }

    let lines = report.text().split(separator: "\n").map(String.init)

    #expect(report.isRed)
    #expect(lines.first?.hasPrefix("missing event on data   1 run   1 against NEW (") == true)
    #expect(
      lines.contains { $0.hasPrefix("  - ") && $0.contains("raised child_added c = 3, after b") })
    #expect(lines.contains { $0.hasPrefix("  + ") && $0.contains("raised value") })
    #expect(lines.contains("      (- OLD, + NEW)"))
    #expect(lines.contains("  again test/example"))
    #expect(lines.last == "1 run of 1 scenario: 0 equal, 1 different: 1 against NEW")
  }
}
