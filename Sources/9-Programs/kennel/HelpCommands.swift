import AdapterSessions
import Commands
import Mutants
import Runs
import Scenario
import System
import Workspace

/// The command `kennel help completions`.
struct CompletionsCommand: Command {
  var shell = Completions.Shell.bash

  static let grammar = Grammar(
    command: "kennel help completions", operands: "bash|zsh|fish",
    summary: "Prints what a shell needs to complete the command line of kennel.",
    notes: """
      Examples:
        source <(kennel help completions bash)
        kennel help completions zsh > ~/.zfunc/_kennel
        kennel help completions fish > ~/.config/fish/completions/kennel.fish
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    let names = Completions.Shell.allCases.map(\.rawValue)
    let name = try arguments.onlyOperand(
      else: "completions needs a shell: \(names.joined(separator: ", "))")
    guard let shell = Completions.Shell(rawValue: name) else {
      throw arguments.failure(
        unknown("shell", name, among: names) + "; expected \(names.joined(separator: ", "))")
    }
    self.shell = shell
  }

  /// Prints completions.
  func perform() throws(Failure) -> ExitCode {
    let completions = Completions(
      entries: Program.kennel.listed.map { .init(name: $0.name, grammar: $0.usage) },
      general: Program.kennel.grammar)
    try Console.output(completions.text(for: shell))
    return .success
  }
}

/// The command `kennel help man`: nothing but the page.
struct ManCommand: Command {
  static let grammar = Grammar(
    command: "kennel help man", operands: "",
    summary: "Prints the manual page, with all commands.", options: [],
    notes: """
      Examples:
        kennel help man | man -l -
        kennel help man > ~/.local/share/man/man1/kennel.1
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let word = arguments.operands.first { throw arguments.failure("man takes no \"\(word)\"") }
  }

  /// Prints the manual page.
  func perform() throws(Failure) -> ExitCode {
    let page = ManualPage(
      general: Program.kennel.grammar, version: kitVersion,
      commands: Program.kennel.listed.map { ($0.name, $0.usage) })
    try Console.output(page.text)
    return .success
  }
}

/// Lists the names that a shell completes, one on each line; called by completions only.
struct CompleteCommand: Command {
  var kinds: [Candidates] = []

  static let isListed = false

  static let grammar = Grammar(
    command: "kennel complete", operands: "KIND...",
    summary: "Lists names for completions: \(Candidates.allCases.map(\.rawValue)).",
    options: [], notes: "")

  mutating func take(_ arguments: Arguments) throws(Failure) {
    for operand in arguments.operands {
      guard let kind = Candidates(rawValue: operand) else {
        let names = Candidates.allCases.map(\.rawValue)
        throw arguments.failure(unknown("kind", operand, among: names))
      }
      kinds.append(kind)
    }
  }

  /// Prints the names.
  func perform() throws(Failure) -> ExitCode {
    for kind in kinds {
      for name in try names(kind) { try Console.output("\(name)\n") }
    }
    return .success
  }

  private func names(_ kind: Candidates) throws(Failure) -> [String] {
    switch kind {
    case .scenarios: return try ScenarioLibrary([]).scenarios.map(\.id)
    case .rules:
      let rules = try Home.find().ruleBook().rules.map(\.id)
      return Set(rules.map(\.family)).sorted() + rules.map(\.description)
    case .tags: return Set(try ScenarioLibrary([]).scenarios.flatMap(\.tags)).sorted()
    case .clients:
      let own = try NamedClients.ofProject().all.map(\.name)
      return own + ["reference", "sdk"] + (Mutant.all + Mutant.subtle).map(\.name)
    case .languages: return AdapterTemplate.allCases.map(\.rawValue)
    case .settings:
      return try ProjectFile.find(RunSettings.inProjects)?.named.keys.sorted() ?? []
    }
  }
}
