internal import ClientInterface
public import Conformance
internal import Document
internal import Scenario
import ScenarioFiles

/// Writes a small scenario as a person would have written it.
struct ScenarioFinalizer {
  private var failingSetup: FailingSetup
  /// What the scenario was evidence for before it was small.
  private let rules: [Scenario.Citation]
  private let file: String

  init(_ failingSetup: FailingSetup, rules: [Scenario.Citation], file: String) {
    self.failingSetup = failingSetup
    // A file is run without a shadow.
    self.failingSetup.runner.shadows = { _ in [] }
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
      guard let filled = failingSetup.reference.expecting(candidate, in: failingSetup.profile)
      else {
        continue
      }
      let plain = filled.withoutInputs
      for variant in [plain.withoutSilence, plain, filled.withoutSilence, filled] {
        if let finished = confirmed(titled(variant)) { return finished }
      }
    }
    var plain = scenario.withoutNames
    plain.rules = []
    plain.profiles = [failingSetup.profile]
    plain.title = result.divergences.first.map(FoundScenarioText.title) ?? scenario.title
    let read = reread(plain) ?? plain
    return (read, result.signature ?? Signature(""))
  }

  /// Whether the client that is right passes a scenario.
  func isPassed(_ scenario: Scenario) -> Bool {
    failingSetup.reference.run(scenario, in: failingSetup.profile).verdict == .pass
  }

  /// Whether a scenario shows its failure without a shadow too, as a file must.
  func failsAlone(_ scenario: Scenario) -> Bool {
    failingSetup.runner.run(scenario, in: failingSetup.profile).signature != nil
  }

  /// With a title and rules after what the client does in it.
  private func titled(_ scenario: Scenario) -> Scenario {
    var copy = scenario
    copy.profiles = [failingSetup.profile]
    let divergence = failingSetup.runner.run(copy, in: failingSetup.profile).divergences.first
    copy.title = divergence.map(FoundScenarioText.title) ?? scenario.title
    let position = Position(line: 1, column: 1)
    let own = divergence.map(FoundScenarioText.rules) ?? []
    copy.rules = rules.isEmpty ? own.map { .init(id: $0, position: position) } : rules
    return copy
  }

  /// The scenario as it is read from its text, if it does what it is for, for all the profiles in
  /// which it does.
  private func confirmed(_ scenario: Scenario) -> (scenario: Scenario, signature: Signature)? {
    var copy = scenario
    copy.profiles = Profile.all
    copy.profiles = Profile.all.filter { failingSetup.reference.run(copy, in: $0).verdict == .pass }
    guard copy.profiles.contains(failingSetup.profile), let read = reread(copy),
      failingSetup.reference.run(read, in: failingSetup.profile).verdict == .pass,
      let signature = failingSetup.runner.run(read, in: failingSetup.profile).signature
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

/// The words of a scenario that was found.
public enum FoundScenarioText {
  /// What should have been, as a sentence without its full stop.
  public static func title(_ divergence: Divergence) -> String {
    divergence.kind.traits.ideal ?? "It goes as with the reference client"
  }

  /// The rules that it is about, if that is known.
  public static func rules(_ divergence: Divergence) -> [String] {
    let traits = divergence.kind.traits
    return [traits.likely.first ?? traits.missingRule ?? traits.rule ?? "EVT-23"]
  }

  /// A name for the file, after the signature.
  public static func fileName(_ signature: Signature) -> String {
    let bytes = signature.text.utf8.map { byte in
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
