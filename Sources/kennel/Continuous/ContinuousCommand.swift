/// A command of continuous integration, with what it was asked for.
struct ContinuousCommand {
  let run: () throws(Failure) -> ExitCode
}

extension Command {
  /// Those that are of use in continuous integration, and for comfort.
  static var forContinuousUse: [Subcommand] {
    [
      Subcommand(name: "run-worker", grammar: RunWorkerOptions.grammar, isForPeople: false) {
        arguments throws(Failure) in
        let options = try RunWorkerOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      }
    ]
  }
}
