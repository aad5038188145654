internal import ClientInterface
internal import Conformance
internal import Document
internal import Scenario

/// Writes a small scenario as a person would have written it.
struct Finishing {
  private var suspect: Suspect
  /// What the scenario was evidence for before it was small.
  private let rules: [Scenario.Citation]
  private let file: String

  init(_ suspect: Suspect, rules: [Scenario.Citation], file: String) {
    self.suspect = suspect
    // A file is run without a shadow.
    self.suspect.runner.shadow = nil
    self.rules = rules
    self.file = file
  }

  /// With expectations, if the reference client passes with them and the other one fails; else as
  /// it is.
  func finished(
    _ scenario: Scenario, _ result: ScenarioResult
  ) -> (scenario: Scenario, signature: Signature) {
    let named = scenario.named
    for candidate in named.judgedByExpectations.waysToLook {
      guard let filled = suspect.reference.expecting(candidate, in: suspect.profile) else {
        continue
      }
      let plain = filled.withoutInputs
      for variant in [plain.withoutSilence, plain, filled.withoutSilence, filled] {
        if let finished = confirmed(titled(variant)) { return finished }
      }
    }
    var plain = scenario.withoutNames
    plain.rules = []
    plain.profiles = [suspect.profile]
    plain.title = result.divergences.first.map(Wording.title) ?? scenario.title
    let read = reread(plain) ?? plain
    return (read, result.signature ?? Signature(""))
  }

  /// Whether the client that is right passes a scenario.
  func isPassed(_ scenario: Scenario) -> Bool {
    suspect.reference.run(scenario, in: suspect.profile).verdict == .pass
  }

  /// Whether a scenario shows its failure without a shadow too, as a file must.
  func failsAlone(_ scenario: Scenario) -> Bool {
    suspect.runner.run(scenario, in: suspect.profile).signature != nil
  }

  /// With a title and rules after what the client does in it.
  private func titled(_ scenario: Scenario) -> Scenario {
    var copy = scenario
    copy.profiles = [suspect.profile]
    let divergence = suspect.runner.run(copy, in: suspect.profile).divergences.first
    copy.title = divergence.map(Wording.title) ?? scenario.title
    let position = Position(line: 1, column: 1)
    let own = divergence.map(Wording.rules) ?? []
    copy.rules = rules.isEmpty ? own.map { .init(id: $0, position: position) } : rules
    return copy
  }

  /// The scenario as it is read from its text, if it does what it is for, for all the profiles in
  /// which it does.
  private func confirmed(_ scenario: Scenario) -> (scenario: Scenario, signature: Signature)? {
    var copy = scenario
    copy.profiles = Profile.all
    copy.profiles = Profile.all.filter { suspect.reference.run(copy, in: $0).verdict == .pass }
    guard copy.profiles.contains(suspect.profile), let read = reread(copy),
      suspect.reference.run(read, in: suspect.profile).verdict == .pass,
      let signature = suspect.runner.run(read, in: suspect.profile).signature
    else { return nil }
    return (read, signature)
  }

  private func reread(_ scenario: Scenario) -> Scenario? {
    let text = scenario.yaml()
    let result = ScenarioReader.read(file: file, bytes: Array(text.utf8), load: { _ in nil })
    return result.scenarios.first
  }
}

extension Scenario {
  /// Looking at more and more.
  var waysToLook: [Scenario] {
    let all = namingCalls
    return [self, lookingAtServer, all, all.lookingAtServer]
  }
}
