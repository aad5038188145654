import ClientInterface
import Conformance
package import Document
import ReferenceClient
package import Scenario
import ScenarioFiles
import Search
package import System
import TraceFiles
package import Workspace
import YAML

/// The text of a scenario file with what the reference client shows as its expectations.
package struct RecordedExpectations {
  package let file: String
  /// The text before.
  package let old: String
  /// The text after, which is the same where everything holds.
  package private(set) var text: String

  package var hasChanged: Bool { text != old }

  /// With how many seeds it is tried whether what was recorded holds.
  private static let seeds: ClosedRange<UInt64> = 0...8

  /// Records the scenario of a file.
  ///
  /// - Throws: `Failure.unusable` with the reason why nothing is recorded.
  package init(of file: String, _ library: ScenarioLibrary) throws(Failure) {
    try self.init(file, library.sources[file]?.first?.text ?? "", library.rules)
  }

  /// Records the scenario of a text that is meant for a file.
  ///
  /// - Throws: `Failure.mistakes` when there are mistakes in it, `Failure.unusable` with the reason why
  ///   nothing is recorded.
  package init(_ file: String, _ text: String, _ rules: RuleBook) throws(Failure) {
    (self.file, old, self.text) = (file, text, text)
    let read = Self.read(text, file, rules, for: .recording)
    guard read.problems.isEmpty else {
      throw .mistakes(read.problems.map(\.description), "nothing was recorded")
    }
    var problem: SourceError?
    for extent in ExpectationRecorder.Extent.allCases {
      let changes = try Self.changes(of: read.scenarios, extent)
      guard let scenario = read.scenarios.first, !changes.isEmpty else { return }
      self.text = try edited(scenario, changes)
      problem = Self.problem(of: self.text, file, rules)
      if problem == nil { return }
    }
    if let problem { throw .mistake(problem) }
  }

  private static func changes(
    of scenarios: [Scenario], _ extent: ExpectationRecorder.Extent
  ) throws(Failure) -> [ExpectationRecorder.Change] {
    let recorder = ExpectationRecorder(reference: runner()) { profile in
      let open = ReferenceClient.shadows(in: profile)
      return open.neighbours(of: open.first).map { ways in
        ScenarioRunner { _, _ in open.makeClient(deciding: ways) }
      }
    }
    var changes: [ExpectationRecorder.Change] = []
    for scenario in scenarios {
      changes = try reading { () throws(SourceError) in try recorder.changes(of: scenario, extent) }
      if scenarios.count > 1, !changes.isEmpty {
        throw .unusable(
          "\(scenario.file): its expectations do not hold for all of its \(scenarios.count) "
            + "parameters, which they are written with; expected to be changed by hand, or recorded "
            + "without the matrix")
      }
    }
    return changes
  }

  private static func runner(seed: UInt64 = 0) -> ScenarioRunner {
    ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
  }

  private func edited(
    _ scenario: Scenario, _ changes: [ExpectationRecorder.Change]
  ) throws(Failure) -> String {
    if file.hasSuffix(".json") {
      throw .unusable("\(file): expectations are recorded in YAML; this file is JSON")
    }
    let edits = changes.map { change -> DocumentEdit in
      let lines = change.expectation.lines
      guard change.isNew else {
        return .mapping(keyAt: change.expectation.position, members: lines)
      }
      let texts = lines.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
      return .element(ofList: "steps", "expect: {\(texts)}")
    }
    guard case let .text(text) = DocumentLayout.yaml(Array(old.utf8), edits) else {
      throw .unusable("\(file): its layout does not let expectations be filled in by a program")
    }
    return text
  }

  private static func read(
    _ text: String, _ file: String, _ rules: RuleBook, for purpose: ScenarioReader.Purpose
  ) -> ScenarioReader.Result {
    ScenarioReader.read(
      file: file, bytes: Array(text.utf8),
      load: { path in try ScenarioLibrary.fragment(path).map { Array($0.utf8) } },
      rules: rules.rules.isEmpty ? nil : rules, for: purpose)
  }

  /// Why a recorded text is no scenario that the reference client passes, whatever is open in it.
  private static func problem(
    of text: String, _ file: String, _ rules: RuleBook
  ) -> SourceError? {
    let read = read(text, file, rules, for: .run)
    guard let scenario = read.scenarios.first else { return read.problems.first }
    for profile in scenario.profiles {
      for seed in seeds {
        let result = runner(seed: seed).run(scenario, in: profile)
        if result.verdict.count == .passed { continue }
        let reason =
          result.reason.map { "there is nothing to record in \(profile.name): \($0)" }
          ?? "what is recorded does not hold in \(profile.name) with seed \(seed): \(result.sentence)"
        return SourceError(FileLocation(file: file), reason)
      }
      let survey = Explorer(runner()).explore(scenario, in: profile)
      if let failure = survey.failure {
        return SourceError(
          FileLocation(file: file),
          "what was recorded does not hold in every order: \(failure.result.sentence)")
      }
    }
    return nil
  }
}

extension RecordedExpectations {
  /// How many lines are shown around those that changed.
  private static let context = 2

  /// The lines that have changed, with those around them.
  package func difference(_ palette: Palette) -> String {
    let lines = [old, text].map {
      ($0.last == "\n" ? $0.dropLast() : $0[...])
        .split(separator: "\n", omittingEmptySubsequences: false)
    }
    let marked = lines[1].marked(against: lines[0])
    var result = "\(file)\n"
    var last = -1
    for (index, line) in marked.enumerated() {
      let near = marked[max(0, index - Self.context)...min(index + Self.context, marked.count - 1)]
      guard near.contains(where: { $0.mark != " " }) else { continue }
      if index > last + 1 { result += "  ...\n" }
      last = index
      let text = trimmedEnd("  \(line.mark) \(line.element)")
      let tone: Palette.Tone? = line.mark == "-" ? .bad : line.mark == "+" ? .good : nil
      result += (tone.map { palette.paint(text, $0) } ?? text) + "\n"
    }
    return result
  }
}
