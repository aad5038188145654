internal import Rules
internal import Text
internal import Trace

extension Coverage {
  /// The report for a terminal; ends with a line feed. The last line counts what must be tested.
  public var text: String {
    var lines = [overview, ""]
    lines += table.lines + [""]
    lines += matrixLines + [""]
    for section in sections where !section.rows.isEmpty {
      lines += ["\(section.title): \(section.rows.count)"]
      lines += indented(section.rows) + [""]
    }
    return (lines + [lastLine]).map { ascii($0) + "\n" }.joined()
  }

  /// `765 runs of 269 scenarios passed`, and what did not.
  var overview: String {
    let tally = runs.tally
    let count = tally.passed + tally.failed + tally.skipped
    var text = "\(counted(count, "run")) of \(counted(runs.scenarios, "scenario"))"
    text += ": \(tally.passed) passed"
    if tally.failed > 0 { text += ", \(tally.failed) failed and prove nothing" }
    if tally.skipped > 0 { text += ", \(tally.skipped) skipped" }
    return text
  }

  var lastLine: String { "\(tally(.must).text) MUST rules tested" }

  /// The titles of the columns, then a row for each level.
  var tableRows: [[String]] {
    [["level", "rules"] + Rule.profileNames]
      + Rule.Level.allCases.map { level in
        [level.rawValue, tally(level).text]
          + Rule.profileNames.map { tally(level, in: $0).text }
      }
  }

  private var table: TextTable {
    var columns = TextTable(tableRows[0].map { _ in .left })
    for row in tableRows { columns.append(row) }
    return columns
  }

  private var matrixLines: [String] {
    rows.filter { !$0.scenarios.isEmpty }.flatMap { row -> [String] in
      let scenarios = row.scenarios.joined(separator: " ").wrapped(to: TextReport.width - 4)
      return ["\(row.rule.id)  \(row.rule.force)  \(row.rule.title)"]
        + scenarios.map { "    " + $0 }
    }
  }

  private func indented(_ rows: [[String]]) -> [String] {
    var columns = TextTable(rows[0].map { _ in .left })
    for row in rows { columns.append(row) }
    return columns.lines.map { "  " + $0 }
  }

  /// A list with a title and the titles of its columns.
  struct Section {
    var title: String
    var columns: [String]
    var rows: [[String]]
  }

  /// Everything that deserves a list of its own.
  var sections: [Section] {
    [
      Section(
        title: "rules tested otherwise", columns: ["rule", "level", "by", "title"],
        rows: testedOtherwise.map {
          ["\($0.rule.id)", $0.rule.force, $0.rule.tested.rawValue, $0.rule.title]
        }),
      Section(
        title: "rules without a scenario", columns: ["rule", "level", "title", "at"],
        rows: untested.map {
          let location = "\($0.rule.file):\($0.rule.line)"
          return ["\($0.rule.id)", $0.rule.force, $0.rule.title, location]
        }),
    ]
      + Rule.profileNames.map { profile in
        Section(
          title: "MUST rules without a scenario in \(profile)", columns: ["rule", "title"],
          rows: untested(in: profile).map { ["\($0.rule.id)", $0.rule.title] })
      } + [
        Section(
          title: "scenarios without a rule", columns: ["scenario"],
          rows: scenariosWithoutRule.map { [$0] }),
        Section(
          title: "sources without a rule",
          columns: ["document", "heading", "line of Specs/sources.md"],
          rows: sourcesWithoutRule.map { [$0.document, $0.heading, "\($0.line)"] }),
      ]
  }
}

extension Rule {
  /// `MUST`, or `MUST of servers` where it binds no client.
  var force: String { binds == .server ? "\(level.rawValue) of servers" : level.rawValue }
}
