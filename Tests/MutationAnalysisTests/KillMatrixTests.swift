import Conformance
import Scenario
import TestKit
import Testing

@testable import Mutants
@testable import MutationAnalysis

@Suite struct KillMatrixTests {
  /// Every mutant as if it had been noticed by the scenario `a`, but for some.
  private func evidence(sparing names: Set<String> = []) -> [MutantResult] {
    Mutant.all.map { mutant in
      var evidence = MutantResult(of: mutant)
      if !names.contains(mutant.name) {
        evidence.suite.failing = ["test/a"]
        evidence.suite.first = .init(scenario: "test/a", profile: "firebase")
        evidence.hunt = .init(seed: 7, signature: Signature("inv-4 listener"))
        evidence.times.suite = 3
      }
      return evidence
    }
  }

  @Test func `what survives and what is idle is named`() throws {
    let scenarios = [try Kit.example(id: "a"), try Kit.example(id: "b")]
    let matrix = KillMatrix(
      evidence(sparing: ["value-first"]), scenarios: scenarios)
    let count = Mutant.all.count

    #expect(matrix.idleScenarios == ["test/b"])
    #expect(!matrix.isPerfect)
    #expect(
      matrix.text == """
        survives: value-first: A value event is raised before the child events of the same change.
        scenarios that fail no mutant: 1
        scenarios: \(count - 1) noticed, median 3, 95 % within 3 ms
        invariants: nothing noticed
        hunt: nothing noticed
        \(count - 1) of \(count) mutants noticed, 0 of 0 conforming variants flagged

        """)
  }

  @Test func `what was made small is summed up`() throws {
    var evidence = evidence()
    for index in evidence.indices {
      evidence[index].shrunk = .init(steps: index == 0 ? 11 : 3, executions: 80)
      evidence[index].shrunk?.isMinimal = index > 1
      evidence[index].shrunk?.isConfirmed = true
      evidence[index].times.shrinking = 20
    }
    let matrix = KillMatrix(evidence, scenarios: [])
    let count = evidence.count

    #expect(
      matrix.text.contains(
        """
        made small, to at most 10 steps: \(count - 1) of \(count) (99 %)
        of which nothing can be left out: \(count - 2) of \(count) (99 %)
        seen again in another process: \(count) of \(count) (100 %)
        seen only by comparison with a shadow: 0 of \(count) (0 %)
        steps that are left: median 3, 95 % within 3
        scenarios tried for that: median 80, 95 % within 80
        milliseconds for that: median 20, 95 % within 20

        """))
    #expect(matrix.markdown.contains("| steps that are left | median 3, 95 % within 3 |\n"))
    #expect(matrix.markdown.contains("| inv-4 listener | 7 | 11 | 80 |\n"))
  }

  @Test func `a conforming variant that is found fault with spoils the matrix`() throws {
    var flagged = MutantResult(of: try Kit.mutant("chatty"))
    flagged.invariants.ids = ["INV-9"]
    flagged.invariants.failing = ["test/a"]
    let matrix = KillMatrix(evidence() + [flagged], scenarios: [])

    #expect(matrix.survivors.isEmpty && !matrix.isPerfect)
    #expect(matrix.text.contains("flagged: chatty: INV-9 in test/a\n"))
    #expect(matrix.markdown.contains("| **flagged**: INV-9 in test/a |"))
  }

  @Test func `a part of the mutants says nothing of idle scenarios`() throws {
    let matrix = KillMatrix(
      [MutantResult(of: .valueFirst)], scenarios: [try Kit.example()])

    #expect(matrix.idleScenarios.isEmpty)
  }

  @Test func `a line tells how one mutant fared`() throws {
    var evidence = MutantResult(of: .valueFirst)
    #expect(
      KillMatrix.line(evidence)
        == "SURVIVES  value-first  0 scenarios, 0 invariants, hunt: nothing in 0\n")
    evidence.hunt = .init(seed: 3, signature: Signature("inv-4 listener"))
    evidence.times.hunt = 12.4
    evidence.shrunk = .init(steps: 2, executions: 30)
    let found = "killed  value-first  0 scenarios, 0 invariants, inv-4 listener after 3 (12 ms), "
    #expect(
      KillMatrix.line(evidence)
        == found + "2 steps after 30, not minimal, not confirmed\n")
    evidence.shrunk?.isMinimal = true
    evidence.shrunk?.isConfirmed = true
    evidence.times.shrinking = 4
    #expect(KillMatrix.line(evidence) == found + "2 steps after 30 (4 ms)\n")
    let variant = MutantResult(of: try Kit.mutant("chatty"))
    #expect(KillMatrix.line(variant).hasPrefix("passes  chatty"))
  }
}

@Suite struct ClaimTests {
  private func claims(_ scenario: Scenario, _ seed: UInt64?) -> [Claim] {
    Mutant.all.map { mutant in
      Claim(
        mutant: mutant.name, witness: .init(scenario: scenario.id, profile: "firebase"), seed: seed)
    }
  }

  @Test func `what a document claims is read from its rows`() {
    var evidence = MutantResult(of: .valueFirst)
    evidence.suite.first = .init(scenario: "events/a[n=1]", profile: "wilddog-2")
    evidence.hunt = .init(seed: 5, signature: Signature("inv-4 listener"))
    let other = MutantResult(of: .lostEcho)
    let matrix = KillMatrix([evidence, other], scenarios: [])

    let claims = Claim.all(in: matrix.markdown)

    #expect(claims.map(\.mutant) == ["value-first", "lost-echo"])
    #expect(claims[0].witness == evidence.suite.first && claims[0].seed == 5)
    #expect(claims[1].witness == nil && claims[1].seed == nil)
  }

  @Test func `claims that do not hold are told`() throws {
    let scenario = try Kit.example()
    var claims = claims(scenario, nil)
    claims.removeAll { $0.mutant == "lost-echo" }
    claims[1].witness = nil
    claims.append(Claim(mutant: "nobody", witness: nil, seed: nil))
    let spared = claims[1].mutant

    let objections = Kit.detector([scenario]).objections(to: claims)

    #expect(objections.contains("lost-echo is missing"))
    #expect(objections.contains("\(spared) has no witness"))
    #expect(objections.contains("there is no mutant nobody"))
    #expect(objections.contains("dropped-write passes test/example in firebase"))
    #expect(
      objections.filter { $0.hasPrefix("value-first ") || $0.contains("conforming") } == [])
  }

  @Test func `a seed that finds nothing any more is told`() throws {
    let claim = Claim(mutant: "lists-of-the-second-edition", witness: nil, seed: 1)

    let objections = Kit.detector([]).objections(to: [claim])

    #expect(objections.contains("lists-of-the-second-edition passes what the seed 1 draws"))
  }

  @Test func `a conforming variant that fails is told`() throws {
    let scenario = try Kit.example(
      Kit.feed.replacing("value: {a: 1}", with: "value: {a: 2}"))

    let objections = Kit.detector([scenario]).objections(to: claims(scenario, nil))

    #expect(objections.contains("chatty is conforming and fails test/example in wilddog-1"))
  }
}
