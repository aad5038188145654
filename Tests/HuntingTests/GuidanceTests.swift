import ClientInterface
import Conformance
import ReferenceClient
import Scenario
import TestKit
import Testing
import Trace

@testable import Hunting

@Suite struct GuidanceTests {
  private var settings: HuntSettings {
    var settings = HuntSettings(size: 60, chunkLength: 64)
    settings.isGuided = true
    return settings
  }

  private func hunter(_ name: String? = nil, corpus: Corpus? = nil) -> Hunter {
    let runner = Kit.runner(client: name)
    return Hunter(settings, corpus: corpus) { seed in
      var runner = runner
      runner.seed = seed
      runner.shadows = ReferenceClient.shadows(in:)
      return runner
    }
  }

  @Test func `a recipe of a seed makes the scenario of the seed`() throws {
    let hunter = hunter()
    for seed in UInt64(1)...12 {
      let recipe = hunter.recipe(of: seed)

      #expect(hunter.hash(of: seed, recipe) == hunter.hash(of: seed))
      #expect(Recipe(text: recipe.text) == recipe)
      let kept = KeptRecipe(seed: seed + 100, recipe: recipe)
      #expect(KeptRecipe(text: Substring(kept.text)) == kept)
    }
  }

  @Test(arguments: ["", "1-2", "1-2-3", "1-2-3.4", "-2-3.4.5", "1-2-zzz.4.5", "1-2-3.4.-5"])
  func `what is no recipe is not read`(text: String) {
    #expect(Recipe(text: text) == nil)
    #expect(KeptRecipe(text: Substring("7@" + text)) == nil)
    #expect(KeptRecipe(text: Substring(text)) == nil)
  }

  @Test func `what is run for a chunk follows from its seeds alone`() throws {
    let first = hunter()
    _ = first.run(1...64)
    let record = first.run(65...128)

    #expect(hunter().run(65...128) == record)
    #expect(!record.samples.isEmpty)
    #expect(ChunkRecord(line: record.line)?.line == record.line)
  }

  @Test func `every operator leaves scenarios that the reference client passes`() throws {
    let hunter = hunter()
    var random = RandomNumbers(seed: 1)
    for seed in UInt64(3)...8 {
      for change in MutationOperator.allCases {
        let recipe = hunter.recipe(of: seed)
          .changed(by: change, with: hunter.recipe(of: seed + 3), &random)
        let result = hunter.run(hunter.drawn(seed, recipe).scenario, seed: seed, recipe)

        #expect(result.verdict == .pass, "\(change) \(seed): \(result.sentence)")
        #expect(settings.profile(of: recipe.plan) == settings.profile(of: seed))
      }
    }
  }

  @Test func `what a recipe finds is kept as a scenario that shows it without the recipe`() throws {
    let hunter = hunter("value-first")
    let finds = hunter.run(1...64).finds
    let find = try #require(finds.first { $0.shortest.recipe != nil } ?? finds.first)
    let run = find.shortest
    let file = hunter.drawn(run.seed, run.recipe, signature: find.signature, name: "found.yaml")
    let scenario = try Kit.scenario(whole: file.text, file: "found.yaml")

    #expect(hunter.run(scenario, seed: run.seed, run.recipe).signature?.text == find.signature)
  }

  @Test func `guided hunts reach more states than blind ones`() throws {
    let guided = hunter()
    _ = guided.run(1...600)
    var blind = settings
    blind.isGuided = false
    let other = Hunter(blind) { ScenarioRunner(seed: $0, client: Kit.reference) }
    _ = other.run(1...600)

    #expect(guided.states.count > other.states.count)
  }

  @Test func `a corpus has the fewest recipes that reach the same`() throws {
    let hunter = hunter()
    _ = hunter.run(1...96)
    let all = Corpus(hunter.takeRecipes().map(\.recipe), settings)
    let few = all.minimised()
    func states(_ corpus: Corpus) -> Set<UInt32> {
      Set(corpus.recipes.flatMap { CorpusRun(of: $0, corpus).states })
    }

    #expect(few.recipes.count < all.recipes.count)
    #expect(states(few) == states(all))
    #expect(all.minimised(most: 3).recipes.count == 3)
    #expect(try Corpus(text: few.text, settings) == few)
    let begun = self.hunter(corpus: few)
    let record = begun.run(1...UInt64(few.recipes.count))
    #expect(begun.states.count == states(few).count)
    #expect(record.finds == [])
  }

  @Test func `what a recipe reaches does not depend on whether its run is judged`() throws {
    let hunter = hunter()
    let corpus = Corpus((1...12).map(hunter.recipe), settings)
    for (seed, recipe) in zip(UInt64(1)..., corpus.recipes) {
      let run = CorpusRun(of: recipe, corpus)
      let judged = hunter.run(hunter.drawn(seed, recipe).scenario, seed: seed, recipe)
      var states: Set<UInt32> = []
      judged.trace.readStates(clients: judged.scenario.clients.count) { states.insert($0) }

      #expect(run.states == states.sorted())
      #expect(run.events == judged.trace.count)
    }
  }

  @Test func `the corpus of the repository reaches much soon`() throws {
    let text = try SourceTree.text(of: "Tests/Hunt/recipes.txt")
    let corpus = try Corpus(text: text, HuntSettings())
    let states = Set(
      corpus.recipes.prefix(100).flatMap { CorpusRun(of: $0, corpus).states })

    #expect(corpus.recipes.count == 800)
    #expect(text.utf8.count < 300_000)
    #expect(states.count >= 8_000)
  }

  @Test func `a corpus of other settings and a line that is no recipe are refused`() throws {
    let corpus = Corpus([hunter().recipe(of: 1)], settings)
    let other = #expect(throws: Corpus.Mistake.self) {
      try Corpus(text: corpus.text, HuntSettings(size: 120))
    }
    #expect(other?.description.hasPrefix("found \"# kennel-corpus 1, generator ") == true)
    let line = #expect(throws: Corpus.Mistake.self) {
      try Corpus(text: corpus.text + "no recipe\n", settings)
    }
    #expect(line?.line == 3)
    #expect(
      line?.description == "found \"no recipe\"; expected a recipe as 'kennel hunt' writes it; "
        + "leave the line out")
  }

  @Test func `guidance begins when there is something to change`() {
    var guidance = Guidance(seed: 1)
    for seed in UInt64(1)...2 {
      guidance.record(UInt32(seed), run: seed)
      guidance.learn(.init(), Recipe(seed: seed * 3, profile: .firebase, size: 60))
    }
    #expect(guidance.corpus.count == 2)
    #expect(guidance.choose(4).recipe == nil)
    #expect(guidance.choose(5).recipe != nil)
  }
}
