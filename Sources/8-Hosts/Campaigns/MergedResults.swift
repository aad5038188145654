package import Hunting
package import System

/// What several campaigns have shown together.
package struct MergedResults {
  private let settings: HuntSettings
  private let sources: [String]
  private let records: [ChunkRecord]
  /// Seeds that were run more than once count once.
  package let results: HuntResults

  /// Reads the results in some directories; at least one.
  ///
  /// - Throws: `Failure.unusable` when they are not of the same campaign, `Failure.file` when they
  ///   cannot be read.
  package init(of sources: [String]) throws(Failure) {
    self.sources = sources
    let settings = try ResultsFolder.settings(in: sources[0])
    var results = HuntResults()
    var kept: [ChunkRecord] = []
    for source in sources {
      if let difference = try ResultsFolder.settings(in: source).difference(from: settings) {
        throw .unusable("\(source) is another campaign than \(sources[0]): \(difference)")
      }
      for record in try ResultsFolder.records(in: source).records where !kept.contains(record) {
        kept.append(record)
        results.add(record)
      }
    }
    self.settings = settings
    self.results = results
    records = kept
  }

  /// Keeps everything in a directory, where a hunt can go on with it.
  ///
  /// - Throws: `Failure.unusable` when it has a campaign already, `Failure.results` when it cannot be
  ///   written.
  package func write(to path: String) throws(Failure) {
    let folder = try ResultsFolder.open(path, settings, resuming: false).folder
    try folder.append(records)
    for finding in results.findings {
      guard let best = bestFile(of: finding) else { continue }
      try Files.makeDirectory(ResultsFolder.found(in: path))
      try Files.replace(try Files.text(of: best), at: folder.file(of: finding.signature))
    }
  }

  /// The file that shows a failure with the fewest steps, the first of several; nil where none does.
  package func bestFile(of finding: HuntResults.Finding) -> String? {
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
}
