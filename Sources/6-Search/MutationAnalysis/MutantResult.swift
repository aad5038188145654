public import Conformance
public import Mutants
public import Tree

/// What the kit makes of one mutant, in each of its ways to look.
public struct MutantResult: Sendable {
  /// The mutant, or the conforming variant, that was examined.
  public let mutant: Mutant
  /// What the expectations of the scenarios say, without invariants.
  public var suite = Suite()
  /// What the invariants say in the runs of the same scenarios, without expectations.
  public var invariants = BrokenInvariant()
  /// What the hunt finds; `nil` when it finds nothing, or was not asked.
  public var hunt: Find?
  /// How many drawn scenarios were run.
  public var hunted = 0
  /// What is left of the scenario that the hunt found, or else of the first of the suite, when it
  /// is made small.
  public var shrunk: Shrunk?
  /// What its failures tell of their cause; `nil` where none does, or it is no defect of a client.
  public var outcome: CauseMeasurement.Outcome?
  /// How soon each way of looking found something, by the clock of the machine.
  public var times = Times()

  /// Begins an examination that has found nothing yet.
  public init(of mutant: Mutant) {
    self.mutant = mutant
  }

  /// Scenarios that fail because of their expectations.
  public struct Suite: Hashable, Sendable {
    /// Their ids, without the parameters of a matrix, in the order in which they ran.
    public var failing: [String] = []
    /// The first of them as it ran.
    public var first: FailingRun?
  }

  /// A run that fails.
  public struct FailingRun: Hashable, Sendable {
    /// The id of the scenario, with its parameters if it comes from a matrix.
    public var scenario: String
    /// The name of the profile in which it fails.
    public var profile: String
  }

  /// Invariants that do not hold.
  public struct BrokenInvariant: Hashable, Sendable {
    /// Their ids, in the order of their numbers.
    public var ids: [String] = []
    /// The scenarios in whose runs they do not hold.
    public var failing: [String] = []
  }

  /// The first drawn scenario that fails.
  public struct Find: Hashable, Sendable {
    /// The seed that draws the scenario and runs it; the hunt begins at 1.
    public var seed: UInt64
    /// What the run failed with.
    public var signature: Signature
  }

  /// A scenario that was made small.
  public struct Shrunk: Hashable, Sendable {
    /// How many calls, faults and delays are left; expectations and settling do not count.
    public var steps: Int
    /// How many scenarios were tried.
    public var executions: Int
    /// Whether nothing can be left out by itself any more.
    public var isMinimal = false
    /// Whether it is seen only by comparison with a shadow.
    public var needsShadow = false
    /// The small scenario as a file.
    public var text = ""
    /// How it was run, and what it failed with.
    public var profile = ""
    /// The seed of the runner that shows the failure of the small scenario.
    public var seed: UInt64 = 0
    /// What the small scenario fails with.
    public var signature = Signature("")
    /// Whether another process has read the file and seen the same failure.
    public var isConfirmed = false
  }

  /// How long it took until each way of looking had found something, in milliseconds; `nil` where
  /// it did not.
  public struct Times: Hashable, Sendable {
    /// Milliseconds until a scenario first failed its expectations, without the runs for
    /// invariants.
    public var suite: Double?
    /// Milliseconds until the first invariant was broken, counting only the runs that judge these.
    public var invariants: Double?
    /// Milliseconds from the first seed until a drawn scenario failed.
    public var hunt: Double?
    /// Milliseconds until the scenario was small, including attempts whose result was not taken.
    public var shrinking: Double?
  }

  /// Whether anything was found.
  public var isKilled: Bool { suite.first != nil || !invariants.ids.isEmpty || hunt != nil }
}

