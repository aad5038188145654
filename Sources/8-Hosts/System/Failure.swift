/// Why a command ends without having done its work.
package enum Failure: Error {
  /// The command line cannot be understood; `command` names the help that explains more.
  case usage(String, command: String)
  /// Something that the command line names does not exist or cannot be used.
  case unusable(String)
  /// Files have mistakes: a line for each of them, and what that comes to.
  case mistakes([String], String)
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

  /// The lines that are printed above the description.
  package var details: [String] {
    if case let .mistakes(lines, _) = self { lines } else { [] }
  }
}

extension Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case let .usage(message, command): "\(message)\nTry '\(command) --help'."
    case let .unusable(message), let .mistakes(_, message): message
    case let .file(path, reason): "cannot read \(path): \(reason)"
    case let .output(path, reason), let .results(path, reason): "cannot write \(path): \(reason)"
    case .closed: "the results are not read any more"
    case let .notStarted(message), let .fault(message), let .unsaved(message): message
    }
  }
}
