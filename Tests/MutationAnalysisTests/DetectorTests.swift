import ClientInterface
import Conformance
import Scenario
import TestKit
import Testing
import Tree

@testable import Mutants
@testable import MutationAnalysis

extension Kit {
  static func example(_ body: String = feed, id: String = "example") throws -> Scenario {
    try scenario(body, rules: "EVT-7", file: "Scenarios/test/\(id).yaml")
  }

  static func detector(_ scenarios: [Scenario], hunting limit: UInt64 = 3) -> Detector {
    var detector = Detector(scenarios) { 0 }
    detector.huntLimit = limit
    return detector
  }

  static func mutant(_ name: String) throws -> Mutant { try #require(Mutant(named: name)) }
}

@Suite struct DetectorTests {
  @Test func `each way of looking is measured by itself`() throws {
    let evidence = Kit.detector([try Kit.example()]).examine(.valueFirst)

    #expect(evidence.suite.failing == ["test/example"])
    #expect(evidence.suite.first == .init(scenario: "test/example", profile: "wilddog-1"))
    #expect(evidence.invariants.ids == ["INV-4"])
    #expect(evidence.invariants.failing == ["test/example"])
    #expect(evidence.hunt?.signature == Signature("inv-4 listener on-data"))
    #expect(evidence.isKilled)
  }

  @Test func `what only an expectation tells is no find of the invariants`() throws {
    let scenario = try Kit.example(
      """
      clients: [alice]
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room, event: value, as: feed}
        - expect: {alice.feed: [{value: {a: 1}}]}
        - server.set: {path: room/a, value: 2}
        - expect-now: {}
        - expect: {alice.feed: [{value: {a: 3}}]}
      """)

    let evidence = Kit.detector([scenario], hunting: 1).examine(try Kit.mutant("chatty"))

    #expect(evidence.suite.failing == ["test/example"])
    #expect(evidence.invariants.ids.isEmpty && evidence.invariants.failing.isEmpty)
    #expect(evidence.hunt == nil && evidence.hunted == 1)
  }

  @Test func `a mutant is run only where its defect is one`() throws {
    let mutant = try Kit.mutant("updates-end-siblings")
    let scenario = try Kit.example("profiles: [wilddog-2]\n" + Kit.feed)

    #expect(mutant.profiles == [.firebase])
    #expect(!Kit.detector([scenario], hunting: 1).examine(mutant).isKilled)
  }

  @Test func `a hunt ends in time`() throws {
    var time = 0.0
    var detector = Detector([]) {
      time += 10
      return time
    }
    detector.huntMilliseconds = 5

    #expect(detector.examine(try Kit.mutant("chatty")).hunted == 1)
  }

  @Test func `the defect of a server is there in its runs alone`() throws {
    let scenario = try Kit.example(
      """
      clients: [alice]
      data: {room: {a: 1}}
      steps:
        - alice.update: {path: room, value: {b: 2}}
        - expect: {server: {room: {a: 1, b: 2}}}
      """)
    let detector = Kit.detector([scenario], hunting: 1)

    #expect(detector.examine(try Kit.mutant("server-merges-are-sets")).suite.first != nil)
    #expect(detector.examine(try Kit.mutant("chatty")).suite.first == nil)
  }

  @Test func `evidence is the same after it was written and read`() throws {
    let evidence = Kit.detector([try Kit.example()]).examine(.valueFirst)
    let copy = try #require(MutantResult(json: evidence.json))

    #expect(copy.json == evidence.json)
    #expect(copy.suite == evidence.suite && copy.invariants == evidence.invariants)
    #expect(copy.hunt == evidence.hunt && copy.shrunk == evidence.shrunk)
    #expect(MutantResult(json: ["mutant": "nobody"]) == nil)
  }

  @Test func `what the hunt finds is made small and seen again from its text`() throws {
    var evidence = Kit.detector([]).examine(.valueFirst)
    let shrunk = try #require(evidence.shrunk)

    #expect(shrunk.steps == 1 && shrunk.isMinimal)
    #expect(shrunk.text.contains("alice.listen"))
    #expect(Detector.confirms(evidence))

    evidence.shrunk?.text = shrunk.text.replacing("alice.listen", with: "alice.once")
    #expect(!Detector.confirms(evidence))
  }

  @Test func `where the hunt finds nothing the first scenario is made small`() throws {
    let evidence = Kit.detector([try Kit.example()], hunting: 0).examine(.valueFirst)

    #expect(evidence.hunt == nil && evidence.hunted == 0)
    #expect(evidence.shrunk?.steps == 1)
  }

  @Test func `nothing is made small that need not be`() throws {
    var detector = Kit.detector([])
    detector.shrinks = false

    #expect(detector.examine(.valueFirst).shrunk == nil)
    #expect(!Detector.confirms(detector.examine(.valueFirst)))
  }
}
