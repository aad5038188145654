package import ClientInterface
public import Conformance
internal import Document
internal import ReferenceClient
public import Scenario
internal import Search
internal import Trace
public import Tree

/// Runs seeds of a campaign, in one process.
public struct Hunter {
  /// The settings that decide which scenario a seed draws and in which profile it is run.
  public let settings: HuntSettings
  private let makeRunner: (UInt64) -> ScenarioRunner
  /// What runs scenarios in its place on a real clock; `nil` in virtual time.
  private let live: LiveRuns?
  private let memory = HunterMemory()
  /// What a guided campaign begins with.
  private let corpus: Corpus?
  /// The causes of failures that are no news.
  private let known: KnownCauses
  /// Says which rules are advice in a profile; `nil` takes all of them for binding.
  private let rules: RuleBook?

  /// One seed in so many is run again in another process.
  public static let sampling: UInt64 = 64

  /// - Parameters:
  ///   - settings: What is run.
  ///   - corpus: What a guided campaign begins with.
  ///   - known: The causes of failures that are no news.
  ///   - rules: Say what is advice in a profile; without them all are binding.
  ///   - makeRunner: What runs a scenario, for a seed.
  public init(
    _ settings: HuntSettings, corpus: Corpus? = nil, known: KnownCauses = KnownCauses(),
    rules: RuleBook? = nil, makeRunner: @escaping (UInt64) -> ScenarioRunner
  ) {
    self.settings = settings
    self.corpus = corpus
    self.known = known
    self.rules = rules
    self.makeRunner = makeRunner
    live = nil
  }

  /// Hunts on a real clock, where nothing can be run twice in the same way.
  ///
  /// - Parameters:
  ///   - settings: What is run.
  ///   - known: The causes of failures that are no news.
  ///   - rules: Say what is advice in a profile.
  ///   - live: What runs a scenario.
  public init(_ settings: HuntSettings, known: KnownCauses, rules: RuleBook?, live: LiveRuns) {
    self.settings = settings
    corpus = nil
    self.known = known
    self.rules = rules
    makeRunner = { seed in ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) } }
    self.live = live
  }

  /// The scenario of a seed, or of what is run for it, without what the client cannot do.
  public func drawn(_ seed: UInt64, _ recipe: Recipe? = nil) -> Generator.Drawn {
    let profile = profile(of: seed, recipe)
    let generator = Generator(profile: profile, size: settings.size)
    var drawn = recipe.map { generator.scenario($0) } ?? generator.scenario(seed: seed)
    let capabilities = capabilities(in: profile)
    if !capabilities.isSuperset(of: Capability.inDetail) {
      drawn.scenario = drawn.scenario.limited(to: capabilities)
    }
    if let live { drawn.scenario = live.limited(drawn.scenario) }
    return drawn
  }

  /// What all clients of a drawn scenario can do in a profile.
  package func capabilities(in profile: Profile) -> Set<String> {
    if let live { return live.capabilities }
    if let known = memory.capabilities[profile.name] { return known }
    let capabilities = makeRunner(0).capabilities(in: profile, of: Generator.clients)
    memory.capabilities[profile.name] = capabilities
    return capabilities
  }

  /// What is left out, because the client lacks it; in the order of the documentation.
  public var lacks: [String] {
    let capabilities = capabilities(in: settings.profile(of: 0))
    return Capability.inDetail.filter { !capabilities.contains($0) }
  }

  private func profile(of seed: UInt64, _ recipe: Recipe?) -> Profile {
    settings.profile(of: recipe?.plan ?? seed)
  }

  /// Runs a scenario as it is run for a seed.
  public func run(_ scenario: Scenario, seed: UInt64, _ recipe: Recipe? = nil) -> ScenarioResult {
    let (profile, run) = (profile(of: seed, recipe), recipe?.run ?? seed)
    var result = live?.run(scenario, profile, run) ?? makeRunner(run).run(scenario, in: profile)
    if result.verdict == .fail, let rules, result.isAdvice(by: rules) { result.verdict = .advice }
    return result
  }

  /// The states that all runs have reached.
  public var states: StateTable { memory.table }

  /// Hands out what is new about states since the last call.
  package func takeStates() -> [StateTable.Entry] { memory.table.takeNews() }

  /// Hands out the recipes that reached a state first since the last call.
  package func takeRecipes() -> [KeptRecipe] {
    defer { memory.kept = [] }
    return memory.kept
  }

  /// Records the states of a run.
  private func recordStates(of result: ScenarioResult, _ seed: UInt64, _ guidance: inout Guidance?)
  {
    // A run comes to most states again and again.
    var reached: Set<UInt32> = Set(minimumCapacity: 128)
    result.trace.readStates(clients: result.scenario.clients.count) { code in
      guard reached.insert(code).inserted else { return }
      memory.table.record(code, run: seed)
      guidance?.record(code, run: seed)
    }
  }

  /// Runs some seeds in a row, and prints each of them before it is run. What is run follows from
  /// the settings, the corpus and these seeds alone.
  public func run(
    _ seeds: ClosedRange<UInt64>, notify: (UInt64, Recipe?) -> Void = { _, _ in }
  ) -> ChunkRecord {
    var record = ChunkRecord(seeds: seeds)
    visit(seeds, notify) { seed, recipe, marks, result in
      record.add(result, seed, recipe, marks, known)
      return true
    }
    // Another process comes to other hashes.
    if live != nil { (record.hash, record.samples) = (Fingerprint(), []) }
    return record
  }

  /// Runs some seeds in a row, as long as `body` wants the next result.
  package func run(_ seeds: ClosedRange<UInt64>, while body: (ScenarioResult) -> Bool) {
    visit(seeds, { _, _ in }, { body($3) })
  }

  private func visit(
    _ seeds: ClosedRange<UInt64>, _ notify: (UInt64, Recipe?) -> Void,
    _ body: (UInt64, Recipe?, StepKindSet, ScenarioResult) -> Bool
  ) {
    var guidance = settings.isGuided ? Guidance(seed: seeds.lowerBound, startingPoint) : nil
    for seed in seeds {
      let choice = guidance?.choose(seed)
      notify(seed, choice?.recipe)
      let drawn = drawn(seed, choice?.recipe)
      let result = run(drawn.scenario, seed: seed, choice?.recipe)
      let before = memory.table.count
      recordStates(of: result, seed, &guidance)
      if memory.table.count > before {
        memory.kept.append(.init(seed: seed, recipe: choice?.recipe ?? recipe(of: seed)))
      }
      if let choice { guidance?.learn(choice, choice.recipe ?? recipe(of: seed)) }
      guard body(seed, choice?.recipe, drawn.marks, result) else { return }
    }
  }

  /// What the trace of a seed, or of what was run for it, comes to.
  public func hash(of seed: UInt64, _ recipe: Recipe? = nil) -> Fingerprint {
    run(drawn(seed, recipe).scenario, seed: seed, recipe).hash
  }
}

