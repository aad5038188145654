import ClientInterface
import Foundation
import Scenario
import TestKit
import Testing

@testable import Mutants
@testable import MutationAnalysis

@Suite struct StrengthTests {
  /// Rules with these ids that bind clients in all profiles.
  private func rules(
    _ ids: String..., attributes: String = "- level: MUST", file: String = "events"
  ) -> RuleBook {
    let texts = ids.map { id in
      "## \(id) Title of \(id)\n\n\(attributes)\n- profiles: all\n- source: tests\n\nIt holds.\n"
    }
    return RuleBook(files: [("Specs/rules/\(file).md", texts.joined(separator: "\n"))])
  }

  /// A scenario of EVT-7 in which nothing but values is listened to.
  private let valuesOnly = """
    clients: [alice]
    data: {room: {a: 1}}
    steps:
      - alice.listen: {path: room, event: value, as: feed}
      - expect: {alice.feed: [{value: {a: 1}}]}
    """

  @Test func `a rule is tested by a mutant that violates it and that its scenario notices`() throws
  {
    let strength = Strength(
      of: rules("EVT-7"), by: [try Kit.example()], mutants: [.valueFirst, .lostEcho])

    #expect(strength.isComplete)
    #expect(
      strength.text == """
        EVT-7  MUST  Title of EVT-7
            value-first  test/example in wilddog-1 wilddog-2 firebase

        rules that one scenario alone tests: 1
          EVT-7  Title of EVT-7  test/example

        1 of 1 MUST rules that bind clients violated by a mutant that one of their scenarios notices

        """)
  }

  @Test func `a rule that two scenarios test does not hang on one`() throws {
    var other = try Kit.example()
    other.id = "test/other"
    let strength = Strength(
      of: rules("EVT-7"), by: [try Kit.example(), other], mutants: [.valueFirst])

    #expect(strength.rows.map(\.witnesses) == [["test/example", "test/other"]])
    #expect(!strength.text.contains("one scenario alone"))
    #expect(strength.json.contains(#""rulesWithOneWitness":[]"#))
  }

  @Test func `two scenarios show each rule that every client must obey`() throws {
    let strength = Strength(of: try Kit.projectRules(), by: try Kit.projectScenarios())

    let alone = strength.rows.filter(\.hasOneWitness).map { "\($0.rule.id) \($0.witnesses)" }
    #expect(alone == [], "give each of them a second scenario, with other data or another fault")
  }

  @Test func `a rule that no mutant violates is a gap`() throws {
    let strength = Strength(
      of: rules("EVT-1"), by: [try Kit.example().citing("EVT-1")], mutants: [.valueFirst])

    #expect(!strength.isComplete)
    #expect(strength.idle.isEmpty)
    #expect(
      strength.text.contains(
        """
        rules that no mutant violates: 1
          EVT-1  Title of EVT-1  as yet value-first fails test/example in wilddog-1

        0 of 1 MUST rules
        """))
    #expect(
      strength.json.contains(
        #""rulesWithoutMutant":["EVT-1"],"rulesWithOneWitness":[],"rulesThatNothingFailed":[]"#))
  }

  @Test func `a rule whose scenarios nothing has failed is named`() throws {
    let strength = Strength(
      of: rules("EVT-1"), by: [try Kit.example(valuesOnly).citing("EVT-1")],
      mutants: [.valueFirst])

    #expect(!strength.isComplete)
    #expect(strength.idle.map(\.rule.id.description) == ["EVT-1"])
    #expect(
      strength.text.contains(
        """
        rules whose scenarios nothing has failed: 1
          EVT-1  Title of EVT-1  Specs/rules/events.md:1

        """))
  }

  @Test func `a mutant that no scenario of its rule notices is a gap`() throws {
    let strength = Strength(
      of: rules("EVT-7"), by: [try Kit.example(valuesOnly)], mutants: [.valueFirst])

    #expect(!strength.isComplete)
    #expect(
      strength.text.contains(
        """
        EVT-7  MUST  Title of EVT-7
            value-first  noticed by no scenario of the rule

        """))
    #expect(
      strength.text.contains(
        """
        mutants that no scenario of the rule notices: 1
          EVT-7  value-first

        """))
    #expect(strength.json.contains(#""unnoticed":[{"rule":"EVT-7","mutant":"value-first"}]"#))
  }

  @Test func `a failure for another rule does not count`() throws {
    // What is expected is met; the invariant that is broken follows from EVT-7.
    let scenario = try Kit.example(
      """
      clients: [alice]
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room, as: feed}
        - expect: {alice.feed: [{$unordered: [{child_added: a, value: 1, prev: null}, {value: {a: 1}}]}]}
      """)
    #expect(Strength(of: rules("EVT-7"), by: [scenario], mutants: [.valueFirst]).isComplete)

    let strength = Strength(
      of: rules("EVT-1"), by: [scenario.citing("EVT-1")], mutants: [.valueFirst])
    #expect(strength.idle.count == 1)
  }

  @Test func `a profile in which nothing violates a rule is named`() throws {
    let scenario = try Kit.example("profiles: [firebase]\n" + Kit.feed)
    let strength = Strength(of: rules("EVT-7"), by: [scenario], mutants: [.valueFirst])

    #expect(strength.text.contains("rules that nothing violates in wilddog-1: 1\n  EVT-7  Title"))
  }

  @Test(arguments: [
    "- level: MUST\n- binds: server", "- level: SHOULD", "- level: MUST\n- tested: unit",
  ])
  func `what no client must obey, or no scenario can test, is no gap`(attributes: String) throws {
    let strength = Strength(of: rules("EVT-1", attributes: attributes), by: [], mutants: [])

    #expect(strength.isComplete)
    #expect(strength.text.contains("rules tested otherwise: 1") == attributes.contains("unit"))
  }

  @Test(arguments: [
    (
      "value-first-across", "events/value-after-the-children-of-every-listener", "EVT-7", "events"
    ),
    ("push-ids-lack-the-time", "push-ids/keys-of-two-clients-in-time", "PSH-2", "push-ids"),
  ])
  func `clients that passed everything once fail in every profile`(
    name: String, id: String, rule: String, file: String
  ) throws {
    let strength = Strength(
      of: rules(rule, file: file), by: [try Kit.projectScenario(id)],
      mutants: [try Kit.mutant(name)])

    let tie = try #require(strength.rows.first?.ties.first)
    #expect(tie.runs.map(\.profile) == Rule.profileNames)
  }

  @Test func `every mutant violates rules that exist`() throws {
    let book = try Kit.projectRules()
    for mutant in Mutant.all + Mutant.subtle {
      for id in mutant.violated {
        let rule = try #require(RuleID(id).flatMap { book[$0] }, "\(mutant.name) violates \(id)")
        #expect(rule.binds == .client, "\(mutant.name) violates \(id)")
        #expect(
          mutant.profiles.contains { rule.holds(for: $0.name) }, "\(mutant.name) violates \(id)")
      }
    }
  }
}

extension Scenario {
  fileprivate func citing(_ rule: String) -> Scenario {
    var scenario = self
    scenario.rules = scenario.rules.map { citation in
      var citation = citation
      citation.id = rule
      return citation
    }
    return scenario
  }
}
