internal import ClientInterface
public import Conformance
internal import ReferenceClient
public import Scenario
internal import Shrinking
internal import Text
internal import Trace
public import Tree
internal import Wording

/// Runs seeds of a campaign, in one process.
public struct Hunter {
  /// The settings that decide which scenario a seed draws and in which profile it is run.
  public let settings: HuntSettings
  private let makeRunner: (UInt64) -> ScenarioRunner
  private let abilities = ClientCapabilities()

  /// One seed in so many is run again in another process.
  public static let sampling: UInt64 = 64

  /// - Parameters:
  ///   - settings: What is run.
  ///   - makeRunner: What runs a scenario, for a seed.
  public init(_ settings: HuntSettings, makeRunner: @escaping (UInt64) -> ScenarioRunner) {
    self.settings = settings
    self.makeRunner = makeRunner
  }

  /// The scenario of a seed, without what the client cannot do.
  public func drawn(_ seed: UInt64) -> Generator.Drawn {
    let profile = settings.profile(of: seed)
    var drawn = Generator(profile: profile, size: settings.size).scenario(seed: seed)
    let capabilities = capabilities(in: profile)
    if !capabilities.isSuperset(of: Capability.inDetail) {
      drawn.scenario = drawn.scenario.limited(to: capabilities)
    }
    return drawn
  }

  private func capabilities(in profile: Profile) -> Set<String> {
    if let known = abilities.known[profile.name] { return known }
    let capabilities = makeRunner(0).capabilities(in: profile)
    abilities.known[profile.name] = capabilities
    return capabilities
  }

  /// What is left out, because the client lacks it; in the order of the documentation.
  public var lacks: [String] {
    let capabilities = capabilities(in: settings.profile(of: 0))
    return Capability.inDetail.filter { !capabilities.contains($0) }
  }

  /// Runs a scenario as it is run for a seed.
  public func run(_ scenario: Scenario, seed: UInt64) -> ScenarioResult {
    makeRunner(seed).run(scenario, in: settings.profile(of: seed))
  }

  /// Runs some seeds in a row, and prints each of them before it is run.
  public func run(_ seeds: ClosedRange<UInt64>, notify: (UInt64) -> Void = { _ in }) -> ChunkRecord
  {
    var record = ChunkRecord(seeds: seeds)
    for seed in seeds {
      notify(seed)
      let drawn = drawn(seed)
      let result = run(drawn.scenario, seed: seed)
      record.events += result.trace.count
      record.hash.combine(result.hash.bits)
      record.marks.formUnion(drawn.marks)
      record.faults += result.faults
      if result.verdict.count == .skipped { record.skipped += 1 }
      if let signature = result.signature {
        let text = (result.verdict == .advice ? HuntResults.advice : "") + signature.text
        record.hash.combine(text)
        record.add(text, seed, result.sentence, events: result.trace.count)
      }
      if seed.isMultiple(of: Self.sampling) {
        record.samples.append(.init(seed: seed, hash: result.hash))
      }
    }
    return record
  }

  /// What the trace of a seed comes to.
  public func hash(of seed: UInt64) -> Fingerprint {
    run(drawn(seed).scenario, seed: seed).hash
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
  public func shrunk(_ seed: UInt64, signature: String, name: String) -> FoundFile {
    let scenario = drawn(seed).scenario
    let profile = settings.profile(of: seed)
    let reference = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
    let failingSetup = FailingSetup(makeRunner(seed), reference: reference, profile: profile)
    guard failingSetup.runner.run(scenario, in: profile).signature?.text == signature,
      let shrunk = failingSetup.shrink(scenario, file: name, executions: shrinkingLimit)
    else { return drawn(seed, signature: signature, name: name) }
    var small = shrunk.scenario
    let result = failingSetup.runner.run(small, in: profile)
    let subject =
      settings.adapter.isEmpty ? settings.client : settings.adapter.joined(separator: " ")
    small.why = "\(subject ?? "reference"): \(result.sentence).\n"
    var head = head(seed, signature, name, needsShadow: shrunk.needsShadow)
    head.extent = .shrunk(
      from: shrunk.stepsBefore, to: shrunk.stepsAfter, runs: shrunk.executions,
      isMinimal: shrunk.isMinimal)
    return FoundFile(head: head, scenario: small)
  }

  /// The scenario of a seed as it was drawn, which is not run for it.
  public func drawn(_ seed: UInt64, signature: String, name: String) -> FoundFile {
    let head = head(seed, signature, name, needsShadow: settings.hasShadow)
    var scenario = drawn(seed).scenario
    scenario.file = name
    return FoundFile(head: head, scenario: scenario)
  }

  private func head(
    _ seed: UInt64, _ signature: String, _ name: String, needsShadow: Bool
  ) -> FoundFile.Head {
    let client = settings.client.map { " --client \($0)" } ?? ""
    // Runs that differ are seen by comparing them; a shadow has nothing to do with it.
    let isMismatch = signature == HuntResults.mismatch
    let shadow = isMismatch ? " --audit" : needsShadow ? " --shadow" : ""
    let program = settings.adapter.isEmpty ? [] : ["--"] + settings.adapter.map(shellWord)
    return FoundFile.Head(
      signature: signature, seed: seed, name: name,
      options: "--profile \(settings.profile(of: seed).name) --seed \(seed)\(client)\(shadow)"
        + program.map { " " + $0 }.joined(),
      extent: .asDrawn)
  }
}

/// What clients can do, by profile, once asked.
private final class ClientCapabilities {
  var known: [String: Set<String>] = [:]
}