extension MutantResult {
  /// The evidence as one line, for another process or a program.
  public var json: JSON {
    .object([
      .init("mutant", .string(mutant.name)), .init("killed", .bool(isKilled)),
      .init("scenarios", .array(suite.failing.map { .string($0) })),
      .init(
        "first",
        suite.first.map { ["scenario": .string($0.scenario), "profile": .string($0.profile)] }
          ?? .null),
      .init("invariants", .array(invariants.ids.map { .string($0) })),
      .init("invariantScenarios", .array(invariants.failing.map { .string($0) })),
      .init("signature", hunt.map { .string($0.signature.text) } ?? .null),
      .init("seed", hunt.map { .number(Double($0.seed)) } ?? .null),
      .init("hunted", .number(Double(hunted))),
      .init("shrunk", shrunk?.json ?? .null), .init("outcome", outcome?.json ?? .null),
      .init("milliseconds", times.json),
    ])
  }

  /// Reads what `json` wrote; `nil` for anything else, and for a mutant that there is not.
  public init?(json: JSON) {
    guard let mutant = json["mutant"]?.string.flatMap({ Mutant(named: $0) }) else { return nil }
    self.init(of: mutant)
    suite.failing = json["scenarios"]?.strings ?? []
    if let first = json["first"], let scenario = first["scenario"]?.string,
      let profile = first["profile"]?.string
    {
      suite.first = FailingRun(scenario: scenario, profile: profile)
    }
    invariants.ids = json["invariants"]?.strings ?? []
    invariants.failing = json["invariantScenarios"]?.strings ?? []
    if let seed = json["seed"]?.integer, let signature = json["signature"]?.string {
      hunt = Find(seed: UInt64(seed), signature: Signature(signature))
    }
    hunted = json["hunted"]?.integer ?? 0
    shrunk = json["shrunk"].flatMap { Shrunk(json: $0) }
    outcome = json["outcome"].flatMap { .init(json: $0, of: mutant) }
    times = Times(json: json["milliseconds"] ?? .null)
  }
}

extension CauseMeasurement.Outcome {
  fileprivate var json: JSON {
    let failures = failures.map { failure -> JSON in
      ["scenario": .string(failure.scenario), "causes": .strings(failure.causes)]
    }
    return ["rule": .optional(rule), "failures": .array(failures)]
  }

  fileprivate init?(json: JSON, of mutant: Mutant) {
    guard let failures = json["failures"]?.elements else { return nil }
    let read = failures.map { failure in
      CauseMeasurement.Failure(
        scenario: failure["scenario"]?.string ?? "", causes: failure["causes"]?.strings ?? [])
    }
    self.init(mutant: mutant, failures: read, rule: json["rule"]?.string)
  }
}

extension MutantResult.Shrunk {
  fileprivate var json: JSON {
    [
      "steps": .number(Double(steps)), "executions": .number(Double(executions)),
      "minimal": .bool(isMinimal), "shadow": .bool(needsShadow), "confirmed": .bool(isConfirmed),
      "signature": .string(signature.text), "profile": .string(profile),
      "seed": .number(Double(seed)), "scenario": .string(text),
    ]
  }

  fileprivate init?(json: JSON) {
    guard let steps = json["steps"]?.integer, let executions = json["executions"]?.integer else {
      return nil
    }
    self.init(steps: steps, executions: executions)
    isMinimal = json["minimal"] == .bool(true)
    needsShadow = json["shadow"] == .bool(true)
    isConfirmed = json["confirmed"] == .bool(true)
    signature = Signature(json["signature"]?.string ?? "")
    profile = json["profile"]?.string ?? ""
    seed = UInt64(json["seed"]?.integer ?? 0)
    text = json["scenario"]?.string ?? ""
  }
}

extension MutantResult.Times {
  fileprivate var json: JSON {
    func number(_ milliseconds: Double?) -> JSON {
      milliseconds.map { .number($0.rounded()) } ?? .null
    }
    return [
      "suite": number(suite), "invariants": number(invariants), "hunt": number(hunt),
      "shrinking": number(shrinking),
    ]
  }

  fileprivate init(json: JSON) {
    suite = json["suite"]?.number
    invariants = json["invariants"]?.number
    hunt = json["hunt"]?.number
    shrinking = json["shrinking"]?.number
  }
}

extension JSON {
  fileprivate var strings: [String] { elements?.compactMap(\.string) ?? [] }
}
