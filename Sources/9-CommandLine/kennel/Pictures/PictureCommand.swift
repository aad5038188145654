import System

/// A command that shows runs, with what it was asked for.
struct PictureCommand {
  let run: () throws(Failure) -> ExitCode
}

extension Command {
  /// Those that show runs.
  static var forPictures: [Subcommand] {
    [
      Subcommand(name: "show", grammar: ShowOptions.grammar) { arguments throws(Failure) in
        let options = try ShowOptions(arguments)
        return .picture(PictureCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "view", grammar: ViewOptions.grammar) { arguments throws(Failure) in
        let options = try ViewOptions(arguments)
        return .picture(PictureCommand { () throws(Failure) in try kennel.run(options) })
      },
      Subcommand(name: "report", grammar: ReportPageOptions.grammar) { arguments throws(Failure) in
        let options = try ReportPageOptions(arguments)
        return .picture(PictureCommand { () throws(Failure) in try kennel.run(options) })
      },
    ]
  }
}
