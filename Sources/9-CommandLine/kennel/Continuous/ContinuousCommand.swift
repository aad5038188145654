import System

/// A command of continuous integration, with what it was asked for.
struct ContinuousCommand {
  let run: () throws(Failure) -> ExitCode
}

extension Command {
  /// Those that are told of.
  static var forPeople: [Subcommand] { subcommands.filter(\.isForPeople) }

  /// Those that are of use in continuous integration, and for comfort.
  static var forContinuousUse: [Subcommand] {
    [
      Subcommand(name: "smoke", grammar: SmokeOptions.grammar) { arguments throws(Failure) in
        let options = try SmokeOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "known", grammar: KnownOptions.grammar) { arguments throws(Failure) in
        let options = try KnownOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "diff", grammar: DiffOptions.grammar) { arguments throws(Failure) in
        let options = try DiffOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "badge", grammar: BadgeOptions.grammar) { arguments throws(Failure) in
        let options = try BadgeOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "completions", grammar: CompletionsOptions.grammar) {
        arguments throws(Failure) in
        let options = try CompletionsOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "man", grammar: ManOptions.grammar) { arguments throws(Failure) in
        let options = try ManOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "fmt", grammar: FormatOptions.grammar) { arguments throws(Failure) in
        let options = try FormatOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "run-worker", grammar: RunWorkerOptions.grammar, isForPeople: false) {
        arguments throws(Failure) in
        let options = try RunWorkerOptions(arguments)
        return .continuous(ContinuousCommand { () throws(Failure) in try kennel.run(options) })
      },
    ]
  }
}
