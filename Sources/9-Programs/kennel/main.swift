import Commands
import Glibc
import System

exit(start(Array(CommandLine.arguments.dropFirst())).rawValue)

/// Runs the program; whatever goes wrong becomes a message and an exit code.
private func start(_ words: [String]) -> ExitCode {
  Descendants.ownAll()
  defer { Descendants.endAll() }
  do throws(Failure) {
    return try Program.kennel.run(words)
  } catch .closed {
    return .closed
  } catch {
    Console.message(error.report + "\n")
    return error.exitCode
  }
}
