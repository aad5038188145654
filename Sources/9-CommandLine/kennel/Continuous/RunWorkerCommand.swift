import Commands
import Runs
import System

/// Runs the scenarios whose numbers come in on standard input, as one of several processes.
struct RunWorkerCommand: Command {
  var settings: RunSettings

  init(_ arguments: Arguments) throws(Failure) {
    settings = try RunSettings(arguments)
  }

  static let grammar = RunCommand.grammar

  static let name = "run-worker"
  static let isListed = false

  func perform() throws(Failure) -> ExitCode {
    var worker = try RunWorker(settings)
    while let line = readLine() { try Console.output(try worker.answer(to: line) + "\n") }
    return .success
  }
}
