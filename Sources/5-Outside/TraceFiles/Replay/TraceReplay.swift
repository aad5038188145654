public import Conformance
public import Document
public import Scenario
import ScenarioFiles
public import Trace

/// The run of a trace, made again.
public struct TraceReplay: Sendable {
  /// The trace from which the run was made again.
  public var file: TraceFile
  /// The run as it went now.
  public var result: ScenarioResult
  /// Where the run differed from the trace, which is the first of the two; `nil` when it
  /// went the same way.
  public var difference: TraceDifference?

  package init(of file: TraceFile, result: ScenarioResult) {
    self.file = file
    self.result = result
    difference = TraceDifference(file.trace, result.trace)
  }

  /// Runs the scenario that the trace holds, with its seed and its choices.
  ///
  /// - Parameters:
  ///   - file: The trace.
  ///   - name: The path of the trace, for errors.
  ///   - runner: Runs it, with the client that the trace names; its seed does not count.
  /// - Throws: `SourceError` when the texts in the trace hold no such scenario.
  public init(
    of file: TraceFile, named name: String, by runner: ScenarioRunner
  ) throws(SourceError) {
    self.init(of: file, with: try file.header.readScenario(of: name), by: runner)
  }

  /// Runs another scenario with the seed and the choices of a trace: usually that of the trace
  /// after it was changed.
  public init(of file: TraceFile, with scenario: Scenario, by runner: ScenarioRunner) {
    var runner = runner
    runner.seed = file.header.seed
    let scenario = file.header.chosen(scenario)
    self.init(of: file, result: runner.run(scenario, in: file.header.profile))
  }
}

extension TraceFile.Header {
  /// A scenario with the choices of the trace, judged as the run of the trace was.
  package func chosen(_ scenario: Scenario) -> Scenario {
    let hasFewerJudges = judging == .invariants && scenario.judging == .expectations
    var scenario = hasFewerJudges ? scenario.withoutExpectations : scenario
    scenario.choices = choices
    return scenario
  }

  /// The scenario that was run, from the texts in the trace.
  ///
  /// - Parameter name: The path of the trace, for errors.
  /// - Returns: The scenario.
  /// - Throws: `SourceError` when the texts hold no such scenario.
  package func readScenario(of name: String) throws(SourceError) -> Scenario {
    func error(_ message: String) -> SourceError {
      SourceError(file: name, position: Position(line: 1, column: 1), message: message)
    }
    guard let main = sources.first else { throw error("the trace has no text of the scenario") }
    let read = ScenarioReader.read(
      file: main.file, bytes: Array(main.text.utf8),
      load: { path in sources.first { $0.file == path }.map { Array($0.text.utf8) } })
    if let problem = read.problems.first {
      throw error("the scenario in the trace cannot be read: \(problem)")
    }
    guard let found = read.scenarios.first(where: { $0.id == scenario }) else {
      throw error("the texts in the trace have no scenario \"\(scenario)\"")
    }
    return found
  }
}
