package import ClientInterface
package import Scenario
import ScenarioExtraction
import ScenarioFiles
package import System
import Workspace

/// A recorded session, written as a scenario.
package struct SessionScenario {
  /// Whether a run of the scenario has the messages of the session, and what is different: lines.
  package let similarity: [String]
  /// The text of the scenario's file.
  package let text: String
  /// What could not be read of the session.
  package let warnings: [String]

  /// - Parameters:
  ///   - paths: A trace, or recordings of one session.
  ///   - title: The title of the scenario; nil for one that names the files.
  ///   - profile: As what clients are judged; nil for what the session says.
  /// - Throws: `Failure.unusable` for files that cannot be read or do not belong together.
  package init(
    of paths: [String], title: String? = nil, profile: Profile? = nil
  ) throws(Failure) {
    let session = try recordedSession(from: paths)
    let names = paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    warnings = session.warnings
    let extracted = ExtractedScenario(
      of: session, title: title ?? ExtractedScenario.title(of: names), profile: profile)
    text = extracted.yaml(from: names)
    similarity =
      [extracted.similarity.sentence] + extracted.similarity.differences.map { "  \($0)" }
  }

  /// Reads the text.
  ///
  /// - Parameter file: What is written as a scenario, for the message.
  /// - Returns: The scenario.
  /// - Throws: `Failure.unusable` when the session has something that no scenario can have.
  package func scenario(as file: String) throws(Failure) -> Scenario {
    let read = read(as: file)
    guard let scenario = read.scenarios.first else {
      throw .unusable(
        "\(file) cannot be written as a scenario: "
          + (read.problems.first.map { "\($0)" } ?? "it is empty"))
    }
    return scenario
  }

  /// - Parameter file: What the file of the scenario is called.
  /// - Throws: `Failure.unusable` when the session has something that no scenario can have.
  package func requireNoProblems(in file: String) throws(Failure) {
    if let problem = read(as: file).problems.first {
      throw .unusable("this session cannot be written as a scenario: \(problem)")
    }
  }

  private func read(as file: String) -> ScenarioReader.Result {
    ScenarioReader.read(file: file, bytes: Array(text.utf8), load: { _ in nil })
  }
}
