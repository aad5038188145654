import Document
import Glibc
package import System

/// A program with commands.
package struct Program {
  /// The options in front of a command. One of them is `version`.
  package let grammar: Grammar
  package let version: String
  package let commands: [any Command.Type]
  /// What command lines leave open, with the named settings that one of them chooses.
  private let defaults: (_ chosen: String?) throws(Failure) -> CommandDefaults

  /// - Parameters:
  ///   - grammar: The options in front of a command. One of them is `version`.
  ///   - version: The number that `--version` prints, followed by the commit and date that the start
  ///     script passes in `KENNEL_BUILD`.
  ///   - commands: All commands, in the order in which messages name them.
  ///   - defaults: What command lines leave open, with the named settings that one of them chooses.
  package init(
    _ grammar: Grammar, version: String, commands: [any Command.Type],
    defaults: @escaping (_ chosen: String?) throws(Failure) -> CommandDefaults = { _ in .init() }
  ) {
    self.grammar = grammar
    self.defaults = defaults
    self.version = version
    self.commands = commands
  }

  /// The commands that the help names.
  package var listed: [any Command.Type] { commands.filter { $0.isListed } }

  /// Reads a command line and does what it asks for.
  ///
  /// - Parameter words: What follows the name of the program.
  /// - Returns: What the process ends with.
  /// - Throws: `Failure.usage` for a command line that means nothing, and why a command failed.
  package func run(_ words: [String]) throws(Failure) -> ExitCode {
    let arguments = try grammar.parse(words, others: owners)
    try setColours(arguments)
    if arguments.contains("help") {
      try Console.output(try grammar.help())
    } else if arguments.contains("version") {
      try printVersion()
    } else if let name = arguments.operands.first {
      return try run(name, Array(arguments.operands.dropFirst()))
    } else {
      throw arguments.failure("which command?")
    }
    return .success
  }

  private func printVersion() throws(Failure) {
    let build = getenv("KENNEL_BUILD").map { String(cString: $0) } ?? ""
    try Console.output("\(grammar.command) \(version)\(build.isEmpty ? "" : " (\(build))")\n")
  }

  /// `help` and `version` as words, as other programs have them.
  private func run(_ name: String, _ words: [String]) throws(Failure) -> ExitCode {
    if let (command, rest) = command(in: [name] + words) { return try run(command, rest) }
    if name == "help" { return try run(words + ["--help"]) }
    if name == "version" {
      try printVersion()
      return .success
    }
    let names = listed.map { $0.name }
    let longer = names.filter { $0.hasSuffix(" " + name) }.map { "\"\($0)\"" }
    let hint = didYouMean(
      longer.isEmpty ? closestMatches(to: name, in: names).map { "\"\($0)\"" } : longer,
      orElse: "; expected one such as \(alternatives(Array(names.prefix(4))))")
    throw .usage("unknown command \"\(name)\"\(hint)", command: grammar.command)
  }

  /// The command that words call, the one with the longest name, and what follows its name.
  private func command(in words: [String]) -> (any Command.Type, rest: [String])? {
    for length in [2, 1] {
      let name = words.prefix(length).joined(separator: " ")
      if let command = commands.first(where: { $0.name == name }) {
        return (command, Array(words.dropFirst(length)))
      }
    }
    return nil
  }

  private func run(_ command: any Command.Type, _ words: [String]) throws(Failure) -> ExitCode {
    var arguments = try command.usage.parse(words, others: owners)
    try setColours(arguments)
    if arguments.contains("help") {
      try Console.output(try command.usage.help())
      return .success
    }
    if command.usesProject {
      let chosen = arguments.values(of: SettingsTable.chosen.name).last
      try arguments.take(try defaults(chosen), by: command.usage)
    }
    do throws(Failure) {
      return try command.init(arguments).perform()
    } catch {
      throw error.located(by: arguments)
    }
  }

  /// The commands that have an option, as messages name them.
  private func owners(of option: String) -> [String] {
    listed.map { $0.usage }.filter { $0.options.contains { $0.name == option } }.map(\.command)
  }

  /// Does what `--color` says, for other processes of this program too.
  ///
  /// - Throws: `Failure.usage` for another value.
  private func setColours(_ arguments: Arguments) throws(Failure) {
    let option = Grammar.color
    guard let value = arguments.values(of: option.name).last else { return }
    guard option.choices.contains(value) else {
      throw arguments.failure(unknown("value", value, of: option.name, among: option.choices))
    }
    setenv("KENNEL_COLOR", value, 1)
  }
}

extension Failure {
  /// The same with the option that names what cannot be read or written, or the line of the project file
  /// that names it, or what cannot be started.
  fileprivate func located(by arguments: Arguments) -> Failure {
    func place(_ key: String) -> String? {
      guard case let .file(location, _)? = arguments.inherited[key] else { return nil }
      return "\(location)"
    }
    switch self {
    case let .file(path, _), let .output(path, _):
      let option = arguments.options.first { _, value in
        value == path || path.hasPrefix(value + "/") || value.hasPrefix(path + "/")
      }
      guard let option else { return self }
      return .unusable(
        place(option.name).map { "\(self)\n  \(option.name): \($0)" } ?? "--\(option.name): \(self)"
      )
    case let .notStarted(reason):
      return place("command").map { .notStarted("\(reason)\n  command: \($0)") } ?? self
    default: return self
    }
  }
}

