import Commands
import Runs
import System

/// The command `kennel report`.
struct ReportPageCommand: Command {
  /// The page in HTML that is written.
  var html: String?
  /// The page in Markdown about one client.
  var markdown: String?
  /// At least one: `NAME=REPORT` or `REPORT`.
  var sources: [String] = []

  static var options: [Option<Self>] {
    [
      .value("html", "FILE", \.html, .text, "Write the page to FILE."),
      .value(
        "markdown", "FILE", \.markdown, .text,
        "Write a page about the client of one report: families of rules, and causes of failures."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel report", operands: "[NAME=]REPORT...",
    summary: """
      Writes a page with the verdicts of several implementations side by side: a row for each \
      scenario, a column for each report; or one about a single client. A REPORT is what 'kennel run --jsonl' wrote;  \
      NAME is the title of its column (default: the name of the file).
      """,
    notes: """
      Specs/guides/pictures.md describes the page. 'kennel run --html FILE' writes one about a single run, \
      with the events and the picture of each scenario.

      Examples:
        kennel report ours=ours.jsonl theirs=theirs.jsonl --html report.html
        kennel report 'Client 2.0, 2026-11-22=report.jsonl' --markdown client.md
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    sources = try arguments.someOperands(else: "report needs reports in lines of JSON")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if html == nil, markdown == nil {
      throw arguments.failure("where to? report needs --html FILE or --markdown FILE")
    }
    if markdown != nil, sources.count > 1 {
      throw arguments.failure("--markdown writes about one client, but there are several reports")
    }
  }

  /// Writes the page.
  func perform() throws(Failure) -> ExitCode {
    try ComparedReports(sources).write(html: html, markdown: markdown)
    return .success
  }
}
