import Document
package import Hunting
package import Reports
package import System
import Workspace

/// What several campaigns have shown together.
package struct MergedResults {
  private let settings: HuntSettings
  private let sources: [String]
  private let records: [ChunkRecord]
  /// Those of the seeds that are among the first of a state in all results together, each once.
  private let recipes: [KeptRecipe]
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
    var recipes: [KeptRecipe] = []
    for source in sources {
      for entry in try ResultsFolder.states(in: source).entries { results.states.add(entry) }
      recipes += try ResultsFolder.recipes(in: source)
      if let difference = try ResultsFolder.settings(in: source).difference(from: settings) {
        throw .unusable("\(source) is another hunt than \(sources[0]): \(difference)")
      }
      for record in try ResultsFolder.records(in: source).records where !kept.contains(record) {
        kept.append(record)
        results.add(record)
      }
    }
    self.settings = settings
    self.results = results
    records = kept
    let first = results.states.firstSeeds
    self.recipes = recipes.filter { first.contains($0.seed) }.unique()
  }

  /// Keeps everything in a directory, where a hunt can go on with it.
  ///
  /// - Throws: `Failure.unusable` when it has a campaign already, `Failure.results` when it cannot be
  ///   written.
  package func write(to path: String) throws(Failure) {
    let folder = try ResultsFolder.open(path, settings, resuming: false).folder
    if let corpus = try settings.corpus(in: sources[0]) {
      try corpus.write(to: ResultsFolder.corpus(in: path))
    }
    try folder.append(results.states.entries)
    try folder.append(recipes)
    try folder.append(records)
    for finding in results.findings {
      let targets = ResultsFolder.variants(of: folder.file(of: finding.signature))
      for (best, target) in zip(bestFiles(of: finding), targets) {
        try Files.makeDirectory(ResultsFolder.found(in: path))
        try Files.replace(try Files.text(of: best), at: target)
      }
    }
  }

  /// For each set of kinds of steps the file that shows a failure with the fewest of them, the first
  /// of several; the shortest first.
  package func bestFiles(of finding: HuntResults.Finding) -> [String] {
    var best: [(file: String, found: FoundFile)] = []
    for source in sources {
      let file = ResultsFolder.file(of: finding.signature, in: source)
      for file in ResultsFolder.variants(of: file) {
        guard let found = FoundFile(file: file) else { continue }
        if let index = best.firstIndex(where: { $0.found.shape == found.shape }) {
          if found.steps < best[index].found.steps { best[index] = (file, found) }
        } else {
          best.append((file, found))
        }
      }
    }
    return best.enumerated().sorted {
      ($0.element.found.steps, $0.offset) < ($1.element.found.steps, $1.offset)
    }.map { $0.element.file }
  }
}

extension MergedReport {
  /// Puts the reports in some files together.
  ///
  /// - Throws: `Failure` when one cannot be read, or they do not belong together.
  package init(files: [String]) throws(Failure) {
    var parts: [(text: String, file: String)] = []
    let places = files.map { Files.realPath(of: $0) ?? $0 }
    for (index, place) in places.enumerated() where places[..<index].contains(place) {
      throw .unusable("\(files[index]) is given twice; expected each part once")
    }
    for file in files {
      parts.append((try FileKind.text(of: file, expecting: [.report]), file))
    }
    do throws(SourceError) {
      self = try MergedReport(of: parts)
    } catch {
      throw .mistake(error)
    }
  }
}