/// A command: what the command line asks for, and what it does.
package protocol Command: OptionSettings {
  /// The words that call it; those of its grammar behind the program if not given.
  static var name: String { get }

  /// The table of its options; it also describes the fields that they set.
  static var options: [Option<Self>] { get }

  /// What may be on its command line, but for the options. `command` is the name of the program and
  /// its own.
  static var grammar: Grammar { get }

  /// Whether the help, completions and the manual page name it.
  static var isListed: Bool { get }

  /// Whether the environment and a project file say what its command line leaves open.
  static var usesProject: Bool { get }

  /// Reads what was asked for: by the table of options, and then by `finish`.
  ///
  /// - Throws: `Failure.usage` for values that do not exist and for options that exclude each other.
  init(_ arguments: Arguments) throws(Failure)

  /// Takes what is no option, before the options are read.
  ///
  /// - Throws: `Failure.usage` for operands that mean nothing.
  mutating func take(_ arguments: Arguments) throws(Failure)

  /// Checks and completes what was read.
  ///
  /// - Throws: `Failure.usage` for what does not go together.
  mutating func finish(_ arguments: Arguments) throws(Failure)

  /// Does it and prints the result.
  ///
  /// - Returns: What the process ends with.
  /// - Throws: Why it could not be done.
  func perform() throws(Failure) -> ExitCode
}

extension Command {
  package init(_ arguments: Arguments) throws(Failure) {
    self.init()
    try take(arguments)
    try arguments.read(Self.options, into: &self)
    try finish(arguments)
  }

  package mutating func take(_ arguments: Arguments) throws(Failure) {}

  package mutating func finish(_ arguments: Arguments) throws(Failure) {}

  package static var options: [Option<Self>] { [] }

  /// What may be on its command line.
  package static var usage: Grammar {
    var usage = grammar
    usage.options = options.map(\.description) + (usesProject ? [SettingsTable.chosen] : [])
    return usage
  }

  package static var isListed: Bool { true }

  package static var usesProject: Bool { isListed && grammar.takesAdapter }

  package static var name: String {
    grammar.command.split(separator: " ").dropFirst().joined(separator: " ")
  }
}

/// What a command line means that leaves it open: what the environment and a project file say.
package struct CommandDefaults {
  /// The settings that are given, by their keys.
  package var values: [String: SettingValue] = [:]
  /// The implementations to which the project file gives names.
  package var clients = NamedClients()
  /// Why nothing may be started or written because of the project file; `nil` where that may be.
  package var objection: String?

  package init() {}

  /// - Throws: `Failure.unusable` where a value that starts or writes something comes from a file of others.
  fileprivate func requireTrust(in value: SettingValue) throws(Failure) {
    if value.isOfFile, let objection { throw .unusable(objection) }
  }
}

extension Arguments {
  /// Whether it names a client of the kit for all clients that have no other one: `--client NAME`.
  package var namesSubject: Bool { subjectName != nil }

  private var subjectName: String? { values(of: "client").last { !$0.contains("=") } }

  /// Takes the implementation that `--client` names for all clients, if the project file has it: its command
  /// as if that stood behind `--`, and its list of known failures in place of that of the file.
  ///
  /// - Returns: What is left open.
  /// - Throws: `Failure.unusable` for one that must not be started.
  private mutating func takeClient(
    _ defaults: CommandDefaults
  ) throws(Failure) -> CommandDefaults {
    guard adapter == nil, let name = subjectName, let client = try defaults.clients.named(name)
    else { return defaults }
    let origin = SettingOrigin.file(client.location, settings: nil)
    options.removeAll { $0.name == "client" && !$0.value.contains("=") }
    (adapter, inherited["command"]) = (client.command, origin)
    var defaults = defaults
    if defaults.values["known"]?.isOfFile ?? true {
      defaults.values["known"] = client.known.map { SettingValue([$0], origin) }
    }
    defaults.values["roles"] = nil
    return defaults
  }

  /// Takes over what is not on the command line and the command has: values of options, the adapter
  /// unless another client is named, and scenarios unless any are. Who names scenarios excludes none of
  /// them by a setting.
  ///
  /// - Throws: `Failure.unusable` for an adapter that must not be started, and for a file that must not be
  ///   written.
  package mutating func take(_ defaults: CommandDefaults, by grammar: Grammar) throws(Failure) {
    let defaults = try grammar.takesAdapter ? takeClient(defaults) : defaults
    if grammar.takesAdapter, adapter == nil, !namesSubject,
      let command = defaults.values["command"], !command.texts.isEmpty
    {
      try defaults.requireTrust(in: command)
      (adapter, inherited["command"]) = (command.texts, command.origin)
    }
    let given = grammar.options.filter { contains($0.name) }
    for option in grammar.options where !given.contains(where: { $0.isIncompatible(with: option) })
    {
      guard let value = option.setting.flatMap({ defaults.values[$0] }) else { continue }
      if option.needsAdapter && adapter == nil || option.mapping != nil && namesSubject { continue }
      if option.completions == [.names(.scenarios)], !operands.isEmpty { continue }
      // A list says nothing about a command that takes one.
      if value.texts.count > 1, !option.isRepeatable { continue }
      if option.file == .written || option.file == .started { try defaults.requireTrust(in: value) }
      options += value.texts.map { (option.name, $0) }
      inherited[option.name] = value.origin
    }
    if operands.isEmpty, grammar.operands.hasPrefix("[PATH|ID"),
      let scenarios = defaults.values["scenarios"]
    {
      (operands, inherited["scenarios"]) = (scenarios.texts, scenarios.origin)
    }
  }
}

extension OptionDescription {
  /// Whether it is the same option, or one that does not go together with it.
  fileprivate func isIncompatible(with other: OptionDescription) -> Bool {
    name == other.name || excludes.contains(other.name) || other.excludes.contains(name)
  }
}
