import Commands
import Hunting
import System

/// What `kennel merge` was asked for.
struct MergeOptions {
  /// The directories with results.
  var sources: [String]
  /// The directory for all of them; nil only tells what they come to.
  var output: String?
}

extension MergeOptions {
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
}

extension MergeOptions: Command {
  /// Merges results.
  func perform() throws(Failure) -> ExitCode {
    let settings = try ResultsFolder.settings(in: sources[0])
    var campaign = HuntResults()
    var kept: [ChunkRecord] = []
    for source in sources {
      if let difference = try ResultsFolder.settings(in: source).difference(from: settings) {
        throw .unusable("\(source) is another campaign than \(sources[0]): \(difference)")
      }
      for record in try ResultsFolder.records(in: source).records where !kept.contains(record) {
        kept.append(record)
        campaign.add(record)
      }
    }
    var folder: ResultsFolder?
    if let output = self.output {
      let opened = try ResultsFolder.open(output, settings, resuming: false)
      try opened.folder.append(kept)
      folder = opened.folder
    }
    for finding in campaign.findings {
      let best = bestFile(of: finding, sources)
      guard let copy = folder?.file(of: finding.signature), let best else { continue }
      try Files.makeDirectory(ResultsFolder.found(in: folder?.path ?? ""))
      try Files.replace(try Files.text(of: best), at: copy)
    }
    let report = HuntReport(of: campaign) { finding in
      let copy = folder?.file(of: finding.signature)
      return (copy ?? bestFile(of: finding, sources)).map(ResultsFolder.evidence) ?? []
    }
    try Console.output(report.text())
    return campaign.findings.isEmpty ? .success : .divergence
  }
}

/// The file that shows a failure with the fewest steps, the first of several; nil where none does.
private func bestFile(of finding: HuntResults.Finding, _ sources: [String]) -> String? {
  var best: (file: String, steps: Int)?
  for source in sources {
    let file = ResultsFolder.file(of: finding.signature, in: source)
    guard let head = FoundFile.Head(file: file) else { continue }
    let steps = head.extent.steps
    if let known = best, known.steps <= steps { continue }
    best = (file, steps)
  }
  return best?.file
}
