package import Document
import Glibc

/// The settings of a project: the options whose values a project file and the environment give, and the
/// two parts of a command line that are no options.
package struct SettingsTable {
  /// In the order in which they are listed.
  package let rows: [Row]
  /// What a project file may name beside its own clients: those of the kit.
  package let clients: [String]

  /// A setting.
  package struct Row {
    package let description: OptionDescription
    /// What was expected in place of a text that stands for no value; nil for one that does.
    package let expectation: (String) -> String?

    /// The key in a project file.
    package var key: String { description.setting ?? description.name }

    /// What is expected where there is no text at all.
    package var expected: String {
      if let example = description.mapping { return "a mapping such as \(example)" }
      return description.isRepeatable ? "words, or a list of texts" : description.expected
    }

    /// The variable of the environment that gives the value.
    var variable: String { prefix + key.uppercased().replacing("-", with: "_") }
  }

  /// The settings among the options of a command.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - clients: The names of the clients of the kit.
  package init<Settings>(_ options: [Option<Settings>], clients: [String]) {
    self.clients = clients
    let parts = [Self.command, Self.scenarios].map { Row(description: $0) { _ in nil } }
    rows =
      parts
      + options.filter { $0.description.setting != nil }.map {
        Row(description: $0.description, expectation: $0.expectation)
      }
  }

  package var keys: [String] { rows.map(\.key) }

  /// The command of the adapter.
  package static var command: OptionDescription { part("command", "WORDS") }

  /// What is run where a command line names no scenario.
  package static var scenarios: OptionDescription { part("scenarios", "PATH|ID|PATTERN") }

  private static func part(_ name: String, _ value: String) -> OptionDescription {
    var part = OptionDescription(name: name, value: value, summary: "")
    (part.setting, part.isRepeatable, part.file) = (name, true, .perhaps)
    return part
  }

  /// The named settings that count: which there are depends on the project file.
  package static var chosen: OptionDescription {
    var chosen = OptionDescription(
      name: "settings", value: "NAME",
      summary: "Use the settings NAME of kennel.yaml, such as ci; KENNEL_SETTINGS does the same.")
    chosen.setting = "settings"
    return chosen
  }
}

/// Where the value of a setting is written.
package enum SettingOrigin: Hashable {
  case commandLine
  /// A variable.
  case environment(String)
  /// A place in a project file, and in which named settings; nil for those at the top level.
  case file(FileLocation, settings: String?)

  /// The words that a table of settings has for it.
  package var words: (from: String, place: String) {
    switch self {
    case .commandLine: ("command line", "")
    case let .environment(variable): ("environment", variable)
    case let .file(location, name): (name.map { "settings \($0)" } ?? "file", "\(location)")
    }
  }
}

/// What a setting is, and where that is written.
package struct SettingValue: Hashable {
  package var texts: [String]
  package var origin: SettingOrigin

  package init(_ texts: [String], _ origin: SettingOrigin) {
    self.texts = texts
    self.origin = origin
  }

  /// Whether a project file gives it.
  package var isOfFile: Bool { if case .file = origin { true } else { false } }
}

/// What the name of a variable begins with that gives a setting.
private let prefix = "KENNEL_"

extension SettingsTable {
  /// What begins so and is no setting.
  private static let others: Set<String> = [
    "BUILD", "CLIENTS", "COLOR", "FD", "HOME", "PROGRAM", "PROJECT", "TRUST", "WORKER",
  ]

  /// The settings that variables give, with the choice of named ones.
  private var rowsOfVariables: [Row] { rows + [Row(description: Self.chosen) { _ in nil }] }

  /// The settings that variables give. An empty variable gives none.
  ///
  /// - Parameter variables: All variables, by their names.
  /// - Returns: Values by the keys of settings.
  /// - Throws: `Failure.mistakes` for values that mean nothing, and for names that are slips of settings.
  package func values(
    in variables: [String: String]
  ) throws(Failure) -> [String: SettingValue] {
    var values: [String: SettingValue] = [:]
    var problems: [String] = []
    let rows = rowsOfVariables
    for (name, text) in variables.sorted(by: { $0.key < $1.key })
    where name.hasPrefix(prefix) && !text.isEmpty {
      guard let row = rows.first(where: { $0.variable == name }) else {
        if let problem = slip(name, among: rows.map(\.variable)) { problems.append(problem) }
        continue
      }
      let isList = row.description.isRepeatable
      let texts = isList ? text.split(separator: " ").map(String.init) : [text]
      values[row.key] = SettingValue(texts, .environment(name))
      for text in texts {
        guard let expected = row.expectation(text) else { continue }
        problems.append("\(name) is \"\(text)\"; expected \(expected); set it so, or unset it")
      }
    }
    if problems.isEmpty { return values }
    throw .mistakes(
      problems, "\(counted(problems.count, "problem")) in the environment; nothing was run")
  }

  /// What is wrong with a variable that is nearly called like a setting.
  private func slip(_ name: String, among names: [String]) -> String? {
    let word = String(name.dropFirst(prefix.count))
    if Self.others.contains(word) { return nil }
    let hint = didYouMean(word, names.map { String($0.dropFirst(prefix.count)) }, prefix: prefix)
    return hint.isEmpty
      ? nil : "the variable \(name) is no setting\(hint) Rename it, or unset it"
  }

  /// The settings in the environment of this process, which then has them no more: other processes of this
  /// program have everything on their command lines.
  ///
  /// - Throws: As `values(in:)`.
  package func takeFromEnvironment() throws(Failure) -> [String: SettingValue] {
    let values = try values(in: ChildProcess.variables)
    for row in rowsOfVariables { unsetenv(row.variable) }
    return values
  }
}
