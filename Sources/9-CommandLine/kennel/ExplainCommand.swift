import ClientInterface
import Commands
import Rules
import Scenario
import System

/// What `kennel explain` was asked for.
struct ExplainOptions {
  /// The id of a rule or of a scenario, or a word of the rules looked for.
  var subject: String
}

extension ExplainOptions {
  /// - Throws: `Failure.usage` unless there is exactly one operand.
  init(_ arguments: Arguments) throws(Failure) {
    guard let subject = arguments.operands.first, arguments.operands.count == 1 else {
      throw arguments.failure("explain needs one rule or scenario id, such as EVT-7")
    }
    self.subject = subject
  }

  static let grammar = Grammar(
    command: "kennel explain", operands: "RULE|INVARIANT|ID|WORD",
    summary: """
      Explains a rule of the specification, an invariant, or what a scenario is about. A word that is neither \
      lists the rules that have it in their id or title.
      """,
    options: [],
    notes: """
      Examples:
        kennel explain EVT-7
        kennel explain INV-40
        kennel explain priority
        kennel explain offline/writes-go-out-once-in-order

      \(ExitCode.help)
      """)
}

extension ExplainOptions: Command {
  /// Prints what is known of a rule or a scenario, or which rules a word may mean.
  func perform() throws(Failure) -> ExitCode {
    let subject = self.subject
    let book = try Home.find().ruleBook()
    if let id = RuleID(subject.uppercased()), let rule = book[id] {
      try Console.output(explanation(of: rule) + citations(of: id))
      return .success
    }
    if let invariant = Invariant.all.first(where: { $0.id == subject.uppercased() }) {
      try Console.output(explanation(of: invariant, book))
      return .success
    }
    guard subject.contains("/") else {
      try Console.output(try rules(about: subject, in: book))
      return .success
    }
    let library = try ScenarioLibrary([subject])
    try library.requireNoProblems()
    for scenario in library.scenarios {
      try Console.output(explanation(of: scenario, book))
    }
    return .success
  }
}

private func explanation(of scenario: Scenario, _ book: RuleBook) -> String {
  var text =
    "\(scenario.title)\n\(scenario.id), \(scenario.profiles.map(\.name).joined(separator: ", "))\n\n"
  for line in scenario.why.split(separator: "\n", omittingEmptySubsequences: false) {
    text += wrapped(String(line), width: 78, indent: "  ")
  }
  for reference in scenario.rules {
    guard let rule = RuleID(reference.id).flatMap({ book[$0] }) else { continue }
    text += "\nrule \(rule.id)  \(rule.title)\n"
    text += wrapped(rule.text, width: 78, indent: "  ")
  }
  text += "\nsteps:\n"
  for (index, step) in scenario.steps.enumerated() {
    text += "  \(index + 1)  \(step.text)\n"
  }
  return text + "at:  \(scenario.file)\n"
}

/// A line for each rule whose id or title contains a word, in capitals or not.
///
/// - Throws: `Failure.unusable` when there is none, and for the id of a deleted rule.
private func rules(about word: String, in book: RuleBook) throws(Failure) -> String {
  let isDeleted = RuleID(word.uppercased()).map(book.deleted.contains) ?? false
  let found = book.rules.filter { rule in
    [rule.id.description, rule.title].contains { $0.lowercased().contains(word.lowercased()) }
  }
  guard !isDeleted, !word.isEmpty, !found.isEmpty else { throw .unusable(noSuchRule(word, book)) }
  return found.map { "\($0.id)  \($0.title)\n" }.joined()
}

/// The scenarios that cite a rule, at most twelve of them; nothing when there are none.
///
/// Those of one file count once. A file with mistakes is left out, because the rule can be explained
/// all the same; `kennel check` tells the mistakes.
private func citations(of rule: RuleID) throws(Failure) -> String {
  let limit = 12
  var ids: [String] = []
  for scenario in try ScenarioLibrary([]).scenarios {
    let id = String(scenario.id.prefix { $0 != "[" })
    let isCited = scenario.rules.contains { $0.id == rule.description }
    if isCited, ids.last != id { ids.append(id) }
  }
  if ids.isEmpty { return "" }
  var text = "\nscenarios:\n" + ids.prefix(limit).map { "  \($0)\n" }.joined()
  if ids.count > limit { text += "  ... and \(ids.count - limit) more\n" }
  return text
}

private func noSuchRule(_ subject: String, _ book: RuleBook) -> String {
  if let id = RuleID(subject.uppercased()), book.deleted.contains(id) {
    return "rule \(id) was deleted; its id is never used again"
  }
  let suggestions = book.suggestions(for: subject).map { "\"\($0)\"" }
  let hint = suggestions.isEmpty ? "" : "; did you mean \(suggestions.joined(separator: " or "))?"
  return "there is no rule \"\(subject)\"" + hint
}

private func explanation(of invariant: Invariant, _ book: RuleBook) -> String {
  var text = "\(invariant.id)\nholds in every run, whatever a scenario expects\n\n"
  text += wrapped(invariant.sentence, width: 78, indent: "  ") + "\n"
  if let rule = RuleID(invariant.rule).flatMap({ book[$0] }) {
    text += "follows from \(explanation(of: rule))"
  } else {
    text += "follows from \(invariant.rule)\n"
  }
  return text
}

private func explanation(of rule: Rule) -> String {
  let scope = rule.profiles.isEmpty ? "all profiles" : rule.profiles.joined(separator: ", ")
  var text = "\(rule.id) \(rule.title)\n\(rule.level.rawValue), \(scope)\n\n"
  for line in rule.text.split(separator: "\n", omittingEmptySubsequences: false) {
    text += wrapped(String(line), width: 78, indent: "  ")
  }
  text += "\n"
  for difference in rule.differs { text += "differs: \(difference)\n" }
  text += "source:  \(rule.source)\n"
  text += "at:      \(rule.file):\(rule.line)\n"
  return text
}

/// The words of a line on as many lines as they need, each indented and ended by a line break.
private func wrapped(_ line: String, width: Int, indent: String) -> String {
  var text = ""
  var current = ""
  for word in line.split(separator: " ") {
    if !current.isEmpty, indent.count + current.count + 1 + word.count > width {
      text += indent + current + "\n"
      current = ""
    }
    current += (current.isEmpty ? "" : " ") + word
  }
  return text + (current.isEmpty ? "\n" : indent + current + "\n")
}
