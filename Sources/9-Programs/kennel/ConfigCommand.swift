import Commands
import Document
import Runs
import System
import Tree
import Workspace

/// The command `kennel config`.
struct ConfigCommand: Command {
  var settings = RunSettings()
  var format = OutputFormat.text
  private var lines: [Line] = []
  private var clients: [NamedClient] = []

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
      a command line it shows what 'kennel run' would use, and then the clients that kennel.yaml names. It \
      runs nothing.
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
    clients = try ProjectFile.find(RunSettings.inProjects)?.clients.all ?? []
  }

  /// Prints a line for each setting.
  func perform() throws(Failure) -> ExitCode {
    // Those of a project file may be many, and 'run' reads them anyway.
    if lines.contains(where: {
      $0.row.setting == SettingsTable.scenarios.setting && $0.origin == .commandLine
    }) {
      _ = try ScenarioLibrary(settings.selectors)
    }
    if format == .json {
      let objects = lines.map(\.json) + [Self.json(of: clients)]
      for object in objects { try Console.output(object.text + "\n") }
      return .success
    }
    let cells = lines.map(\.cells) + clients.map(\.cells)
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

extension ConfigCommand {
  /// All clients that the project file names, in one object like that of a setting.
  private static func json(of clients: [NamedClient]) -> JSON {
    .object([
      .init("setting", .string("clients")), .init("value", .array(clients.map(\.json))),
      .init("from", .string(clients.isEmpty ? "default" : "file")),
    ])
  }
}

extension NamedClient {
  /// `client old 1.2`, its command, and what gives it.
  fileprivate var cells: [String] {
    let name = ["client", name, version].compactMap(\.self).joined(separator: " ")
    let known = known.map { ["--known", $0] } ?? []
    return [name, (known + command).map(shellWord).joined(separator: " "), "file", "\(location)"]
  }

  fileprivate var json: JSON {
    .object([
      .init("name", .string(name)), .init("version", .optional(version)),
      .init("command", .strings(command)), .init("known", .optional(known)),
      .init("place", .string("\(location)")),
    ])
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
