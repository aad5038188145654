import Commands
import Document
import Hunting
import Reports
import Runs
import System
import Trace
import Workspace

/// The command `kennel report`.
struct ReportPageCommand: Command {
  var badges: String?
  var outputs: [String] = []
  /// At least one: `NAME=REPORT` or `REPORT`.
  var sources: [String] = []

  static var options: [Option<Self>] {
    [
      .list(
        "output", "FILE", \.outputs, .file(endingIn: ".html", ".md"),
        """
        Write the page to FILE: .html compares the reports, .md is about the client of one report, \
        with families of rules and causes of failures. May be repeated.
        """
      ).with { $0.letter = "o" },
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
        kennel report ours=ours.jsonl theirs=theirs.jsonl -o report.html --badges badges
        kennel report 'Client 2.0, 2026-11-22=report.jsonl' -o client.md
      """, exitCodes: .withoutVerdicts, renamed: ["html": "output", "markdown": "output"])

  mutating func take(_ arguments: Arguments) throws(Failure) {
    sources = try arguments.someOperands(
      else: "report needs reports: 'kennel report a.jsonl -o a.html'")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if outputs.isEmpty, badges == nil {
      throw arguments.failure(
        "where to? report needs -o FILE, which ends in .html or .md, or --badges DIR")
    }
    if file(".md") != nil, sources.count > 1 {
      throw arguments.failure(
        "a page in Markdown is about one client, but there are several reports")
    }
  }

  private func file(_ suffix: String) -> String? { outputs.last { $0.hasSuffix(suffix) } }

  /// Writes the page.
  func perform() throws(Failure) -> ExitCode {
    try ComparedReports(sources).write(
      html: file(".html"), markdown: file(".md"), badges: badges, warn: Console.warn)
    return .success
  }
}

/// The command `kennel report merge`.
struct MergeCommand: Command {
  /// The directories with results.
  var sources: [String] = []
  var output: String?

  static var options: [Option<Self>] {
    [
      .value(
        "output", "FILE|DIR", \.output, .text, letter: "o",
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
    if sources.contains(where: {
      Files.exists($0) ? !Files.isDirectory($0) : $0.hasSuffix(".jsonl")
    }) {
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
    if let output { try FileKind.write(merged.text, to: output, as: .report) }
    try Console.output(merged.tally.line + "\n")
    return merged.tally.exitCode
  }
}

/// The command `kennel report diff`.
struct DiffCommand: Command {
  var old = ""
  var new = ""
  var format = DocumentFormat.text

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
      throw arguments.failure("diff needs two reports, of 'kennel run --jsonl FILE': OLD NEW")
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
    let text = try FileKind.text(of: file, expecting: [.report])
    do throws(SourceError) {
      try self.init(text, file: file)
    } catch {
      throw .mistake(error)
    }
  }
}

/// The command `kennel report badge`.
struct BadgeCommand: Command {
  var report = ""
  var label = "kennel"
  var outputs: [String] = []

  static var options: [Option<Self>] {
    [
      .list(
        "output", "FILE", \.outputs, .file(endingIn: ".svg", ".json"),
        "Write the picture to FILE that ends in .svg, or the object, .json. May be repeated."
      ).with { $0.letter = "o" },
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
        kennel report badge report.jsonl -o badge.svg -o badge.json
      """, exitCodes: .withoutVerdicts, renamed: ["svg": "output", "json": "output"])

  mutating func take(_ arguments: Arguments) throws(Failure) {
    report = try arguments.onlyOperand(
      else: "badge needs one report that 'kennel run --jsonl FILE' wrote")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if outputs.isEmpty {
      throw arguments.failure("where to? badge needs -o FILE, which ends in .svg or .json")
    }
  }

  /// Writes the files.
  func perform() throws(Failure) -> ExitCode {
    let badge = Badge(of: try ReportFile(at: report), label: label)
    for file in outputs {
      let isPicture = file.hasSuffix(".svg")
      try FileKind.write(
        isPicture ? badge.svg : badge.json, to: file, as: isPicture ? .picture : nil)
    }
    return .success
  }
}

extension OptionKind where Value == String {
  /// The path of a file, whose end says in which form it is written.
  static func file(endingIn suffixes: String...) -> OptionKind {
    OptionKind(
      "a file that ends in \(alternatives(suffixes))",
      { file in suffixes.contains { file.hasSuffix($0) } ? file : nil })
  }
}

extension Tally {
  /// What a command reports to its parent that runs something and has no other verdicts.
  var exitCode: ExitCode {
    failed > 0 ? .divergence : passed + known > 0 ? .success : .usage
  }
}
