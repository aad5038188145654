package import System

/// What may be on the command line of one command, and the words that explain it.
package struct Grammar {
  /// How the command is called: `kennel run`.
  package let command: String

  /// What may follow the options: `[PATH|ID...]`; empty when nothing may.
  package let operands: String

  /// What the command does, above the options in its help.
  package let summary: String

  package var options: [OptionDescription]

  /// Examples, below the options in its help.
  package let examples: String

  /// What is said about exit codes, behind the examples.
  package enum ExitCodes {
    case ofClients, withoutVerdicts, ofServers, none

    /// The text, behind an empty line.
    var text: String {
      switch self {
      case .ofClients: "\n\n" + ExitCode.help
      case .withoutVerdicts: "\n\n" + ExitCode.helpWithoutVerdicts
      case .ofServers: "\n\n" + ExitCode.helpOfServers
      case .none: ""
      }
    }
  }

  /// What its help says about exit codes.
  package let exitCodes: ExitCodes

  /// Whether the options of the command end at the first word that is none, as they do where that
  /// word is a command with options of its own.
  package let stopsAtOperand: Bool

  /// Whether what follows `--` is the command of an adapter, and no operand.
  package let takesAdapter: Bool

  /// The grammar of a program, or of a command, whose table has its options.
  package init(
    command: String, operands: String, summary: String, options: [OptionDescription] = [],
    notes: String = "", exitCodes: ExitCodes = .ofClients, stopsAtOperand: Bool = false,
    takesAdapter: Bool = false
  ) {
    self.command = command
    self.operands = operands
    self.summary = summary
    self.options = options
    examples = notes
    self.exitCodes = exitCodes
    self.stopsAtOperand = stopsAtOperand
    self.takesAdapter = takesAdapter
  }

  /// What is below the options in its help.
  var notes: String { examples + exitCodes.text }

  /// The options with those that every command has.
  package var allOptions: [OptionDescription] {
    options + [
      Self.color,
      OptionDescription(name: "help", letter: "h", summary: "Print this help and exit."),
    ]
  }

  /// When colours are used; the option of every command.
  static let color = OptionDescription(
    name: "color", value: "WHEN",
    summary: "Use colours always, never, or on a terminal (auto).",
    choices: ["always", "never", "auto"])
}
