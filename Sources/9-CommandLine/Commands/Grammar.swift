/// What may be on the command line of one command, and the words that explain it.
package struct Grammar {
  /// An option, with its long name and what is said about it.
  package struct Option {
    /// Without the two hyphens.
    package let name: String
    /// What the help calls the value; nil for an option without one.
    package var value: String?
    /// A letter that stands for the option, for those few used by hand all the time.
    package var letter: Character?
    package let summary: String
    /// The values that can be given, where these are few.
    package var choices: [String] = []

    package init(
      name: String, value: String? = nil, letter: Character? = nil, summary: String,
      choices: [String] = []
    ) {
      self.name = name
      self.value = value
      self.letter = letter
      self.summary = summary
      self.choices = choices
    }
  }

  /// How the command is called: `kennel run`.
  package let command: String

  /// What may follow the options: `[PATH|ID...]`; empty when nothing may.
  package let operands: String

  /// What the command does, above the options in its help.
  package let summary: String

  package let options: [Option]

  /// Examples and exit codes, below the options in its help.
  package let notes: String

  /// Whether the options of the command end at the first word that is none, as they do where that
  /// word is a command with options of its own.
  package var stopsAtOperand = false

  /// Whether what follows `--` is the command of an adapter, and no operand.
  package var takesAdapter = false

  package init(
    command: String, operands: String, summary: String, options: [Option], notes: String,
    stopsAtOperand: Bool = false, takesAdapter: Bool = false
  ) {
    self.command = command
    self.operands = operands
    self.summary = summary
    self.options = options
    self.notes = notes
    self.stopsAtOperand = stopsAtOperand
    self.takesAdapter = takesAdapter
  }

  /// The options with those that every command has.
  package var allOptions: [Option] {
    options + [
      Option(
        name: "color", value: "WHEN",
        summary: "Use colours always, never, or on a terminal (auto).",
        choices: ["always", "never", "auto"]),
      Option(name: "help", letter: "h", summary: "Print this help and exit."),
    ]
  }
}
