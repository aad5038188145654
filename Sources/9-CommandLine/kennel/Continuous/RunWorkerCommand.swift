import Commands
import Runs
import System

/// Runs the scenarios whose numbers come in on standard input, as one of several processes.
struct RunWorkerCommand: Command {
  var settings = RunSettings()

  static var options: [Option<Self>] { RunSettings.options.within(\.settings) }

  static let grammar = Grammar(
    command: "kennel run-worker", operands: "", summary: "Runs what it is sent the numbers of.",
    notes: "", takesAdapter: true)

  static let isListed = false

  mutating func take(_ arguments: Arguments) throws(Failure) { try settings.take(arguments) }

  func perform() throws(Failure) -> ExitCode {
    var worker = try RunWorker(settings)
    while let line = readLine() { try Console.output(try worker.answer(to: line) + "\n") }
    return .success
  }
}
