import Campaigns
import Commands
import Hunting
import System

/// What `kennel merge` was asked for.
struct MergeOptions: Command {
  /// The directories with results.
  var sources: [String]
  /// The directory for all of them; nil only reports the sum.
  var output: String?

  /// - Throws: `Failure.usage` when there is nothing to merge.
  init(_ arguments: Arguments) throws(Failure) {
    sources = arguments.operands
    output = arguments.value(of: "output")
    if sources.isEmpty { throw arguments.failure("which results? name at least one directory") }
  }

  static let grammar = Grammar(
    command: "kennel merge", operands: "DIR...",
    summary: """
      Puts together what several hunts have shown, by kinds of failure. Seeds that were run more \
      than once count once, and must have gone the same way everywhere.
      """,
    options: [
      .init(
        name: "output", value: "DIR", letter: "o",
        summary: "Keep the whole in DIR, where a hunt can go on with it.")
    ],
    notes: """
      Examples:
        kennel merge results-1 results-2
        kennel merge results-1 results-2 -o results

      \(ExitCode.help)
      """)

  /// Merges results.
  func perform() throws(Failure) -> ExitCode {
    let merged = try MergedResults(of: sources)
    if let output { try merged.write(to: output) }
    let report = HuntReport(of: merged.results) { finding in
      let copy = output.map { ResultsFolder.file(of: finding.signature, in: $0) }
      return (copy ?? merged.bestFiles(of: finding).first).map(ResultsFolder.evidence) ?? []
    }
    try Console.output(report.text())
    return merged.results.findings.isEmpty ? .success : .divergence
  }
}
