internal import Markup
internal import Rules

extension Coverage {
  /// The report as a page; ends with a line feed.
  public var markdown: String {
    var lines = ["# Coverage", "", overview + ". " + lastLine + ".", ""]
    lines.append(Self.table(tableRows))
    for section in sections where !section.rows.isEmpty {
      let title = section.title.prefix(1).uppercased() + section.title.dropFirst()
      lines += ["## \(title)", "", Self.table([section.columns] + section.rows)]
    }
    lines += ["## Rules and their scenarios", ""]
    let cited = rows.filter { !$0.scenarios.isEmpty }.map { row in
      let scenarios = row.scenarios.map { "`\($0)`" }.joined(separator: " ")
      return ["\(row.rule.id)", row.rule.level.rawValue, row.rule.title, scenarios]
    }
    return lines.map { $0 + "\n" }.joined()
      + Self.table([["rule", "level", "title", "scenarios"]] + cited)
  }

  /// The first row is the head.
  private static func table(_ rows: [[String]]) -> String {
    let cells = rows.map { $0.map { $0.replacing("|", with: "\\|") } }
    return Markdown.table(cells[0], cells.dropFirst())
  }
}