// What is known.

extension Hunter {
  /// What is wrong with a scenario as the proof of a cause that is known, as a clause.
  ///
  /// - Returns: `nil` when it fails for that cause, or is for no profile of the campaign.
  public func problem(of proof: Scenario, asProofOf cause: KnownCause) -> String? {
    let profile = proof.profiles.first { settings.profile == nil || $0.name == settings.profile }
    guard let profile else { return nil }
    let result = live?.run(proof, profile, 0) ?? makeRunner(0).run(proof, in: profile)
    guard let circumstances = result.circumstances else {
      return "does not fail; remove the cause, or name a scenario that fails for it"
    }
    let found = known.cause(of: circumstances)
    if found?.name == cause.name { return nil }
    return "shows \(found?.name ?? "no cause of the list"): \(circumstances)"
  }
}

// What guided campaigns begin with.

extension Hunter {
  /// Takes over what another hunter with the same corpus has learned of it.
  package func beginning(like other: Hunter) -> Hunter {
    memory.startingPoint = other.startingPoint
    return self
  }

  /// The recipe of what a seed draws.
  func recipe(of seed: UInt64) -> Recipe {
    Recipe(seed: seed, profile: settings.profile(of: seed), size: settings.size)
  }

  /// What the corpus reaches with the reference client: the same for every client under test.
  private var startingPoint: Guidance? {
    if let known = memory.startingPoint { return known }
    guard let corpus else { return nil }
    let found = Guidance(reaching: corpus)
    memory.startingPoint = found
    return found
  }
}

// What is kept of a seed that fails.

extension Hunter {
  /// How many runs it may take to make a scenario small: many failures must not keep a campaign
  /// from going on.
  public var shrinkingLimit: Int {
    min(2000, max(200, 2000 * Generator.standardSize / max(1, settings.size)))
  }

  /// The scenario of a seed that fails with a signature, made small; as it was drawn where it does
  /// not fail in that way any more. `name` is that of the file that it will become.
  public func shrunk(
    _ seed: UInt64, _ recipe: Recipe? = nil, signature: String, name: String
  ) -> FoundFile {
    shrunk(seed, recipe, signature: signature, name: name) { _ in false }
      ?? drawn(seed, recipe, signature: signature, name: name)
  }

