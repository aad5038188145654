import Commands
import Invariants
import Reports
import Rules
import Scenario
import System
import Workspace

/// The command `kennel explain`.
struct ExplainCommand: Command {
  /// The ids of rules or of scenarios, or words of the rules looked for.
  var subjects: [String] = []

  static let grammar = Grammar(
    command: "kennel explain", operands: "RULE|INVARIANT|ID|WORD...",
    summary: """
      Explains a rule of the specification, an invariant, or what a scenario is about. For any \
      other word, it lists the rules that contain the word in their id, title or text, and the \
      terms of the glossary; 'glossary' lists all terms.
      """,
    notes: """
      Examples:
        kennel explain EVT-7
        kennel explain INV-40
        kennel explain priority
        kennel explain offline/writes-go-out-once-in-order
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    subjects = try arguments.someOperands(
      else: "explain needs a rule or scenario id, such as EVT-7")
  }

  /// Prints what is known of a rule or a scenario, or which rules a word may mean.
  func perform() throws(Failure) -> ExitCode {
    let home = try Home.find()
    let book = try home.ruleBook()
    let (explanation, glossary) =
      (RuleExplanation(from: book, fileName: home.name), try home.glossary())
    for (number, subject) in subjects.enumerated() {
      let text = try text(about: subject, explanation, book, glossary)
      try Console.output((number > 0 ? "\n" : "") + text)
    }
    return .success
  }

  private func text(
    about subject: String, _ explanation: RuleExplanation, _ book: RuleBook, _ glossary: Glossary
  ) throws(Failure) -> String {
    if let rule = RuleID(subject.uppercased()).flatMap({ book[$0] }) {
      // A file with mistakes is left out, because the rule can be explained all the same.
      return explanation.text(of: rule, citedBy: try ScenarioLibrary([]).scenarios)
    }
    if let invariant = Invariant.all.first(where: { $0.id == subject.uppercased() }) {
      return explanation.text(of: invariant, doubts: invariant.doubts.map(\.text))
    }
    if subject.contains("/") {
      let library = try ScenarioLibrary([subject])
      try library.requireNoProblems()
      return library.scenarios.map { explanation.text(of: $0) }.joined()
    }
    let found = (explanation.rules(about: subject) ?? "") + glossary.text(about: subject)
    if found.isEmpty { throw .unusable(explanation.noSuchRule(subject)) }
    return found
  }
}
