import Hunting
package import MutationAnalysis
package import System

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
