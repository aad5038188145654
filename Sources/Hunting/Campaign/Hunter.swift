internal import ClientInterface
public import Conformance
internal import Report
public import Scenario
internal import Trace
public import Tree

/// Runs seeds of a campaign, in one process.
public struct Hunter {
  public let settings: HuntSettings
  private let makeRunner: (UInt64) -> ScenarioRunner

  /// One seed in so many is run again in another process.
  public static let sampling: UInt64 = 64

  /// - Parameters:
  ///   - settings: What is run.
  ///   - makeRunner: What runs a scenario, for a seed.
  public init(_ settings: HuntSettings, makeRunner: @escaping (UInt64) -> ScenarioRunner) {
    self.settings = settings
    self.makeRunner = makeRunner
  }

  /// The scenario of a seed.
  public func drawn(_ seed: UInt64) -> Generator.Drawn {
    Generator(profile: settings.profile(of: seed), size: settings.size).scenario(seed: seed)
  }

  /// Runs a scenario as it is run for a seed.
  public func run(_ scenario: Scenario, seed: UInt64) -> ScenarioResult {
    makeRunner(seed).run(scenario, in: settings.profile(of: seed))
  }

  /// Runs some seeds in a row, and tells each of them before it is run.
  public func run(_ seeds: ClosedRange<UInt64>, tell: (UInt64) -> Void = { _ in }) -> ChunkRecord {
    var record = ChunkRecord(seeds: seeds)
    for seed in seeds {
      tell(seed)
      let drawn = drawn(seed)
      let result = run(drawn.scenario, seed: seed)
      record.events += result.trace.count
      record.hash.combine(result.hash.bits)
      record.marks.formUnion(drawn.marks)
      if let signature = result.signature {
        record.hash.combine(signature.text)
        record.add(signature.text, seed, TextReport.sentence(of: result))
      }
      if seed.isMultiple(of: Self.sampling) {
        record.samples.append(.init(seed: seed, hash: result.hash))
      }
    }
    return record
  }

  /// The scenario of a seed that fails, as a file.
  public func file(of seed: UInt64) -> String { "# seed \(seed)\n" }

  /// What the trace of a seed comes to.
  public func hash(of seed: UInt64) -> Fingerprint {
    run(drawn(seed).scenario, seed: seed).hash
  }
}
