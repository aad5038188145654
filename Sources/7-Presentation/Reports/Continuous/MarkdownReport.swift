internal import Conformance
public import KnownFailures
internal import Markup
internal import Text
internal import Trace
internal import Tree

/// Results as Markdown for the page of a job: counts, failures with their reports, known failures.
public enum MarkdownReport {
  /// How many reports on failures are shown in full; job pages are limited in size.
  static let reports = 20
  /// How many failures are named.
  static let rows = 200

  /// - Parameters:
  ///   - records: In the order in which they were run.
  ///   - header: What is reported of the run as a whole.
  ///   - warnings: Entries of the list of known failures that are about to expire.
  /// - Returns: the page.
  public static func text(
    of records: [RunRecord], _ header: RunHeader, warnings: [KnownFailures.Warning] = []
  ) -> String {
    let summary = Summary(of: records, left: header.left, seed: header.seed)
    let failed = records.filter { $0.outcome == .failed }
    let known = records.filter { $0.outcome == .known }
    let good = header.stop == nil ? "no divergence" : "not everything was run"
    let title = "Kennel: \(failed.isEmpty ? good : counted(failed))"
    var text = "## \(title)\n\n**\(summary.tally.line)**  \n\(summary.selection)  \n"
    if let stop = header.stop { text += "**\(plain(stop))**  \n" }
    text += "client \(code(header.client)), seed \(header.seed), kit \(plain(header.kit))\n\n"
    let groups = RecordGroup.groups(of: failed) { $0.failsLike($1) }
    let advised = RecordGroup.groups(of: records.filter { $0.outcome == .advised }) {
      $0.failsLike($1)
    }
    text += list(groups) + details(groups)
    if !advised.isEmpty {
      text += "### Advice\n\nWhat clients should do; none of it is a failure.\n\n"
      text += list(advised) + details(advised)
    }
    text += list(known: known)
    if !warnings.isEmpty {
      text +=
        "### About to expire\n\n" + warnings.map { "- \(plain($0.message))\n" }.joined() + "\n"
    }
    return text
  }

  private static func counted(_ failed: [RunRecord]) -> String {
    failed.count == 1 ? "1 run failed" : "\(failed.count) runs failed"
  }

  private static func list(_ failed: [RecordGroup]) -> String {
    if failed.isEmpty { return "" }
    let lines = failed.prefix(rows).map { group in
      let record = group.first
      return [
        code(record.scenario), group.names, record.knownStatus.word ?? record.verdict.rawValue,
        plain(record.message), record.rule ?? "", record.signature.map(code) ?? "",
      ]
    }
    let head = ["Scenario", "Profile", "Verdict", "What is wrong", "Rule", "Signature"]
    return Markdown.table(head, lines) + more(than: failed.count) + "\n"
  }

  private static func more(than count: Int) -> String {
    count > rows ? "\n... and \(count - rows) more\n" : ""
  }

  private static func details(_ failed: [RecordGroup]) -> String {
    failed.filter { !$0.first.text.isEmpty }.prefix(reports).map { group in
      "<details><summary>\(plain(group.first.scenario)) (\(group.names))</summary>\n\n"
        + Markdown.fenced(group.first.text, "text") + "\n</details>\n\n"
    }.joined()
  }

  private static func list(known: [RunRecord]) -> String {
    if known.isEmpty { return "" }
    let lines = known.prefix(rows).compactMap { record in
      record.knownStatus.entry.map { entry in
        [
          code(record.scenario), record.profile, entry.kind.rawValue, "\(entry.until)",
          plain(entry.issue),
        ]
      }
    }
    return "### Known failures\n\n"
      + Markdown.table(["Scenario", "Profile", "Kind", "Until", "Issue"], lines)
      + more(than: known.count) + "\n"
  }

  /// Text on one line in which nothing means anything.
  static func plain(_ text: String) -> String {
    Escaping.markdown(singleLine(text), also: "@")
  }

  /// Text as code on one line, also in a table.
  static func code(_ text: String) -> String { "<code>\(plain(text))</code>" }
}
