internal import Rules

extension Coverage {
  /// The report as a page; ends with a line feed.
  public var markdown: String {
    var lines = ["# Coverage", "", overview + ". " + lastLine + ".", ""]
    lines += Self.table(tableRows) + [""]
    for section in sections where !section.rows.isEmpty {
      let title = section.title.prefix(1).uppercased() + section.title.dropFirst()
      lines += ["## \(title)", ""] + Self.table([section.columns] + section.rows) + [""]
    }
    lines += ["## Rules and their scenarios", ""]
    lines += Self.table(
      [["rule", "level", "title", "scenarios"]]
        + rows.filter { !$0.scenarios.isEmpty }.map { row in
          let scenarios = row.scenarios.map { "`\($0)`" }.joined(separator: " ")
          return ["\(row.rule.id)", row.rule.level.rawValue, row.rule.title, scenarios]
        })
    return lines.map { $0 + "\n" }.joined()
  }

  private static func table(_ rows: [[String]]) -> [String] {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    let ruler = "|" + rows[0].map { _ in "---|" }.joined()
    let lines = rows.map { line($0.map { $0.replacing("|", with: "\\|") }) }
    return [lines[0], ruler] + lines.dropFirst()
  }
}
