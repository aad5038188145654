import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Scenario
import TestKit
import Testing

@testable import Hunting

/// The files of what a hunt has found.
@Suite struct FoundFileTests {
  private static let settings = HuntSettings(profile: "firebase", client: "value-first")

  private static func hunter(_ settings: HuntSettings) -> Hunter {
    Hunter(settings) { seed in
      var runner = ScenarioRunner(seed: seed) { Mutant.examples[0].makeClient($1) }
      if settings.hasShadow { runner.shadows = ReferenceClient.shadows(in:) }
      return runner
    }
  }

  private static func words(_ found: FoundFile) -> String { found.scenario.find?.words ?? "" }

  @Test(
    arguments: [
      (nil, nil, nil), (7, .init(from: 34, to: 3, runs: 120, isMinimal: true), .confirmed),
      (
        9, .init(from: 34, to: 3, runs: 120, isMinimal: false),
        .unconfirmed("it ended with exit code 0")
      ),
    ] as [(UInt64?, Scenario.Find.Shrunk?, Scenario.Find.Confirmation?)])
  func `what a hunt knows is read as it is written`(
    run: UInt64?, shrunk: Scenario.Find.Shrunk?, confirmation: Scenario.Find.Confirmation?
  ) throws {
    var find = Scenario.Find(signature: "inv-4 listener", seed: .max)
    (find.run, find.shrunk, find.confirmation) = (run, shrunk, confirmation)
    find.options = ["--profile", "firebase", "--seed", "7", "--", "./my adapter", "a: b"]
    let scenario = try Kit.scenario(
      whole: """
        kennel: 1
        title: A find
        judge: invariants
        clients: [alice]
        steps: [alice.set: {path: a, value: 1}, network.cut: alice, settle]

        """, file: "f.yaml")
    let found = FoundFile(scenario, find)

    let again = try #require(FoundFile(text: found.text))

    #expect(again.scenario.find == find)
    #expect(again.shape == "cut, set")
    #expect(again.steps == shrunk?.after ?? .max)
    #expect(
      find.seeds
        == "found by kennel hunt with seed \(UInt64.max)"
        + (run.map { ", run with seed \($0)" } ?? ""))
    #expect(find.words.hasSuffix(" --seed 7 -- './my adapter' 'a: b'"))
  }

  @Test func `a file that says nothing of a hunt is known by its steps`() throws {
    let file = try #require(
      FoundFile(
        text: """
          # inv-4 listener, found by kennel hunt with seed 7
          kennel: 1
          title: Found by an older version
          judge: invariants
          clients: [alice]
          steps: [alice.set: {path: a, value: 1}, network.cut: alice, settle]

          """))

    #expect(file.scenario.find == nil)
    #expect(file.shape == "cut, set")
    #expect(file.steps == 2)
    #expect(FoundFile(text: "# nothing") == nil)
  }

  @Test func `runs that differ are shown by comparing them`() {
    let hunter = Self.hunter(Self.settings)

    let differing = hunter.drawn(7, signature: HuntResults.mismatch, name: "f.yaml")
    let other = hunter.drawn(7, signature: "crash", name: "f.yaml")

    #expect(Self.words(differing).hasSuffix(" --seed 7 --client value-first --audit"))
    #expect(Self.words(other).hasSuffix(" --seed 7 --client value-first --shadow"))
  }

  @Test func `a failure is made small and says how to see it again`() throws {
    let hunter = Self.hunter(Self.settings)
    let find = try #require(
      hunter.run(1...20).finds.first { $0.signature == "inv-4 listener on-data" })
    let seed = find.shortest.seed

    let found = hunter.shrunk(seed, signature: find.signature, name: "f.yaml")

    let lines = found.text.split(separator: "\n")
    #expect(lines[0] == "# \(find.signature), found by kennel hunt with seed \(seed)")
    #expect(lines[1].hasSuffix(" runs; nothing can be left out by itself"))
    #expect(lines[3] == "# with: \(found.shape)")
    #expect(
      lines[4]
        == "# tools/kennel run f.yaml --profile firebase --seed \(seed) --client value-first")
    #expect(found.steps <= 3)
    #expect(found.text.contains("\n  value-first: "))
    #expect(found.shape.split(separator: ", ").contains { $0.hasPrefix("listen") })
    let again = try #require(FoundFile(text: found.text))
    #expect(again.scenario.find == found.scenario.find)
    #expect(again.shape == found.shape)
  }

  @Test(arguments: [true, false])
  func `what is known is only made small until its steps show that`(isKnown: Bool) throws {
    let hunter = Self.hunter(Self.settings)
    let find = try #require(hunter.run(1...20).finds.first)
    let (seed, signature) = (find.shortest.seed, find.signature)
    let whole = hunter.shrunk(seed, signature: signature, name: "f.yaml")
    var asked: [FoundFile] = []

    let found = hunter.shrunk(seed, nil, signature: signature, name: "f.yaml") {
      asked.append($0)
      return isKnown
    }

    #expect(found?.text == (isKnown ? nil : whole.text))
    #expect(asked.count == 1)
    #expect(asked.first?.steps == whole.steps)
    #expect(asked.first?.scenario.find?.signature == signature)
  }

  @Test func `what only the shadow notices is kept as a scenario for a shadow`() throws {
    let hunter = Hunter(HuntSettings(profile: "firebase")) { seed in
      var runner = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
      runner.shadows = { profile in OpenChoices { _ in Mutant.examples[0].makeClient(profile) } }
      return runner
    }
    let find = try #require(hunter.run(1...20).finds.first)
    let found = hunter.shrunk(find.shortest.seed, signature: find.signature, name: "f.yaml")

    #expect(Self.words(found).hasSuffix(" --shadow"))
    #expect(found.scenario.judging == .invariants)
    #expect(found.scenario.find?.shrunk?.isMinimal == true)
    let scenario = try Kit.scenario(whole: found.text, file: "f.yaml")
    #expect(hunter.run(scenario, seed: find.shortest.seed).signature?.text == find.signature)
  }

  @Test func `what breaks advice of the profile is listed as advice`() throws {
    let mutant = try #require(Mutant(named: "results-before-their-data"))
    let order = RuleBook(files: [
      (
        "Specs/rules/events.md",
        "## EVT-8 Order\n\n- level: MUST\n- profiles: all\n- should: wilddog-1\n"
          + "- source: recordings\n\nIt holds.\n"
      )
    ])
    let signatures = [nil, order].map { rules in
      Hunter(HuntSettings(client: mutant.name), rules: rules) { seed in
        var runner = ScenarioRunner(seed: seed) { mutant.makeClient($1) }
        runner.shadows = ReferenceClient.shadows(in:)
        return runner
      }.run(1548...1548).finds.map(\.signature)
    }

    #expect(!signatures[0].isEmpty)
    #expect(signatures[1] == signatures[0].map { HuntResults.advice + $0 })
  }

  @Test(arguments: ["writes-twice", "set-alone-checks", "orders-by-priority-only"])
  func `the file of a find fails with what was found, and cites its rule`(client: String) throws {
    let mutant = try #require(Mutant(named: client))
    let hunter = Hunter(HuntSettings(profile: "firebase", client: client)) { seed in
      var runner = ScenarioRunner(seed: seed) { mutant.makeClient($1) }
      runner.shadows = ReferenceClient.shadows(in:)
      return runner
    }
    let finds = hunter.run(1...60).finds
    #expect(!finds.isEmpty)
    for find in finds {
      let seed = find.shortest.seed
      let found = hunter.shrunk(seed, signature: find.signature, name: "f.yaml")
      let scenario = try Kit.scenario(whole: found.text, file: "f.yaml")
      var runner = ScenarioRunner(seed: seed) { mutant.makeClient($1) }
      if Self.words(found).hasSuffix(" --shadow") { runner.shadows = ReferenceClient.shadows(in:) }

      let result = runner.run(scenario, in: .firebase)

      #expect(result.signature?.text == find.signature)
      let own = try #require(result.divergences.first?.rules.first)
      #expect(scenario.rules.map(\.id) == [own])
    }
  }

  @Test func `a failure that is another one is kept as it was drawn`() {
    let hunter = Self.hunter(Self.settings)

    let found = hunter.shrunk(1, signature: "inv-99", name: "f.yaml")

    #expect(found.scenario.find?.shrunk == nil)
    #expect(Self.words(found).hasSuffix(" --shadow"))
    #expect(found.text.contains("\n# as it was drawn\n"))
    #expect(found.scenario.steps.count == hunter.drawn(1).scenario.steps.count)
  }

  @Test func `making small is bounded, the more so the longer the scenarios are`() {
    #expect(Self.hunter(HuntSettings()).shrinkingLimit == 2000)
    #expect(Self.hunter(HuntSettings(size: 600)).shrinkingLimit == 400)
    #expect(Self.hunter(HuntSettings(size: 100_000)).shrinkingLimit == 200)
  }

  @Test func `a drawn scenario is the same when it is read from its file`() throws {
    let hunter = Hunter(HuntSettings()) { ScenarioRunner(seed: $0, client: Kit.reference) }
    for seed in UInt64(1)...60 {
      let text = hunter.drawn(seed, signature: "s", name: "f.yaml").text
      var scenario = try Kit.scenario(whole: text, file: "f.yaml")
      // What is drawn has no texts, which are in traces.
      for index in scenario.steps.indices { scenario.steps[index].text = "" }

      #expect(hunter.run(scenario, seed: seed).hash == hunter.hash(of: seed), "seed \(seed)")
    }
  }
}
