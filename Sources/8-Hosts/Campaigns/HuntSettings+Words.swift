package import AdapterSessions
import Conformance
package import Hunting
import ReferenceClient
package import System
import Tree

extension HuntSettings {
  /// What is hunted unless something else is asked for.
  package static var standard: HuntSettings {
    var settings = HuntSettings(chunkLength: guidedChunk)
    settings.isGuided = true
    return settings
  }

  /// Reads the corpus with which a guided campaign is to begin, and records which one it is.
  ///
  /// - Parameter folder: Where it is; nil for none.
  /// - Returns: The corpus; nil for none.
  /// - Throws: `Failure` when it cannot be used.
  package mutating func begin(with folder: String?) throws(Failure) -> Corpus? {
    guard let folder else { return nil }
    let read = try Corpus(in: folder, self)
    corpus = read.hash.description
    return read
  }

  /// The same settings as words of a command line.
  package var words: [String] {
    var words = ["--size", String(size), "--chunk", String(chunkLength)]
    if let profile { words += ["--profile", profile] }
    if let client { words += ["--client", client] }
    if !hasShadow { words.append("--no-shadow") }
    if !isGuided { words.append("--blind") }
    return words
  }

  /// What runs the scenarios.
  ///
  /// - Throws: `Failure` when there is no such client, and when its program does not start.
  package func hunter(
    _ adapter: AdapterOptions?, corpus: Corpus? = nil
  ) throws(Failure) -> Hunter {
    let subject = try ClientUnderTest(
      named: client, or: adapter, clock: "hunt")
    subject.adapter?.givesUp = false
    let hasShadow = hasShadow
    return Hunter(self, corpus: corpus) { seed in
      var runner = subject.runner(seed: seed)
      if hasShadow { runner.shadow = { ReferenceClient(profile: $0) } }
      return runner
    }
  }
}
