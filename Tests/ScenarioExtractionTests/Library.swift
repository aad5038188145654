import ClientInterface
import Conformance
import Foundation
import Recordings
import Scenario
import ScenarioFiles
import TestKit

/// Scenarios of the project for round trips, and what comes of these.
enum Library {
  /// How well sessions were told again.
  struct Figures {
    var count = 0
    var passed = 0
    var requests = 0
    var same = 0
    /// What did not come out, a line each.
    var lines: [String] = []

    var text: String {
      "\(passed) of \(count) pass, \(same) of \(requests) requests the same\n"
        + lines.joined(separator: "\n")
    }
  }

  static func figures(_ session: (ScenarioResult) throws -> ObservedSession) throws -> Figures {
    var figures = Figures()
    for result in try runs.get() {
      let title = result.scenario.title
      try figures.add(ExtractedScenario(of: session(result), title: title), result)
    }
    return figures
  }

  /// The runs that pass of an eighth of the scenarios, in the profile that is their turn, made once
  /// for all tests. The ids of scenarios decide, so that a new one does not exchange all others. The
  /// environment variable `KENNEL_ALL_SESSIONS` takes all.
  private static let runs = Result { try Kit.projectScenarios().compactMap(passingRun) }

  private static func passingRun(of scenario: Scenario) -> ScenarioResult? {
    let number = scenario.id.utf8.reduce(0) { ($0 * 31 + Int($1)) % 65_521 }
    let takesAll = ProcessInfo.processInfo.environment["KENNEL_ALL_SESSIONS"] != nil
    guard takesAll || number.isMultiple(of: 8), scenario.judging == .expectations else {
      return nil
    }
    let profile = scenario.profiles[number / 8 % scenario.profiles.count]
    let result = Kit.run(scenario, in: profile)
    return result.verdict == .pass ? result : nil
  }

}

extension Library.Figures {
  /// Reads the text of the scenario, as whoever runs it does, and runs it.
  mutating func add(_ extracted: ExtractedScenario, _ original: ScenarioResult) throws {
    count += 1
    requests += extracted.similarity.requests
    same += extracted.similarity.same
    let id = "\(original.scenario.id) \(original.profile.name)"
    let text = extracted.yaml(from: ["session.jsonl"])
    let read = Kit.read(text)
    guard let scenario = read.scenarios.first else {
      lines.append("\(id): \(read.problems.first.map { "\($0)" } ?? "no scenario")")
      return
    }
    let result = Kit.run(scenario, in: extracted.profile, seed: original.seed)
    if result.verdict == .pass {
      passed += 1
    } else {
      lines.append("\(id): \(result.verdict.rawValue) \(result.reason ?? "")")
    }
    for difference in extracted.similarity.differences.prefix(3) {
      lines.append("\(id): \(difference)")
    }
  }
}
