import Glibc
package import KnownFailures
package import Reports
package import Rules
package import System
import Text
import WebPages

/// The reports that are written besides what is printed.
package struct ReportFiles {
  /// The forms that are written to files, in the order in which they are written.
  package enum Form: String, CaseIterable {
    case junit, tap, jsonl, markdown, html
  }

  /// The file of each form that was asked for.
  package var files: [Form: String] = [:]
  /// Whether failures are printed as annotations of a GitHub workflow.
  package var annotates = false

  package init() {}
}

extension ReportFiles {
  /// Makes sure that all files can be written, before anything is run.
  ///
  /// - Throws: `Failure.output` for one that cannot.
  package func prepare() throws(Failure) {
    for form in Form.allCases {
      if let file = files[form] { try Files.write("", to: file) }
    }
  }

  /// Writes the files.
  ///
  /// - Throws: `Failure.output` for one that cannot be written.
  package func write(
    _ records: [RunRecord], _ header: RunHeader, _ summary: Summary, _ rules: RuleBook,
    warnings: [KnownFailures.Warning]
  ) throws(Failure) {
    for form in Form.allCases {
      guard let file = files[form] else { continue }
      let text =
        switch form {
        case .junit: JUnitReport.text(of: records, header)
        case .tap: TAPReport.text(of: records, header)
        case .jsonl: records.map(\.line).joined() + summary.json
        case .html: page(of: records, header, rules)
        case .markdown: MarkdownReport.text(of: records, header, warnings: warnings)
        }
      try Files.write(text, to: file)
    }
  }

  /// A page about these runs. Its date is the one that was given with `--today`.
  private func page(of records: [RunRecord], _ header: RunHeader, _ rules: RuleBook) -> String {
    let words = Array(CommandLine.arguments.dropFirst())
    let date = words.firstIndex(of: "--today").flatMap { words.dropFirst($0 + 1).first }
    let command = (["kennel"] + words).map(shellWord).joined(separator: " ")
    return ReportPage(
      [ReportColumn(name: header.client, records)],
      ReportHeader(header, command: command, date: date, rules: rules)
    ).html
  }

  /// The annotations; empty when they were not requested.
  package func annotations(
    _ records: [RunRecord], stop: String?, warnings: [KnownFailures.Warning]
  ) -> String {
    guard annotates else { return "" }
    let root = getenv("GITHUB_WORKSPACE").map { String(cString: $0) }
    let current = try? Files.currentDirectory()
    let display = PathDisplay(home: root ?? current, current: current)
    return Annotations.text(of: records, stop: stop, warnings: warnings, name: display.name)
  }
}
