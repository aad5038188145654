internal import ClientInterface
public import Conformance
internal import Document
package import Scenario
import ScenarioFiles

/// Writes a small scenario as a person would have written it.
struct ScenarioFinalizer {
  private var failingSetup: FailingSetup
  /// What the scenario was evidence for before it was small.
  private let rules: [Scenario.Citation]
  /// Whether only advice was not followed: what a file shows is as much as what was found.
  private let isAdvice: Bool
  private let file: String

  init(
    _ failingSetup: FailingSetup, rules: [Scenario.Citation], isAdvice: Bool, file: String
  ) {
    self.failingSetup = failingSetup
    // A file is run without a shadow.
    self.failingSetup.runner.shadows = { _ in nil }
    self.rules = rules
    self.isAdvice = isAdvice
    self.file = file
  }

  /// With expectations, where they show what was found: the reference client passes with them, and the
  /// other one fails with the signature. Else judged as it is: a law that was broken stays what is
  /// told of the scenario.
  ///
  /// - Parameters:
  ///   - scenario: The small scenario.
  ///   - result: How it fails.
  ///   - signature: What it has to fail with; `nil` for whatever its expectations show.
  /// - Returns: The scenario as it is read from its text, and what it fails with.
  func finished(
    _ scenario: Scenario, _ result: ScenarioResult, to signature: Signature?
  ) -> (scenario: Scenario, signature: Signature) {
    let isOfLaw = result.divergences.first?.isBrokenInvariant == true
    for candidate in isOfLaw ? [] : scenario.named.judgedByExpectations.waysToLook {
      guard let filled = failingSetup.reference.expecting(candidate, in: failingSetup.profile)
      else {
        continue
      }
      let plain = filled.withoutInputs
      var texts: Set<String> = []
      for variant in [plain.withoutSilence, plain, filled.withoutSilence, filled]
      where texts.insert(variant.yaml()).inserted {
        guard let titled = titled(variant, to: signature), let finished = confirmed(titled),
          signature == nil || finished.signature == signature
        else { continue }
        return finished
      }
    }
    var plain = scenario.withoutNames
    plain.rules = citations(of: result)
    plain.profiles = [failingSetup.profile]
    plain.title = result.divergences.first.map(FoundScenarioText.title) ?? scenario.title
    let read = self.read(plain) ?? plain
    return (read, result.signature ?? Signature(""))
  }

  /// Whether the client that is right passes a scenario.
  func isPassed(_ scenario: Scenario) -> Bool {
    failingSetup.reference.run(scenario, in: failingSetup.profile).verdict == .pass
  }

  /// Whether a scenario shows its failure without a shadow too, as a file must.
  func failsAlone(_ scenario: Scenario, with signature: Signature) -> Bool {
    failingSetup.runner.run(scenario, in: failingSetup.profile).signature == signature
  }

  /// With a title and rules after what the client does in it; `nil` where it does not fail with the
  /// signature.
  private func titled(_ scenario: Scenario, to signature: Signature?) -> Scenario? {
    var copy = scenario
    copy.profiles = [failingSetup.profile]
    let result = failingSetup.runner.run(copy, in: failingSetup.profile)
    guard let found = result.signature, signature == nil || found == signature else { return nil }
    copy.title = result.divergences.first.map(FoundScenarioText.title) ?? scenario.title
    copy.rules = citations(of: result)
    return copy
  }

  /// The rules that the scenario was evidence for; else those that its failure is about.
  private func citations(of result: ScenarioResult) -> [Scenario.Citation] {
    guard rules.isEmpty, let divergence = result.divergences.first else { return rules }
    let causes = result.possibleCauses {
      failingSetup.reference.makeClient(in: failingSetup.profile)
    }
    let position = Position(line: 1, column: 1)
    let rules = FoundScenarioText.rules(divergence, causes: causes) {
      isAdvice || failingSetup.isBinding($0)
    }
    return
      rules
      .map { .init(id: $0, position: position) }
  }

  /// The scenario as it is read from its text, if it does what it is for, for all the profiles in
  /// which it does.
  private func confirmed(_ scenario: Scenario) -> (scenario: Scenario, signature: Signature)? {
    var copy = scenario
    copy.profiles = Profile.all
    copy.profiles = Profile.all.filter { failingSetup.reference.run(copy, in: $0).verdict == .pass }
    guard copy.profiles.contains(failingSetup.profile),
      let read = read(copy),
      failingSetup.reference.run(read, in: failingSetup.profile).verdict == .pass
    else { return nil }
    let result = failingSetup.runner.run(read, in: failingSetup.profile)
    guard let signature = result.signature, isAdvice || result.verdict != .advice else {
      return nil
    }
    return (read, signature)
  }

  /// The scenario as commands read its file.
  private func read(_ scenario: Scenario) -> Scenario? {
    ScenarioReader.read(
      file: file, bytes: Array(scenario.yaml().utf8), load: { _ in nil }, rules: failingSetup.rules
    ).scenarios.first
  }
}

extension Scenario {
  /// Looking at more and more.
  var waysToLook: [Scenario] {
    let all = namingCalls
    return [self, lookingAtServer, all, all.lookingAtServer]
  }
}

extension ScenarioResult {
  /// Whether what is wrong first breaks, by its kind, a rule that is advice in the profile. A scenario
  /// that cites no rule, as one that was drawn, does not say so itself.
  package func isAdvice(by rules: RuleBook) -> Bool {
    guard scenario.rules.isEmpty, let kind = divergences.first?.kind,
      let rule = kind.traits.likely.first.flatMap({ RuleID($0) }).flatMap({ rules[$0] })
    else { return false }
    return rule.binds == .server || rule.level(in: profile.name) != .must
  }
}

/// The words of a scenario that was found.
public enum FoundScenarioText {
  /// What should have been, as a sentence without its full stop.
  public static func title(_ divergence: Divergence) -> String {
    divergence.kind.traits.ideal ?? "It goes as with the reference client"
  }

  /// The rule that it is about.
  ///
  /// - Parameters:
  ///   - divergence: What is wrong.
  ///   - causes: The causes that the failure can be put down to.
  ///   - isBinding: Whether a rule that causes only hint at may be the one.
  /// - Returns: That of the law or of the kind of difference, where there is one; else that of what the
  ///   client did otherwise than a conforming one.
  public static func rules(
    _ divergence: Divergence, causes: [String] = [],
    where isBinding: (String) -> Bool = { _ in true }
  ) -> [String] {
    let traits = divergence.kind.traits
    let hinted =
      divergence.isBrokenInvariant ? nil : RuleHints.rules(for: causes).first(where: isBinding)
    return [
      traits.likely.first ?? hinted ?? traits.missingRule ?? traits.rule ?? "EVT-23"
    ]
  }

  /// A name for the file, after the signature.
  public static func fileName(_ signature: Signature) -> String {
    let bytes = signature.text.utf8.map { byte in
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
