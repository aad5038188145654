import AdapterSessions
import Commands
import Mutants
import Rules
import Scenario
import System
import Workspace

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
    case .clients: return ["reference", "sdk"] + (Mutant.all + Mutant.subtle).map(\.name)
    case .languages: return AdapterTemplate.allCases.map(\.rawValue)
    }
  }
}
