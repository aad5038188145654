import Hunting
package import MutationAnalysis
package import System

extension GuidedComparison {
  /// A comparison that begins with the corpus in the folder `corpus`, if there is one.
  ///
  /// - Parameter isQuick: Whether rough figures are enough.
  /// - Throws: `Failure` when the corpus cannot be read.
  package init(isQuick: Bool) throws(Failure) {
    self.init()
    if isQuick { (limit, scenarios) = (400, 10_000) }
    let folder = "corpus"
    if Files.exists(Corpus.file(in: folder)) {
      corpus = try Corpus(in: folder, HuntSettings())
    }
  }
}
