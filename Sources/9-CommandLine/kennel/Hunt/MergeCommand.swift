import Campaigns
import Commands
import Hunting
import Reports
import System
import Trace

/// The command `kennel report merge`.
struct MergeCommand: Command {
  /// The directories with results.
  var sources: [String] = []
  /// The directory for all of them; nil only reports the sum.
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
