import Document
package import Hunting
import Scenario
package import System
import Workspace

extension KnownCauses {
  /// Reads a file.
  ///
  /// - Throws: `Failure` when it cannot be read, with everything that is wrong in it.
  package init(file: String) throws(Failure) {
    let bytes = Array(try FileKind.text(of: file, expecting: [.knownCauses]).utf8)
    let (list, problems) = Self.read(file: file, bytes: bytes, try Context(of: file))
    try Failure.refuse(problems, in: file)
    self = list
  }

  /// Where a proof is that a list names.
  static func path(ofProof proof: String, in file: String) -> String {
    Files.join(file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ".", proof)
  }

  /// Runs the proof of each cause.
  ///
  /// - Parameters:
  ///   - file: The list, beside which the proofs are.
  ///   - hunter: Runs them, and knows the list.
  /// - Returns: A sentence for each cause whose proof does not fail for it, in the order of the list.
  /// - Throws: `Failure` when a proof cannot be read.
  package func unproven(in file: String, _ hunter: Hunter) throws(Failure) -> [String] {
    var sentences: [String] = []
    for cause in causes {
      let library = try ScenarioLibrary([Self.path(ofProof: cause.proof, in: file)])
      try library.requireNoProblems()
      for scenario in library.scenarios {
        guard let problem = hunter.problem(of: scenario, asProofOf: cause) else { continue }
        sentences.append("\(file):\(cause.position): the proof of \(cause.name) \(problem)")
      }
    }
    return sentences
  }
}

extension KnownCauses.Context {
  /// What a list in a file may name.
  ///
  /// - Throws: `Failure.file` when the rules cannot be read.
  init(of file: String) throws(Failure) {
    let rules = try (try? Home.find())?.ruleBook().rules.map(\.id.description)
    self.init(rules: rules ?? []) { Files.exists(KnownCauses.path(ofProof: $0, in: file)) }
  }
}
