import Commands
import Reports
import Rules
import Scenario
import System
import Workspace

/// What `kennel explain` was asked for.
struct ExplainOptions: Command {
  /// The id of a rule or of a scenario, or a word of the rules looked for.
  var subject: String

  /// - Throws: `Failure.usage` unless there is exactly one operand.
  init(_ arguments: Arguments) throws(Failure) {
    subject = try arguments.onlyOperand(
      else: "explain needs one rule or scenario id, such as EVT-7")
  }

  static let grammar = Grammar(
    command: "kennel explain", operands: "RULE|INVARIANT|ID|WORD",
    summary: """
      Explains a rule of the specification, an invariant, or what a scenario is about. For any \
      other word, it lists the rules that contain the word in their id, title or text.
      """,
    options: [],
    notes: """
      Examples:
        kennel explain EVT-7
        kennel explain INV-40
        kennel explain priority
        kennel explain offline/writes-go-out-once-in-order

      \(ExitCode.helpWithoutVerdicts)
      """)

  /// Prints what is known of a rule or a scenario, or which rules a word may mean.
  func perform() throws(Failure) -> ExitCode {
    let book = try Home.find().ruleBook()
    try Console.output(try text(RuleExplanation(from: book), book))
    return .success
  }

  private func text(_ explanation: RuleExplanation, _ book: RuleBook) throws(Failure) -> String {
    if let rule = RuleID(subject.uppercased()).flatMap({ book[$0] }) {
      // A file with mistakes is left out, because the rule can be explained all the same.
      return explanation.text(of: rule, citedBy: try ScenarioLibrary([]).scenarios)
    }
    if let invariant = Invariant.all.first(where: { $0.id == subject.uppercased() }) {
      return explanation.text(of: invariant)
    }
    if subject.contains("/") {
      let library = try ScenarioLibrary([subject])
      try library.requireNoProblems()
      return library.scenarios.map { explanation.text(of: $0) }.joined()
    }
    guard let rules = explanation.rules(about: subject) else {
      throw .unusable(explanation.noSuchRule(subject))
    }
    return rules
  }
}
