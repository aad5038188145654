import Hunting

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

/// Merges results.
func run(_ options: MergeOptions) throws(Failure) -> ExitCode {
  let settings = try ResultsFolder.settings(in: options.sources[0])
  var campaign = HuntResults()
  var kept: [ChunkRecord] = []
  for source in options.sources {
    if let difference = try ResultsFolder.settings(in: source).difference(from: settings) {
      throw .unusable("\(source) is another campaign than \(options.sources[0]): \(difference)")
    }
    for record in try ResultsFolder.records(in: source).records where !kept.contains(record) {
      kept.append(record)
      campaign.add(record)
    }
  }
  var folder: ResultsFolder?
  if let output = options.output {
    let opened = try ResultsFolder.open(output, settings, resuming: false)
    try opened.folder.append(kept)
    folder = opened.folder
  }
  var files: [String: String] = [:]
  for finding in campaign.findings {
    files[finding.signature] = try scenario(of: finding, options, folder)
  }
  let report = HuntReport(of: campaign) { finding in
    files[finding.signature].map { settings.command(for: $0, seed: finding.first) }
  }
  try Console.output(report.text())
  return campaign.findings.isEmpty ? .success : .divergence
}

/// The file that shows a failure, copied to where the whole is kept.
private func scenario(
  of finding: HuntResults.Finding, _ options: MergeOptions, _ folder: ResultsFolder?
) throws(Failure) -> String? {
  let files = options.sources.map { ResultsFolder.file(of: finding.signature, in: $0) }
  guard let file = files.first(where: { Files.exists($0) }) else { return nil }
  guard let copy = folder?.file(of: finding.signature) else { return file }
  try Files.makeDirectory(ResultsFolder.found(in: folder?.path ?? ""))
  try Files.write(try Files.text(of: file), to: copy, asResult: true)
  return copy
}
