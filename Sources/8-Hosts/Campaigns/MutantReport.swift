package import Mutants
import MutationAnalysis
package import System
import Tree
import Workspace

/// The report on which check notices each mutant.
package struct MutantReport {
  private let mutants: [Mutant]
  private var examination: MutantExamination

  /// - Parameters:
  ///   - mutants: What is examined.
  ///   - examination: How each is.
  package init(of mutants: [Mutant], _ examination: MutantExamination) {
    self.mutants = mutants
    self.examination = examination
    self.examination.names = mutants.map(\.name)
  }

  /// Examines the mutants in several processes, and writes the matrix.
  ///
  /// - Parameters:
  ///   - jobs: How many processes work; nil for one for each processor.
  ///   - file: Where the matrix goes as Markdown as well; nil for nowhere.
  ///   - isText: Whether it is written as text, with a line for each mutant as it is found.
  ///   - write: Takes the report.
  /// - Returns: `divergence` when a mutant is not noticed, or a conforming variant is.
  /// - Throws: `Failure` when processes do not start, or a file cannot be written.
  package func examine(
    jobs: Int?, matrix file: String?, asText isText: Bool,
    write: (String) throws(Failure) -> Void
  ) throws(Failure) -> ExitCode {
    let library = try Self.library()
    var evidence: [MutantResult] = []
    try examination.run(jobs: jobs) { found throws(Failure) in
      evidence.append(found)
      if isText { try write(KillMatrix.line(found)) }
    }
    let matrix = KillMatrix(evidence, scenarios: library.scenarios)
    if let file { try Files.write(matrix.markdown, to: file) }
    try write(isText ? matrix.text : matrix.markdown)
    return matrix.isPerfect ? .success : .divergence
  }

  /// Examines the mutants in this process, and writes a line of JSON for each.
  package func examineHere(write: (String) throws(Failure) -> Void) throws(Failure) -> ExitCode {
    let detector = try detector()
    var isGood = true
    for mutant in mutants {
      let evidence = detector.examine(mutant)
      isGood = isGood && evidence.isKilled == (mutant.component != .benign)
      try write(evidence.json.text + "\n")
    }
    return isGood ? .success : .divergence
  }

  /// Writes what no longer holds of a document with the matrix.
  package func check(
    _ file: String, write: (String) throws(Failure) -> Void
  ) throws(Failure) -> ExitCode {
    let objections = try detector().objections(to: Claim.all(in: try Files.text(of: file)))
    for objection in objections { try write("\(file): \(objection)\n") }
    let verdict =
      objections.isEmpty
      ? "holds" : "\(objections.count) objections; 'kennel mutants --write \(file)' measures again"
    try write("\(file): \(verdict)\n")
    return objections.isEmpty ? .success : .divergence
  }

  private func detector() throws(Failure) -> Detector {
    var detector = Detector(try Self.library().scenarios, examination.budget)
    detector.shrinks = examination.shrinks
    return detector
  }

  private static func library() throws(Failure) -> ScenarioLibrary {
    let library = try ScenarioLibrary([])
    try library.requireNoProblems()
    return library
  }
}

extension Mutant {
  /// Its name and its defect, as a line.
  package var line: String { "\(name)  (\(component.rawValue))  \(sentence)\n" }
}
