import Glibc
import Processes
import Reports
package import System
import Text
import Tree
import Workspace

/// The half of a `RunWorkers` that one of its processes does.
package struct RunWorker {
  private let library: ScenarioLibrary
  private let seed: UInt64
  private var session: RunSession

  /// - Parameter settings: What the crew runs.
  /// - Throws: `Failure` when something cannot be found or read, and when clients do not start.
  package init(_ settings: RunSettings) throws(Failure) {
    let words = getenv("KENNEL_WORKER").map { String(cString: $0) }?.split(separator: " ") ?? []
    Processors.stay(on: words.first.flatMap { Int($0) } ?? 0)
    library = try ScenarioLibrary(settings)
    seed = settings.seed ?? 0
    session = try RunSession(
      settings, library, palette: words.last == "colour" ? .colour : .plain)
  }

  /// Runs a scenario.
  ///
  /// - Parameter line: Its number.
  /// - Returns: What is kept of the runs, as a line of JSON.
  /// - Throws: `Failure.fault` when there is no such scenario.
  package mutating func answer(to line: String) throws(Failure) -> String {
    guard let index = Int(line), library.scenarios.indices.contains(index) else {
      throw .fault("there is no scenario with the number \(line)")
    }
    let records = try session.records(of: library.scenarios[index], seed: seed)
    let answer: JSON = [
      "runs": .array(records.map(\.transfer)), "hasGivenUp": .bool(session.hasGivenUp),
    ]
    return answer.text
  }
}
