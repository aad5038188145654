/// What may stand on the command line of one command, and the words that explain it.
struct Grammar {
  /// An option, with its long name and what is said about it.
  struct Option {
    /// Without the two hyphens.
    let name: String
    /// What the help calls the value; nil for an option without one.
    var value: String?
    /// A letter that stands for the option, for those few used by hand all the time.
    var letter: Character?
    let summary: String
    /// The values that can be given, where these are few.
    var choices: [String] = []
  }

  /// How the command is called: `kennel run`.
  let command: String

  /// What may follow the options: `[PATH|ID...]`; empty when nothing may.
  let operands: String

  /// What the command does, above the options in its help.
  let summary: String

  let options: [Option]

  /// Examples and exit codes, below the options in its help.
  let notes: String

  /// Whether the options of the command end at the first word that is none, as they do where that
  /// word is a command with options of its own.
  var stopsAtOperand = false

  /// Whether what follows `--` is the command of an adapter, and no operand.
  var takesAdapter = false

  /// The options with the one that every command has.
  var allOptions: [Option] {
    options + [Option(name: "help", letter: "h", summary: "Print this help and exit.")]
  }
}
