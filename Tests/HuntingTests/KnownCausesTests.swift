import Conformance
import Document
import Hunting
import Mutants
import ReferenceClient
import Scenario
import Search
import TestKit
import Testing

/// Lists of the causes of failures that are known.
@Suite struct KnownCausesTests {
  private static let head = "kennel: 1\ncauses:\n"

  private static let leftListen = """
      - name: left-listen
        rule: OBS-12
        note: the listen of a failed transaction stays
        proof: a.yaml
        shows:
          - {breach: inv-38}
          - {breach: [other-event, unexpected-event], on: listen, with: transaction failing*}

    """

  private func read(_ text: String) -> (list: KnownCauses, problems: [SourceError]) {
    KnownCauses.read(file: "known", bytes: Array((Self.head + text).utf8))
  }

  private func circumstances(
    _ breach: String, on trigger: String = "", with surroundings: [String] = []
  ) -> Circumstances {
    var circumstances = Circumstances(breach: breach)
    (circumstances.trigger, circumstances.surroundings) = (trigger, surroundings)
    return circumstances
  }

  @Test func `a failure belongs to the cause of which it meets a condition`() throws {
    let list = read(Self.leftListen).list

    let cause = try #require(list.cause(of: circumstances("inv-38", on: "timer")))
    #expect(
      [cause.name, cause.note, cause.proof] == [
        "left-listen", "the listen of a failed transaction stays", "a.yaml",
      ])
    #expect(cause.rule == "OBS-12")
    let failing = ["set open at", "transaction failing-later refused above"]
    #expect(list.cause(of: circumstances("other-event", on: "listen", with: failing)) != nil)
  }

  @Test(arguments: [
    ("inv-3", "listen", ["transaction failing refused at"]),
    ("other-event", "data", ["transaction failing refused at"]),
    ("other-event", "listen", ["transaction writing refused at"]),
    ("other-event", "listen", []),
  ])
  func `a failure that meets no condition in full is news`(
    breach: String, trigger: String, surroundings: [String]
  ) {
    let found = circumstances(breach, on: trigger, with: surroundings)
    #expect(read(Self.leftListen).list.cause(of: found) == nil)
  }

  @Test func `what must not be in place excludes a failure`() {
    let list = read(
      "  - {name: a, note: b, proof: c, shows: [{breach: inv-1, without: set open*}]}\n"
    ).list

    #expect(list.cause(of: circumstances("inv-1", with: ["set refused at"]))?.name == "a")
    #expect(list.cause(of: circumstances("inv-1", with: ["set open at"])) == nil)
  }

  @Test func `of several causes the first counts`() {
    let second = "  - {name: b, note: b, proof: c, shows: [{breach: '*'}]}\n"
    let list = read(Self.leftListen + second).list

    #expect(list.cause(of: circumstances("inv-38"))?.name == "left-listen")
    #expect(list.cause(of: circumstances("inv-1"))?.name == "b")
  }

  @Test(arguments: [
    ("  - {name: a, note: b, proof: c, shows: []}\n", "3:41: shows is []; expected a list"),
    ("  - {name: a, note: b, proof: c, shows: [{on: a}]}\n", "3:42: a condition has no breach"),
    (
      "  - {name: a, note: b, proof: c, shows: [{breach: inv-380}]}\n",
      "3:51: unknown invariant inv-380; did you mean inv-30, inv-38"
    ),
    (
      "  - {name: a, note: b, proof: c, shows: [{breach: inv-38, act: chld_added}]}\n",
      "3:64: unknown event chld_added; did you mean child_added?"
    ),
    ("  - {name: A, note: b, proof: c, shows: [{breach: a}]}\n", "3:12: name is \"A\"; expected"),
    ("  - {name: a, note: 1, proof: c, shows: [{breach: a}]}\n", "3:21: note is 1; expected"),
    (
      leftListen + leftListen,
      "10:5: left-listen is already listed at 3:5; expected each name once"
    ),
  ])
  func `mistakes are told with their places, and then there is no list`(
    text: String, problem: String
  ) {
    let (list, problems) = read(text)

    #expect(list.causes.isEmpty)
    #expect(
      problems.contains { "\($0.position): \($0.message)".hasPrefix(problem) }, "\(problems)")
  }

  @Test func `patterns and words that are no names are not looked at`() {
    let conditions = "[{breach: 'inv-38?', act: ['value*', value by child_added, added]}]"

    #expect(read("  - {name: a, note: b, proof: c, shows: \(conditions)}\n").problems == [])
  }

  @Test func `a rule and a proof that there are not are mistakes`() {
    let text = Self.head + Self.leftListen
    func problems(_ context: KnownCauses.Context) -> [String] {
      KnownCauses.read(file: "known", bytes: Array(text.utf8), context).problems.map {
        "\($0)"
      }
    }

    #expect(problems(.init(rules: ["OBS-12"]) { $0 == "a.yaml" }) == [])
    #expect(
      problems(.init(rules: ["EVT-1"]) { _ in false }) == [
        "known:4:11: there is no rule \"OBS-12\"",
        "known:6:12: there is no a.yaml beside the list; expected a scenario that fails for this cause",
      ])
    #expect(
      problems(.init(rules: ["OBS-11", "OBS-21"])) == [
        "known:4:11: there is no rule \"OBS-12\"; did you mean \"OBS-11\" or \"OBS-21\"?"
      ])
  }

  @Test(arguments: [
    ("wilddog-js", "wilddog-2", "child-listeners-not-cancelled"),
    ("wilddog-js", "wilddog-2", "deep-names-are-keys"),
    ("wilddog-js", "wilddog-2", "handle-removes-elsewhere"),
    ("wilddog-js", "wilddog-2", "limits-are-confused"),
    ("wilddog-js", "wilddog-2", "ranges-leave-out-their-end"),
    ("firebase-js", "firebase", "filtered-listens-not-restored"),
    ("firebase-js", "firebase", "gets-end-twice"),
    ("firebase-js", "firebase", "limit-lost-beside-a-range"),
    ("firebase-js", "firebase", "moves-once-only"),
    ("firebase-js", "firebase", "no-refill"),
  ])
  func `the list of a shipped client does not hide other defects`(
    client: String, profile: String, name: String
  ) throws {
    let text = try SourceTree.text(of: "Specs/clients/\(client).hunted")
    let list = KnownCauses.read(file: "list", bytes: Array(text.utf8)).list
    let mutant = try #require(Mutant(named: name))
    let hunter = Hunter(HuntSettings(profile: profile), known: list) { seed in
      var runner = ScenarioRunner(seed: seed) { mutant.makeClient($1) }
      runner.shadows = ReferenceClient.shadows(in:)
      return runner
    }
    var results = HuntResults()
    results.add(hunter.run(1...120))

    #expect(!list.causes.isEmpty)
    #expect(!results.findings.isEmpty)
  }

  @Test func `the failures of a known cause are no news, and those of another defect are`() throws {
    let list = read("  - {name: early, note: b, proof: c, shows: [{breach: inv-4}]}\n").list
    let mutant = try #require(Mutant(named: "value-first"))
    let hunter = Hunter(HuntSettings(), known: list) { seed in
      ScenarioRunner(seed: seed) { mutant.makeClient($1) }
    }
    var results = HuntResults()
    results.add(hunter.run(1...20))

    #expect(results.known.map(\.signature) == ["known early"])
    #expect(results.findings.allSatisfy { !$0.signature.hasPrefix("inv-4") })
    #expect(results.failedAsKnown > 0)
    let report = HuntReport(of: results, known: list) { _ in [] }.text()
    #expect(report.contains("\nknown early   \(results.known[0].seeds.count) times\n      b\n"))
  }
}
