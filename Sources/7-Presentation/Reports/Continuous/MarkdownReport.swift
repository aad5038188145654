internal import Conformance
internal import Document
internal import Trace
internal import Tree

/// Results as Markdown for the page of a job: counts, failures with their reports, known failures.
public enum MarkdownReport {
  /// How many causes are explained by a report in full; job pages are limited in size.
  static let reports = 20
  /// How many failures of a cause are named, and how many known ones.
  static let rows = 200

  /// - Parameters:
  ///   - records: In the order in which they were run.
  ///   - header: What is reported of the run as a whole.
  ///   - warnings: Entries of the list of known failures that are about to expire.
  /// - Returns: the page.
  public static func text(
    of records: [RunRecord], _ header: RunHeader, warnings: [KnownFailures.Warning] = []
  ) -> String {
    let summary = Summary(of: records, left: header.left, seeds: header.seeds)
    let failed = records.filter { $0.outcome == .failed }
    let known = records.filter { $0.outcome == .known }
    let good = header.stop == nil ? "no divergence" : "not everything was run"
    let title = "Kennel: \(failed.isEmpty ? good : counted(failed))"
    var text = "## \(title)\n\n**\(summary.tally.line)**  \n\(summary.selection)  \n"
    if let stop = header.stop { text += "**\(plain(stop))**  \n" }
    text +=
      "client \(code(header.client)), \(seedWords(header.seeds)), kit \(plain(header.kit))\n\n"
    text += list(CauseGroup.groups(of: failed))
    let advised = records.filter { $0.outcome == .advised }
    if !advised.isEmpty {
      text += "### Advice\n\nWhat clients should do; none of it is a failure.\n\n"
      text += list(CauseGroup.groups(of: advised))
    }
    text += list(known: known)
    return text
      + list(warnings.filter { $0.entry.mismatch != nil }, under: "Known failures of no scenario")
      + list(warnings.filter { $0.entry.mismatch == nil }, under: "About to expire")
  }

  private static func list(_ warnings: [KnownFailures.Warning], under title: String) -> String {
    if warnings.isEmpty { return "" }
    return "### \(title)\n\n" + warnings.map { "- \(plain($0.message))\n" }.joined() + "\n"
  }

  private static func counted(_ failed: [RunRecord]) -> String {
    failed.count == 1 ? "1 run failed" : "\(failed.count) runs failed"
  }

  /// Each cause with one report that explains it, and the runs that it failed.
  private static func list(_ causes: [CauseGroup]) -> String {
    causes.enumerated().map { index, cause in
      let head = "### \(code(cause.cause)): \(cause.extent)\n\n"
      let explanation = index < reports ? cause.groups.first.map(details) ?? "" : ""
      return head + list(cause.groups) + explanation
    }.joined()
  }

  private static func list(_ failed: [RecordGroup]) -> String {
    let lines = failed.prefix(rows).map { group in
      let record = group.first
      return [
        code(record.scenario), group.names, record.knownStatus.word ?? record.verdict.rawValue,
        plain(record.message), record.namedRule ?? "", record.signature.map(code) ?? "",
      ]
    }
    let head = ["Scenario", "Profile", "Verdict", "What is wrong", "Rule", "Signature"]
    return Markdown.table(head, lines) + more(than: failed.count) + "\n"
  }

  private static func more(than count: Int) -> String {
    count > rows ? "\n... and \(count - rows) more\n" : ""
  }

  private static func details(_ group: RecordGroup) -> String {
    if group.first.text.isEmpty { return "" }
    return "<details><summary>\(plain(group.first.scenario)) (\(group.names))</summary>\n\n"
      + Markdown.fenced(group.first.text, "text") + "\n</details>\n\n"
  }

  private static func list(known: [RunRecord]) -> String {
    if known.isEmpty { return "" }
    let groups = RecordGroup.groups(of: known) { $0.knownStatus == $1.knownStatus }
    let lines = groups.prefix(rows).compactMap { group in
      group.first.knownStatus.entry.map { entry in
        [
          code(group.first.scenario), group.names, entry.kind.rawValue,
          entry.until?.description ?? "",
          plain(entry.issue ?? entry.note ?? ""),
        ]
      }
    }
    return "### Known failures\n\n"
      + Markdown.table(["Scenario", "Profile", "Kind", "Until", "Issue"], lines)
      + more(than: groups.count) + "\n"
  }

  /// Text on one line in which nothing means anything.
  static func plain(_ text: String) -> String {
    Escaping.markdown(singleLine(text), also: "@")
  }

  /// Text as code on one line, also in a table.
  static func code(_ text: String) -> String { "<code>\(plain(text))</code>" }
}
