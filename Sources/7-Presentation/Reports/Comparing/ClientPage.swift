internal import Conformance
internal import Document
public import Scenario

/// A page about one client, from a report of all scenarios: what came of them by families of rules,
/// and each failure with its rule, its cause and its class, as a list of known failures has them.
public struct ClientPage {
  private let name: String
  private let report: ReportFile
  private let rules: RuleBook

  /// - Parameters:
  ///   - name: The client with its version, and the day of the report.
  ///   - report: What was run.
  ///   - rules: Have the titles of rules.
  public init(_ name: String, _ report: ReportFile, rules: RuleBook = RuleBook(files: [])) {
    (self.name, self.report, self.rules) = (name, report, rules)
  }

  /// The page.
  public var markdown: String {
    let profiles = Set(report.runs.map(\.profile)).sorted().map(Markdown.code)
    let counts =
      "\(report.passed) passed, \(report.known + report.failed) failed"
      + " (\(report.known) of them known), \(report.skipped) skipped"
    let origin = report.origin.isEmpty ? "" : report.origin.joined(separator: ", ").markup + ".\n\n"
    return "# \(name.markup)\n\nProfile \(profiles.joined(separator: ", ")): \(counts).\n\n"
      + origin
      + "## By families of rules\n\nA scenario counts in each family of which it cites a rule.\n\n"
      + families + failures
  }

  // Families

  private var families: String {
    let cited = report.runs.flatMap { run in
      ReportFile.families(of: run.rules).map { ($0, run) }
    }
    let rows = Dictionary(grouping: cited) { $0.0 }.sorted { $0.key < $1.key }.map { family, runs in
      let verdicts = runs.map { $0.1.verdict }
      return [family]
        + [Verdict.Count.passed, .failed, .skipped].map { kind in
          "\(verdicts.count { $0.count == kind })"
        } + ["\(verdicts.count { $0.rawValue == "advice" })"]
    }
    return Markdown.table(["Family", "Passed", "Failed", "Skipped", "Passed with advice"], rows)
  }

  // Failures

  private var failures: String {
    let failing = report.runs.filter(\.fails)
    if failing.isEmpty { return "" }
    // Failures of one cause are one row, where the first of them is.
    let rows = failing.grouped { $0.note ?? $0.sentence }.map { runs in
      [
        (runs[0].note ?? runs[0].sentence).markup, Self.list(runs.compactMap(\.rule).map(title)),
        Self.list(runs.map(Self.kind)),
        Self.list(runs.map { Markdown.code($0.scenario) }),
      ]
    }
    return "\n## Failures\n\n" + Markdown.table(["Cause", "Rule", "Class", "Scenarios"], rows)
  }

  /// A rule with its title.
  private func title(_ rule: String) -> String {
    rule + (RuleID(rule).flatMap { rules[$0] }.map { " " + $0.title.markup } ?? "")
  }

  /// Its class, which leads to where it is written down.
  private static func kind(of run: ReportFile.Run) -> String {
    guard run.isKnown else { return "new" }
    return run.issue.map { "[\(run.kind ?? "known")](<\($0)>)" } ?? run.kind ?? ""
  }

  /// Each word once, in the order of the first.
  private static func list(_ words: [String]) -> String {
    words.unique().joined(separator: ", ")
  }
}

extension String {
  /// As text in a cell of a table.
  fileprivate var markup: String {
    split(whereSeparator: \.isNewline).joined(separator: " ")
      .reduce(into: "") { text, letter in
        if "|<*_`[\\".contains(letter) { text.append("\\") }
        text.append(letter)
      }
  }
}
