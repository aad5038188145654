package import System

/// What may be on the command line of one command, and the words that explain it.
package struct Grammar {
  /// How the command is called: `kennel run`.
  package let command: String

  /// What may follow the options: `[PATH|ID...]`; empty when nothing may.
  package let operands: String

  /// What the command does, above the options in its help.
  package let summary: String

  package let options: [OptionDescription]

  /// Examples and exit codes, below the options in its help.
  package let notes: String

  /// Whether the options of the command end at the first word that is none, as they do where that
  /// word is a command with options of its own.
  package var stopsAtOperand = false

  /// Whether what follows `--` is the command of an adapter, and no operand.
  package var takesAdapter = false

  package init(
    command: String, operands: String, summary: String, options: [OptionDescription] = [],
    notes: String, stopsAtOperand: Bool = false, takesAdapter: Bool = false
  ) {
    self.command = command
    self.operands = operands
    self.summary = summary
    self.options = options
    self.notes = notes
    self.stopsAtOperand = stopsAtOperand
    self.takesAdapter = takesAdapter
  }

  /// The grammar of a command, with the options of its table.
  package init<Settings>(
    command: String, operands: String, summary: String, options: [Option<Settings>],
    notes: String, takesAdapter: Bool = false
  ) {
    self.init(
      command: command, operands: operands, summary: summary, options: options.map(\.description),
      notes: notes, takesAdapter: takesAdapter)
  }

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
