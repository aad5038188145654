import Commands
import Document
import Runs
import System
import Tree

/// The command `kennel config`.
struct ConfigCommand: Command {
  var settings = RunSettings()
  var format = OutputFormat.text
  private var lines: [Line] = []

  /// A setting as it counts.
  struct Line {
    var row: OptionDescription
    var texts: [String]
    var origin: SettingOrigin?
  }

  static var options: [Option<Self>] {
    let rows = RunSettings.options.filter { $0.description.setting != nil }
    // What an adapter needs is shown without one too.
    return [.format(\.format).saying("List as text (the default) or json.")]
      + Option.table(rows.within(\.settings)) { $0.needsAdapter = false }
  }

  static let grammar = Grammar(
    command: "kennel config", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Shows each setting of a project: its value, and what gives it. With the options and operands of \
      a command line it shows what 'kennel run' would use. It runs nothing.
      """,
    notes: """
      A setting comes from the first of these that has it: the command line, the environment, the settings \
      that --settings names, the top level of kennel.yaml, and what counts otherwise.

      Examples:
        kennel config
        kennel config --settings ci
        kennel config --jobs 2 limits
      """, exitCodes: .withoutVerdicts, takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try settings.take(arguments)
    let rows = [SettingsTable.chosen] + RunSettings.inProjects.rows.map(\.description)
    lines = rows.map { row in
      let texts: [String] =
        switch row.setting {
        case SettingsTable.command.setting: arguments.adapter ?? []
        case SettingsTable.scenarios.setting: arguments.operands
        default: arguments.values(of: row.name)
        }
      return Line(
        row: row, texts: row.isRepeatable ? texts : texts.suffix(1),
        origin: texts.isEmpty ? nil : arguments.inherited[row.name] ?? .commandLine)
    }
  }

  /// Prints a line for each setting.
  func perform() throws(Failure) -> ExitCode {
    if format == .json {
      for line in lines { try Console.output(line.json.text + "\n") }
      return .success
    }
    let cells = lines.map(\.cells)
    let widths = (0..<3).map { column in cells.map { $0[column].count }.max() ?? 0 }
    for row in cells {
      let padded = zip(row, widths + [0]).map { cell, width in
        cell + String(repeating: " ", count: max(0, width - cell.count))
      }
      try Console.output(padded.joined(separator: "  ").trimmed + "\n")
    }
    return .success
  }
}

extension ConfigCommand.Line {
  private var name: String { row.setting ?? row.name }

  private var value: [String] { texts.isEmpty ? row.standard.map { [$0] } ?? [] : texts }

  /// Its name, its value, and what gives it.
  fileprivate var cells: [String] {
    let words = value.map(shellWord).joined(separator: " ")
    let (from, place) = origin?.words ?? ("default", "")
    return [name, words.isEmpty ? "-" : words, from, place]
  }

  fileprivate var json: JSON {
    let (from, place) = origin?.words ?? ("default", "")
    return .object([
      .init("setting", .string(name)),
      .init("value", row.isRepeatable ? .strings(value) : .optional(value.last)),
      .init("from", .string(from)), .init("place", .optional(place.isEmpty ? nil : place)),
    ])
  }
}
