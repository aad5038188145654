import Commands
import Glibc
import Processes
import Reports
import System
import Tree

/// Runs the scenarios whose numbers come in on standard input, as one of several processes.
struct RunWorkerOptions {
  var run: RunOptions

  init(_ arguments: Arguments) throws(Failure) {
    run = try RunOptions(arguments)
  }

  static let grammar = RunOptions.grammar
}

/// What a worker is told by the process that started it.
private struct Assignment {
  var index = 0
  var palette = Palette.plain

  init() {
    guard let text = getenv("KENNEL_WORKER").map({ String(cString: $0) }) else { return }
    let words = text.split(separator: " ")
    index = words.first.flatMap { Int($0) } ?? 0
    if words.last == "colour" { palette = .colour }
  }
}

extension RunWorkerOptions: Command {
  static let isListed = false

  func perform() throws(Failure) -> ExitCode {
    let assignment = Assignment()
    Processors.stay(on: assignment.index)
    let library = try ScenarioLibrary(run)
    var session = try RunSession(run, library, palette: assignment.palette)
    while let line = readLine() {
      guard let index = Int(line), library.scenarios.indices.contains(index) else {
        throw .fault("there is no scenario with the number \(line)")
      }
      let records = try session.records(
        of: library.scenarios[index], run, seed: run.seed ?? 0)
      let answer: JSON = [
        "runs": .array(records.map(\.transfer)), "hasGivenUp": .bool(session.hasGivenUp),
      ]
      try Console.output(answer.text + "\n")
    }
    return .success
  }
}
