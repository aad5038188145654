import Commands
import Document
import Hunting
import Reports
import Runs
import System
import Trace

/// The command `kennel report`.
struct ReportPageCommand: Command {
  var html: String?
  var markdown: String?
  var badges: String?
  /// At least one: `NAME=REPORT` or `REPORT`.
  var sources: [String] = []

  static var options: [Option<Self>] {
    [
      .value("html", "FILE", \.html, .text, "Write the page to FILE."),
      .value(
        "markdown", "FILE", \.markdown, .text,
        "Write a page about the client of one report: families of rules, and causes of failures."),
      .value("badges", "DIR", \.badges, .text, "Write a badge of each report to DIR/NAME.svg."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel report", operands: "[NAME=]REPORT...",
    summary: """
      Writes a page with the verdicts of several implementations side by side: how much passed of each \
      family of rules, and each scenario, with a column for each report; or one about a single client. A REPORT is what 'kennel run --jsonl' wrote;  \
      NAME is the title of its column (default: the name of the file).
      """,
    notes: """
      Specs/guides/pictures.md describes the page. 'kennel run --html FILE' writes one about a single run, \
      with the events and the picture of each scenario.

      Examples:
        kennel report ours=ours.jsonl theirs=theirs.jsonl --html report.html --badges badges
        kennel report 'Client 2.0, 2026-11-22=report.jsonl' --markdown client.md
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    sources = try arguments.someOperands(else: "report needs reports in lines of JSON")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if html == nil, markdown == nil, badges == nil {
      throw arguments.failure(
        "where to? report needs --html FILE, --markdown FILE or --badges DIR")
    }
    if markdown != nil, sources.count > 1 {
      throw arguments.failure("--markdown writes about one client, but there are several reports")
    }
  }

  /// Writes the page.
  func perform() throws(Failure) -> ExitCode {
    try ComparedReports(sources).write(html: html, markdown: markdown, badges: badges)
    return .success
  }
}

/// The command `kennel report merge`.
struct MergeCommand: Command {
  /// The directories with results.
  var sources: [String] = []
  var output: String?

  static let oldNames = ["merge"]

  static var options: [Option<Self>] {
    [
      .value(
        "output", "PATH", \.output, .text, letter: "o",
        "Write the results into a directory, or the combined report into a file.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel report merge", operands: "DIR... | REPORT...",
    summary: """
      Combines the results of several hunts, by kind of failure. Seeds that were run more than \
      once count once, and must have had the same result everywhere.

      With files it puts together the reports that 'kennel run --shard K/N --jsonl FILE' wrote.
      """,
    notes: """
      Examples:
        kennel report merge results-1 results-2
        kennel report merge results-1 results-2 -o results
        kennel report merge part-1.jsonl part-2.jsonl -o report.jsonl
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    sources = try arguments.someOperands(else: "which results? name directories or reports")
  }

  /// Merges results.
  func perform() throws(Failure) -> ExitCode {
    if sources.allSatisfy({ Files.exists($0) && !Files.isDirectory($0) }) {
      return try mergeReports()
    }
    let merged = try MergedResults(of: sources)
    if let output { try merged.write(to: output) }
    let report = HuntReport(of: merged.results) { finding in
      let copy = output.map { ResultsFolder.file(of: finding.signature, in: $0) }
      return (copy ?? merged.bestFiles(of: finding).first).map(ResultsFolder.evidence) ?? []
    }
    try Console.output(report.text())
    return merged.results.findings.isEmpty ? .success : .divergence
  }

  private func mergeReports() throws(Failure) -> ExitCode {
    let merged = try MergedReport(files: sources)
    if let output { try Files.write(merged.text, to: output) }
    try Console.output(merged.tally.line + "\n")
    return merged.tally.exitCode
  }
}

/// The command `kennel report diff`.
struct DiffCommand: Command {
  var old = ""
  var new = ""
  var format = DocumentFormat.text

  static let oldNames = ["diff"]

  static var options: [Option<Self>] {
    [.format(\.format)]
  }

  static let grammar = Grammar(
    command: "kennel report diff", operands: "OLD NEW",
    summary: """
      Compares two reports (JSON lines): new failures, corrected failures, failures that changed, \
      and scenarios that were added or removed.
      """,
    notes: """
      The exit code is 1 if there is a new or changed failure that no list of known failures \
      contains.

      Examples:
        kennel report diff main.jsonl branch.jsonl
        kennel report diff main.jsonl branch.jsonl --format markdown
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    guard arguments.operands.count == 2 else {
      throw arguments.failure("diff needs two reports that 'kennel run --jsonl FILE' wrote")
    }
    (old, new) = (arguments.operands[0], arguments.operands[1])
  }

  /// Reports what two reports do not have in common.
  func perform() throws(Failure) -> ExitCode {
    let difference = ReportDifference(
      from: try ReportFile(at: old), to: try ReportFile(at: new))
    switch format {
    case .text: try Console.output(difference.text(Console.palette))
    case .markdown: try Console.output(difference.markdown)
    case .json: try Console.output(difference.json)
    }
    return difference.isRed ? .divergence : .success
  }
}

extension ReportFile {
  /// - Throws: `Failure` when it cannot be read, and when it is no report.
  init(at file: String) throws(Failure) {
    let text = try Files.text(of: file)
    do throws(SourceError) {
      try self.init(text, file: file)
    } catch {
      throw .unusable(error.description)
    }
  }
}

/// The command `kennel report badge`.
struct BadgeCommand: Command {
  var report = ""
  var label = "kennel"
  var svg: String?
  var json: String?

  static let oldNames = ["badge"]

  static var options: [Option<Self>] {
    [
      .value("svg", "FILE", \.svg, .text, "Write the picture into FILE."),
      .value("json", "FILE", \.json, .text, "Write the object into FILE."),
      .value(
        "label", "TEXT", \.label, .text, "The text on the left (kennel if not given)."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel report badge", operands: "REPORT",
    summary: """
      Draws the result of a run: a picture, and the object that an endpoint badge of shields.io reads.
      """,
    notes: """
      Examples:
        kennel report badge report.jsonl --svg badge.svg --json badge.json
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    report = try arguments.onlyOperand(
      else: "badge needs one report that 'kennel run --jsonl FILE' wrote")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if svg == nil, json == nil { throw arguments.failure("badge needs --svg FILE or --json FILE") }
  }

  /// Writes the files.
  func perform() throws(Failure) -> ExitCode {
    let badge = Badge(of: try ReportFile(at: report), label: label)
    if let file = svg { try Files.write(badge.svg, to: file) }
    if let file = json { try Files.write(badge.json, to: file) }
    return .success
  }
}

extension Tally {
  /// What a command reports to its parent that runs something and has no other verdicts.
  var exitCode: ExitCode {
    failed > 0 ? .divergence : passed + known > 0 ? .success : .usage
  }
}
