internal import Conformance
internal import Mutants
public import Tree

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
      .init("shrunk", shrunk?.json ?? .null),
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
    times = Times(json: json["milliseconds"] ?? .null)
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
