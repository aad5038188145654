import Document
package import Hunting
package import MutationAnalysis
package import System
import Workspace

extension Corpus {
  /// Reads the corpus in a folder.
  ///
  /// - Throws: `Failure` when there is none, or it is one of other settings.
  package init(in folder: String, _ settings: HuntSettings) throws(Failure) {
    guard Files.exists(Self.file(in: folder)) else {
      let isFile = Files.exists(folder) && !Files.isDirectory(folder)
      throw .unusable(
        (isFile
          ? "\(folder) is a file; expected the folder of a corpus; "
          : "there is no \(Files.exists(folder) ? "corpus in" : "folder") \(folder); ")
          + "'kennel hunt --minimise DIR --output \(isFile ? "CORPUS" : shellWord(folder))' makes one"
      )
    }
    let file = Self.file(in: folder)
    let text = try Files.text(of: file)
    do throws(Mistake) {
      self = try Corpus(text: text, settings)
    } catch {
      throw .mistake(SourceError(FileLocation(file: file, line: error.line), error.description))
    }
  }

  /// Reads what the results in a folder have kept, or the corpus there.
  ///
  /// - Throws: `Failure` when there is neither.
  package init(keptIn folder: String, _ settings: HuntSettings) throws(Failure) {
    guard ResultsFolder.hasCampaign(folder) else {
      self = try Corpus(in: folder, settings)
      return
    }
    let settings = try ResultsFolder.settings(in: folder)
    let before = try settings.corpus(in: folder)?.recipes ?? []
    let kept = try ResultsFolder.recipes(in: folder).map(\.recipe)
    self.init(before + kept, settings)
  }

  /// Writes it into a folder, which is made if it is not there.
  package func write(to folder: String) throws(Failure) {
    try Files.makeDirectory(folder)
    try Files.replace(text, at: Self.file(in: folder))
  }

  package static func file(in folder: String) -> String { Files.join(folder, "recipes.txt") }
}

extension HuntSettings {
  /// The corpus that a campaign in a directory began with; nil for none.
  package func corpus(in path: String) throws(Failure) -> Corpus? {
    corpus == nil ? nil : try Corpus(in: ResultsFolder.corpus(in: path), self)
  }
}

extension HuntResults {
  /// Makes sure that a file may be replaced by what was covered.
  package static func requireReplaceable(_ file: String) throws(Failure) {
    try FileKind.requireReplaceable(file, by: kind(of: file))
  }

  private static func kind(of file: String) -> FileKind? { file.hasSuffix(".html") ? .page : nil }

  /// Writes what was covered into a file, in the form that its name states.
  package func writeCoverage(to file: String) throws(Failure) {
    let report = CoverageReport(states, runs: seeds.count)
    try FileKind.write(report.text(for: file), to: file, as: Self.kind(of: file))
  }
}

extension GuidedComparison {
  /// A comparison that begins with the corpus of the repository, if this runs there.
  ///
  /// - Parameter isQuick: Whether rough figures are enough, of one mutant in four and in less time.
  /// - Throws: `Failure` when the corpus cannot be read.
  package init(isQuick: Bool) throws(Failure) {
    self.init()
    if isQuick {
      (limit, subtleLimit, scenarios) = (400, 4_000, 10_000)
      mutants = mutants.indices.filter { $0.isMultiple(of: 4) }.map { mutants[$0] }
    }
    let folder = "Tests/Hunt"
    if Files.exists(Corpus.file(in: folder)) {
      corpus = try Corpus(in: folder, HuntSettings())
    }
  }
}
