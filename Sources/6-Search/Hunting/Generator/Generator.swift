public import ClientInterface
internal import Document
public import Scenario
internal import Tree

/// Draws a scenario from a seed: many things that happen to a few clients, among them faults.
///
/// A scenario has phases, so that it is certain what must hold in the end. It is *agitated*: calls
/// and faults, drawn with swarm options. It is *healed*: there are no more faults, and everybody
/// runs and may connect, but for a client that is left out for ever in some scenarios. It comes to
/// *rest*, where all invariants are judged. Then it is *probed*: every client writes once, a witness
/// that has seen nothing so far reads everything, and it is judged again.
///
/// The result is a scenario like any other, in which every draw is written out.
public struct Generator: Hashable, Sendable {
  /// The only profile of the scenarios; its dialect decides whether queries have exclusive bounds.
  public var profile: Profile
  /// How many events a scenario has, roughly.
  public var size: Int

  /// What reports call the file of a scenario that was drawn.
  public static let file = "(drawn)"

  /// The clients of what is drawn, or the first of them; and one that reads everything in the end.
  public static let clients = Plan.names + [Plan.witness]

  /// The rough number of events of a scenario when nothing else is asked for.
  public static let standardSize = 120

  /// Grows whenever a seed comes to mean another scenario, so that results of different meaning are
  /// not put together.
  public static let version = 11

  /// Takes a rough number of events for each scenario; equal generators draw the same for a seed.
  public init(profile: Profile, size: Int = standardSize) {
    self.profile = profile
    self.size = size
  }

  /// The scenario of a seed.
  ///
  /// - Complexity: O(*n*) in the size.
  public func scenario(seed: UInt64) -> Drawn {
    let plan = Plan(seed: seed, profile: profile, size: size)
    let genes = (0..<plan.acts).map { Recipe.Gene(kind: nil, seed: seed, ordinal: $0) }
    return scenario(plan, genes, name: "\(seed)")
  }

  /// The scenario of a recipe.
  ///
  /// - Complexity: O(*n*) in the size and the acts of the recipe.
  public func scenario(_ recipe: Recipe) -> Drawn {
    let plan = Plan(seed: recipe.plan, profile: profile, size: size)
    return scenario(plan, recipe.genes, name: recipe.name)
  }

  private func scenario(_ plan: Plan, _ genes: [Recipe.Gene], name: String) -> Drawn {
    var draft = RandomScenarioBuilder(plan)
    begin(&draft)
    breakConnections(&draft, genes)
    draft.healAll()
    draft.add(.settle)
    probe(&draft)
    var scenario = Scenario(
      id: "hunted/\(profile.name)-\(name)", file: Self.file, title: "Drawn with seed \(name)",
      clients: plan.clients + [Plan.witness])
    scenario.judging = .invariants
    scenario.profiles = [profile]
    scenario.latency = .init(plan.latency)
    scenario.security = plan.vocabulary.restrictions
    if plan.allows(.auth) { scenario.tokens = KeyPool.tokens }
    scenario.persistence = plan.persistence
    scenario.data = data(plan)
    scenario.steps = draft.steps
    return Drawn(scenario: scenario, marks: draft.marks)
  }

  /// What was drawn from a seed.
  public struct Drawn: Sendable {
    /// The scenario with every draw written out, for one profile and judged by the invariants
    /// alone.
    public var scenario: Scenario
    /// What happens in it.
    public var marks: StepKindSet
  }
}

extension Generator {
  private func data(_ plan: Plan) -> Node {
    var random = RandomSource(seed: plan.seed, .data)
    var data = Node.empty
    for path in plan.vocabulary.paths.dropFirst() where !path.isRoot && random.chance(45) {
      data = data.setting(plan.vocabulary.stored(&random), at: path)
    }
    return data
  }

  /// Most clients listen to something from the beginning.
  private func begin(_ draft: inout RandomScenarioBuilder) {
    for client in draft.clients.indices {
      var random = RandomSource(seed: draft.plan.seed, .beginning, entity: client)
      for stepKind in StepKind.listening where draft.plan.allows(stepKind) {
        if random.chance(60) { draft.act(stepKind, of: client, &random) }
      }
    }
  }

  private func breakConnections(_ draft: inout RandomScenarioBuilder, _ genes: [Recipe.Gene]) {
    let plan = draft.plan
    let purge = self.purge(plan, genes.count)
    var rare = RandomSource(seed: plan.seed, .rare)
    let rarePosition = rare.number(below: max(1, genes.count))
    if plan.allows(.refusal) { draft.mark(.refusal) }
    if plan.allows(.serverValue) { draft.mark(.serverValue) }
    for (position, gene) in genes.enumerated() {
      pause(&draft, gene)
      if position == genes.count / 2 { draft.isolate() }
      var random = RandomSource(seed: gene.seed, .act, ordinal: gene.ordinal)
      let drawn = random.one(of: plan.weightedKinds)
      draft.act(gene.kind(in: profile) ?? drawn, &random)
      if let purge, purge.position == position { draft.call(purge.client, .purgeWrites) }
      if let situation = plan.rare, rarePosition == position { draft.come(to: situation, &rare) }
    }
  }

  /// Where a client gives up its writes, in some scenarios of the profile that can (WRT-30). The
  /// stream is its own, so that all else is drawn as if nothing were given up.
  private func purge(_ plan: Plan, _ acts: Int) -> (client: Int, position: Int)? {
    var random = RandomSource(seed: plan.seed, .act, entity: 1)
    guard profile == .firebase, acts > 0, random.chance(5) else { return nil }
    return (random.number(below: plan.clients.count), random.number(below: acts))
  }

  /// Lets some time pass, or none.
  private func pause(_ draft: inout RandomScenarioBuilder, _ gene: Recipe.Gene) {
    var random = RandomSource(seed: gene.seed, .pause, ordinal: gene.ordinal)
    guard random.chance(draft.plan.pausing) else { return }
    switch random.number(below: 20) {
    case 0: draft.add(.wait(.seconds(random.number(in: 5...60))))
    case 1...3: draft.add(.settle)
    case 4, 5: draft.add(.wait(.milliseconds(random.number(in: 200...3000))))
    default:
      let longest = Int(draft.plan.latency.upperBound.milliseconds) * 2
      draft.add(.wait(.milliseconds(random.number(in: 1...longest))))
    }
  }

  private func probe(_ draft: inout RandomScenarioBuilder) {
    for client in draft.clients.indices where draft.clients[client].isRunning {
      draft.call(client, .set(Plan.probes[client], Node(.number(Double(client + 1)))))
    }
    let all = Operation.Target(.root)
    draft.add(
      .call(
        .init(
          client: Plan.witness, id: "all", isNamed: true,
          operation: .listen("all", all, KeyPool.allTypes))))
    draft.add(.settle)
  }
}
