import ClientInterface
import Conformance
import Document
package import Scenario

/// Explains rules, invariants and scenarios in words.
package struct RuleExplanation {
  private let book: RuleBook
  private let fileName: (String) -> String

  /// - Parameters:
  ///   - book: The rules of the specification.
  ///   - fileName: How the files of the book are named where this is read.
  package init(from book: RuleBook, fileName: @escaping (String) -> String = { $0 }) {
    self.book = book
    self.fileName = fileName
  }

  /// How many scenarios are named that cite a rule.
  private static let citationLimit = 12

  /// A rule, and which scenarios cite it; those of one file count once.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - scenarios: All scenarios that there are.
  /// - Returns: Lines, each ended by a line break.
  package func text(of rule: Rule, citedBy scenarios: [Scenario]) -> String {
    statement(of: rule) + Self.citations(of: rule.id, in: scenarios)
  }

  private func statement(of rule: Rule) -> String {
    let scope = rule.profiles.isEmpty ? "all profiles" : rule.profiles.joined(separator: ", ")
    var text = "\(rule.id) \(rule.title)\n\(rule.force), \(scope)\n\n"
    for line in rule.text.split(separator: "\n", omittingEmptySubsequences: false) {
      text += indented(String(line))
    }
    text += "\n"
    for difference in rule.differs { text += "differs: \(difference)\n" }
    text += "source:  \(rule.source)\n"
    text += "at:      \(fileName(rule.file)):\(rule.line)\n"
    return text
  }

  private static func citations(of rule: RuleID, in scenarios: [Scenario]) -> String {
    let cited = scenarios.filter { $0.rules.contains { $0.id == rule.description } }
    let ids = cited.map { String($0.id.prefix { $0 != "[" }) }.unique()
    if ids.isEmpty { return "" }
    var text = "\nscenarios:\n" + ids.prefix(citationLimit).map { "  \($0)\n" }.joined()
    if ids.count > citationLimit { text += "  ... and \(ids.count - citationLimit) more\n" }
    return text
  }

  /// What an invariant demands, and the rule that it follows from. `doubts` are the reasons for which
  /// it is not judged although it concerns what happens.
  package func text(of invariant: Invariant, doubts: [String]) -> String {
    var text = "\(invariant.id)\nholds in every run, whatever a scenario expects\n\n"
    text += indented(invariant.sentence) + "\n"
    if let rule = RuleID(invariant.rule).flatMap({ book[$0] }) {
      text += "follows from \(statement(of: rule))"
    } else {
      text += "follows from \(invariant.rule)\n"
    }
    if doubts.isEmpty { return text }
    return text + "\nit says nothing where:\n" + doubts.map { "  \($0)\n" }.joined()
  }

  /// What a scenario is about, with its rules and steps.
  package func text(of scenario: Scenario) -> String {
    var text =
      "\(scenario.title)\n\(scenario.id), \(scenario.profiles.map(\.name).joined(separator: ", "))\n\n"
    for line in scenario.why.split(separator: "\n", omittingEmptySubsequences: false) {
      text += indented(String(line))
    }
    for reference in scenario.rules {
      guard let rule = RuleID(reference.id).flatMap({ book[$0] }) else { continue }
      text += "\nrule \(rule.id)  \(rule.title)\n"
      text += indented(rule.text)
    }
    text += "\nsteps:\n"
    for (index, step) in scenario.steps.enumerated() {
      text += "  \(index + 1)  \(step.text)\n"
    }
    return text + "at:  \(scenario.file)\n"
  }

  /// A line for each rule whose id, title or text contains a word, in capitals or not: first those
  /// that have it in the title. nil when there is none, and for the id of a deleted rule.
  package func rules(about word: String) -> String? {
    let isDeleted = RuleID(word.uppercased()).map(book.deleted.contains) ?? false
    let word = word.lowercased()
    let titled = book.rules.filter { "\($0.id) \($0.title)".lowercased().contains(word) }
    let found =
      titled
      + book.rules.filter { rule in
        rule.text.lowercased().contains(word) && !titled.contains { $0.id == rule.id }
      }
    guard !isDeleted, !word.isEmpty, !found.isEmpty else { return nil }
    return found.map { "\($0.id)  \($0.title)\n" }.joined()
  }

  /// Why no rule is meant by a word.
  package func noSuchRule(_ subject: String) -> String {
    if let id = RuleID(subject.uppercased()), book.deleted.contains(id) {
      return "rule \(id) was deleted; its id is never used again"
    }
    let ids = book.suggestions(for: subject).map(\.description)
    let words = book.rules.flatMap { rule in
      rule.title.lowercased().split { !$0.isLetter }.filter { $0.count > 4 }.map(String.init)
    }
    let suggestions = (ids.isEmpty ? Array(closestMatches(to: subject, in: words).prefix(1)) : ids)
      .map { "\"\($0)\"" }
    return "there is no rule \"\(subject)\""
      + didYouMean(
        suggestions, orElse: "; a word such as \"priority\" finds the rules that have it")
  }
}

/// The words of a line on as many lines as they need, each indented and ended by a line break.
private func indented(_ line: String) -> String {
  let lines = line.wrapped(to: 76, cut: { word, _ in word })
  return lines.isEmpty ? "\n" : lines.map { "  " + $0 + "\n" }.joined()
}

/// The terms of `Specs/glossary.md`.
package struct Glossary {
  private struct Entry {
    var term: String
    var meaning: String
    /// The words that are not used for it.
    var others: String
  }

  private var entries: [Entry] = []

  /// Reads the rows of the table: the term, its meaning, and words that are not used for it.
  package init(_ text: String) {
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { trimmedEnd(String($0.drop { $0 == " " })) }
      guard cells.count >= 4, cells[1] != "Term" else { continue }
      entries.append(Entry(term: cells[1], meaning: cells[2], others: cells[3]))
    }
  }

  /// The terms that a word is part of, or that are used in its place, with their meanings; all terms
  /// for the word `glossary`.
  package func text(about word: String) -> String {
    let word = word.lowercased()
    let found = entries.filter {
      word == "glossary" || "\($0.term) \($0.others)".lowercased().contains(word)
    }
    return found.map { entry in
      "\(entry.term)\n"
        + entry.meaning.wrapped(to: 76, cut: { word, _ in word })
        .map { "  \($0)\n" }.joined()
    }.joined()
  }
}
