package import Document

/// Why a command ends without having done its work.
package enum Failure: Error {
  /// The command line cannot be understood; `command` names the help that explains more.
  case usage(String, command: String)
  /// Something that the command line names does not exist or cannot be used.
  case unusable(String)
  /// Files have mistakes: a line for each of them, and what that comes to where more is to be said.
  case mistakes([String], String?)
  /// A file or directory cannot be read.
  case file(path: String, reason: String)
  /// A file cannot be written.
  case output(path: String, reason: String)
  /// What a campaign has shown cannot be kept.
  case results(path: String, reason: String)
  /// The same, as the process that should have kept it reports it.
  case unsaved(String)
  /// A process could not be started.
  case notStarted(String)
  /// Who reads the results has stopped doing so, as `head` does.
  case closed
  /// The kit cannot do what it should be able to do.
  case fault(String)

  package var exitCode: ExitCode {
    switch self {
    case .usage, .unusable, .mistakes, .file, .output: .usage
    case .notStarted, .results, .unsaved: .notStarted
    case .closed: .closed
    case .fault: .fault
    }
  }

  /// All that is printed, without its line feed: each mistake in a file has a line that begins with the place,
  /// which is where editors look for it; anything else is said in the name of the program.
  package var report: String {
    guard case let .mistakes(lines, summary) = self else { return "kennel: \(self)" }
    return (lines + (summary.map { ["kennel: \($0)"] } ?? [])).joined(separator: "\n")
  }
}

extension Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case let .usage(message, command): "\(message)\nTry '\(command) --help'."
    case let .unusable(message), let .mistakes(_, message?): message
    case let .mistakes(lines, nil): lines.joined(separator: "\n")
    case let .file(path, reason): "cannot read \(path): \(reason)"
    case let .output(path, reason), let .results(path, reason): "cannot write \(path): \(reason)"
    case .closed: "the results are not read any more"
    case let .notStarted(message), let .fault(message), let .unsaved(message): message
    }
  }
}

/// What the process reports to its parent; the meaning of a number never changes.
package enum ExitCode: Int32 {
  /// Everything passed, or failed as listed among the known failures.
  case success = 0
  /// A client diverged from a scenario, or a known failure does not fail any more.
  case divergence = 1
  /// The command line or a scenario file is wrong, or nothing was selected.
  case usage = 2
  /// No divergence, but at least one run led to no verdict.
  case inconclusive = 3
  /// The client under test could not be started.
  case notStarted = 4
  /// The kit itself failed; its verdicts are void.
  case fault = 70
  /// The run was ended with SIGHUP, SIGINT, SIGPIPE or SIGTERM: 128 and the number of the signal.
  case hungUp = 129
  case interrupted = 130
  case closed = 141
  case terminated = 143

  /// The code for a run that was ended by a signal.
  package init(signal: Int32) { self = ExitCode(rawValue: 128 + signal) ?? .terminated }

  /// The table at the end of the help of a command that judges nothing.
  package static let helpWithoutVerdicts = """
    Exit codes:
      0   done
      2   wrong usage, or a file that is missing or has mistakes
      70  a fault of the kit
    """

  /// The same for one that serves.
  package static let helpOfServers = """
    Exit codes:
      0   done
      2   wrong usage, or a file that is missing or has mistakes
      4   the port is taken, or cannot be opened
      70  a fault of the kit
    """

  /// The table at the end of the help of a command that runs clients.
  package static let help = """
    Exit codes:
      0   all passed
      1   a divergence was found
      2   wrong usage, a bad file, or nothing selected
      3   nothing worse than an inconclusive run
      4   the client (or kennel itself) could not be started
      70  a fault of the kit
      129, 130, 141, 143  stopped by SIGHUP, SIGINT, SIGPIPE or SIGTERM
    """
}

extension Failure {
  /// Refuses a file for its mistakes; there is at least one.
  package static func mistakes(_ errors: [SourceError]) -> Failure {
    .mistakes(errors.map(\.description), nil)
  }

  /// Refuses a file for one mistake.
  package static func mistake(_ error: SourceError) -> Failure { .mistakes([error]) }

  /// Refuses a file that should have JSON in it, and may be meant as YAML.
  package static func noJSON(_ error: SourceError) -> Failure {
    var error = error
    if [".yaml", ".yml"].contains(where: error.file.hasSuffix) {
      error.message += "; YAML is not read here: write the file as JSON"
    }
    return .mistake(error)
  }

  /// How many mistakes are printed unless all are asked for.
  package static let shownProblems = 50

  /// Refuses what has mistakes.
  ///
  /// - Throws: `Failure.mistakes` with a line for each of them, if there are any.
  package static func refuse(_ problems: [SourceError], in what: String) throws(Failure) {
    if problems.isEmpty { return }
    let rest = max(0, problems.count - shownProblems)
    throw .mistakes(
      problems.prefix(shownProblems).map { "\($0)" },
      "\(counted(problems.count, "problem")) in \(what); nothing was run"
        + (rest > 0 ? "; 'kennel check --all' prints \(rest) more" : ""))
  }
}
