import Rules

/// What `kennel explain` was asked for.
struct ExplainOptions {
  /// The id of a rule or of a scenario.
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
    command: "kennel explain", operands: "RULE|ID",
    summary: """
      Explains a rule of the specification, or what a scenario is about.
      """,
    options: [],
    notes: """
      Examples:
        kennel explain EVT-7
        kennel explain writes/reconnect-resends-pending

      \(ExitCode.help)
      """)
}

/// Prints what is known of a rule.
func run(_ options: ExplainOptions) throws(Failure) -> ExitCode {
  let subject = options.subject
  guard !subject.contains("/") else {
    throw .fault("explaining scenarios is not available in this build yet")
  }
  let book = try Home.find().ruleBook()
  guard let id = RuleID(subject.uppercased()), let rule = book[id] else {
    throw .unusable(noSuchRule(subject, book))
  }
  try Console.output(explanation(of: rule))
  return .success
}

private func noSuchRule(_ subject: String, _ book: RuleBook) -> String {
  if let id = RuleID(subject.uppercased()), book.deleted.contains(id) {
    return "rule \(id) was deleted; its id is never used again"
  }
  let suggestions = book.suggestions(for: subject).map { "\"\($0)\"" }
  let hint = suggestions.isEmpty ? "" : "; did you mean \(suggestions.joined(separator: " or "))?"
  return "there is no rule \"\(subject)\"" + hint
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
