import Commands
import Glibc
import KnownFailures
import Reports
import System
import WebPages

/// The reports that are written besides what is printed.
struct ReportOptions {
  /// The forms that are written to files, in the order in which they are written.
  enum Form: String, CaseIterable {
    case junit, tap, jsonl, markdown, html
  }

  /// The file of each form that was asked for.
  var files: [Form: String] = [:]
  /// Whether failures are printed as annotations of a GitHub workflow.
  var annotates = false
}

extension ReportOptions {
  static let grammar: [Grammar.Option] = [
    .init(name: "junit", value: "FILE", summary: "Write a report in JUnit's XML into FILE."),
    .init(name: "tap", value: "FILE", summary: "Write a report in TAP 14 into FILE."),
    .init(
      name: "jsonl", value: "FILE",
      summary: "Write a report as lines of JSON into FILE, for 'kennel diff' and 'kennel badge'."),
    .init(
      name: "markdown", value: "FILE",
      summary: "Write a summary in Markdown into FILE, such as $GITHUB_STEP_SUMMARY."),
    .init(
      name: "html", value: "FILE",
      summary: "Write a report to look at in a browser into FILE, with every run and its picture."),
    .init(
      name: "github",
      summary: "Print failures as annotations of a GitHub workflow, at their lines."),
  ]

  init(_ arguments: Arguments) throws(Failure) {
    for form in Form.allCases {
      guard let file = arguments.value(of: form.rawValue) else { continue }
      if let other = Form.allCases.first(where: { files[$0] == file }) {
        throw arguments.failure("--\(other.rawValue) and --\(form.rawValue) name the same file")
      }
      files[form] = file
    }
    annotates = arguments.contains("github")
  }

  var isEmpty: Bool { files.isEmpty && !annotates }

  /// Makes sure that all files can be written, before anything is run.
  ///
  /// - Throws: `Failure.output` for one that cannot.
  func prepare() throws(Failure) {
    for form in Form.allCases {
      if let file = files[form] { try Files.write("", to: file) }
    }
  }

  /// Writes the files.
  ///
  /// - Throws: `Failure.output` for one that cannot be written.
  func write(
    _ records: [RunRecord], _ header: RunHeader, _ summary: Summary,
    warnings: [KnownFailures.Warning]
  ) throws(Failure) {
    for form in Form.allCases {
      guard let file = files[form] else { continue }
      let text =
        switch form {
        case .junit: JUnitReport.text(of: records, header)
        case .tap: TAPReport.text(of: records, header)
        case .jsonl: records.map(\.line).joined() + summary.json
        case .html: ReportPage([ReportColumn(name: header.client, records)]).html
        case .markdown: MarkdownReport.text(of: records, header, warnings: warnings)
        }
      try Files.write(text, to: file)
    }
  }

  /// The annotations; empty when nobody asked for them.
  func annotations(
    _ records: [RunRecord], stop: String?, warnings: [KnownFailures.Warning]
  ) -> String {
    guard annotates else { return "" }
    let root = getenv("GITHUB_WORKSPACE").map { String(cString: $0) }
    let current = try? Files.currentDirectory()
    let places = Whereabouts(home: root ?? current, current: current)
    return Annotations.text(of: records, stop: stop, warnings: warnings, name: places.name)
  }
}