  /// The same, unless that is known already.
  ///
  /// - Parameters:
  ///   - seed: It fails.
  ///   - recipe: What was run for it; `nil` for what it draws.
  ///   - signature: What it fails with.
  ///   - name: The name of the file that it will become.
  ///   - isKnown: Is asked when no step can be left out any more, which takes a part of the runs; and
  ///     not about what is kept as it was drawn.
  /// - Returns: `nil` where that is so.
  package func shrunk(
    _ seed: UInt64, _ recipe: Recipe?, signature: String, name: String,
    unless isKnown: @escaping (FoundFile) -> Bool
  ) -> FoundFile? {
    let scenario = drawn(seed, recipe).scenario
    if let live { return shrunk(scenario, seed, signature, name, unless: isKnown, by: live) }
    let failingSetup = failingSetup(of: seed, recipe)
    var isNews = true
    let result = failingSetup.shrink(
      scenario, to: Signature(signature), file: name, executions: shrinkingLimit
    ) { small in
      var draft = find(seed, recipe, signature, in: small, needsShadow: true)
      draft.shrunk = .init(
        from: scenario.elementCount, to: small.elementCount, runs: 0, isMinimal: false)
      isNews = !isKnown(FoundFile(small, draft))
      return isNews
    }
    if !isNews { return nil }
    // What shows something else is not what was found.
    guard let shrunk = result,
      case let run = failingSetup.runner.run(shrunk.scenario, in: failingSetup.profile),
      run.signature?.text == signature
    else { return drawn(seed, recipe, signature: signature, name: name) }
    var small = shrunk.scenario
    (small.why, small.file) = ("\(settings.subject): \(run.sentence).\n", name)
    var known = find(seed, recipe, signature, in: small, needsShadow: shrunk.needsShadow)
    known.shrunk = .init(
      from: shrunk.stepsBefore, to: shrunk.stepsAfter, runs: shrunk.executions,
      isMinimal: shrunk.isMinimal)
    return FoundFile(small, known)
  }

  /// The same on a real clock: as far as some runs lead, each of which is made once.
  private func shrunk(
    _ scenario: Scenario, _ seed: UInt64, _ signature: String, _ name: String,
    unless isKnown: @escaping (FoundFile) -> Bool, by live: LiveRuns
  ) -> FoundFile? {
    let profile = profile(of: seed, nil)
    var shrinker = Shrinker { live.runOnce($0, profile, seed).signature }
    shrinker.executionLimit = LiveRuns.shrinkingLimit
    shrinker.known = Signature(signature)
    let plain = drawn(seed, signature: signature, name: name)
    guard let found = shrinker.shrink(scenario, to: Signature(signature)) else { return plain }
    var small = found.scenario
    let run = live.run(small, profile, seed)
    guard run.signature?.text == signature else { return plain }
    (small.why, small.file) = ("\(settings.subject): \(run.sentence).\n", name)
    var find = find(seed, nil, signature, in: small, needsShadow: false)
    find.shrunk = .init(
      from: scenario.elementCount, to: small.elementCount, runs: found.executions,
      isMinimal: found.isMinimal)
    let file = FoundFile(small, find)
    return isKnown(file) ? nil : file
  }

  private func failingSetup(of seed: UInt64, _ recipe: Recipe?) -> FailingSetup {
    let run = recipe?.run ?? seed
    let reference = ScenarioRunner(seed: run) { ReferenceClient(profile: $1) }
    var failingSetup = FailingSetup(
      makeRunner(run), reference: reference, profile: profile(of: seed, recipe))
    failingSetup.rules = rules
    return failingSetup
  }

  /// The scenario of a seed as it was drawn, which is not run for it.
  public func drawn(
    _ seed: UInt64, _ recipe: Recipe? = nil, signature: String, name: String
  ) -> FoundFile {
    var scenario = drawn(seed, recipe).scenario
    scenario.file = name
    return FoundFile(
      scenario, find(seed, recipe, signature, in: scenario, needsShadow: settings.hasShadow))
  }

  private func find(
    _ seed: UInt64, _ recipe: Recipe?, _ signature: String, in scenario: Scenario,
    needsShadow: Bool
  ) -> Scenario.Find {
    var find = Scenario.Find(signature: signature, seed: seed)
    let run = recipe?.run ?? seed
    if run != seed { find.run = run }
    // Runs that differ are seen by comparing them; a shadow has nothing to do with it.
    let isMismatch = signature == HuntResults.mismatch
    find.options =
      ["--profile", profile(of: seed, recipe).name, "--seed", "\(run)"]
      + settings.fleet.playing(scenario.clients).words.flatMap { ["--client", $0] }
      + (isMismatch ? ["--audit"] : needsShadow ? ["--shadow"] : [])
      + settings.server + (settings.adapter.isEmpty ? [] : ["--"] + settings.adapter)
    return find
  }
}

/// What a hunter learns and computes once.
private final class HunterMemory {
  /// What clients can do, by profile.
  var capabilities: [String: Set<String>] = [:]
  var table = StateTable()
  /// What reached something first and was not handed out yet.
  var kept: [KeptRecipe] = []
  /// What the corpus reaches.
  var startingPoint: Guidance?
}
