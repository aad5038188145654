import Document
package import Mutants
package import MutationAnalysis
package import Scenario
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
    if let file { try FileKind.write(matrix.markdown, to: file, as: nil) }
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
    let objections = try detector().objections(to: Self.claims(of: file))
    for objection in objections { try write("\(file): \(objection)\n") }
    let verdict =
      objections.isEmpty
      ? "holds" : "\(objections.count) objections; 'kennel mutants --write \(file)' measures again"
    try write("\(file): \(verdict)\n")
    return objections.isEmpty ? .success : .divergence
  }

  private static func claims(of file: String) throws(Failure) -> [Claim] {
    let text = try Files.text(of: file)
    let claims = Claim.all(in: text)
    guard claims.isEmpty else { return claims }
    let found =
      FileKind(of: text, in: file).map { "this is \($0.noun)" } ?? "no line is one of a matrix"
    let message = "\(found); expected a matrix that 'kennel mutants --write' made"
    throw .mistake(SourceError(file: file, position: .start, message: message))
  }

  /// Writes how well the failures of the mutants are grouped by cause: a line for each mutant, and the
  /// figures.
  package func measureCauses(write: (String) throws(Failure) -> Void) throws(Failure) -> ExitCode {
    let scenarios = try Self.library().scenarios
    var measurement = CauseMeasurement()
    for mutant in mutants where CauseMeasurement.concerns(mutant) {
      if let outcome = measurement.add(mutant, scenarios) {
        try write(CauseMeasurement.line(outcome))
      }
    }
    try write(measurement.text)
    return .success
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

/// Has several processes examine mutants, each of them some.
package struct MutantExamination: OptionSettings {
  /// How long each mutant is hunted.
  package enum Budget: Hashable {
    case scenarios(UInt64)
    case seconds(Double)
  }

  /// How long each mutant is hunted.
  package var budget = Budget.scenarios(400)
  /// Whether what is found is made small.
  package var shrinks = true
  /// The names of the mutants and variants.
  package var names: [String] = []

  package init() {}

  /// The table of options.
  package static var options: [Option<MutantExamination>] {
    [
      .value(
        "budget", "N", \.budget, .budget,
        "Hunt each with N drawn scenarios (400 unless stated), or for N seconds: 5s."),
      .flag("no-shrink", \.shrinks, is: false, "Do not minimise the scenarios that were found."),
    ]
  }

  /// Examines them.
  ///
  /// - Parameters:
  ///   - jobs: How many processes work; nil for one for each processor.
  ///   - onFinding: Takes the evidence on each mutant, in the order in which it is found.
  /// - Throws: `Failure` when processes do not start, or do not end as they should.
  package func run(
    jobs: Int?, onFinding: (MutantResult) throws(Failure) -> Void
  ) throws(Failure) {
    let count = min(jobs ?? Processors.count, max(1, names.count))
    var pool = WorkerPool<Never>()
    for job in 0..<count {
      // One after the other, so that all have some that take long.
      let share = names.indices.filter { $0 % count == job }.map { names[$0] }
      pool.add(try Worker(words(for: share)))
    }
    var ended = 0
    while ended < count {
      for event in pool.events(within: nil) {
        switch event {
        case let .line(line, _): try onFinding(try Self.evidence(line))
        case let .ended(worker):
          ended += 1
          try Self.requireSuccess(of: worker)
        }
      }
    }
  }

  private func words(for names: [String]) -> [String] {
    ["mutants", "--format", "json"] + Self.options.words(of: self) + names
  }

  private static func evidence(_ line: String) throws(Failure) -> MutantResult {
    guard let found = try? JSON(parsing: line), var evidence = MutantResult(json: found) else {
      throw .unusable("a process that examines mutants wrote an unknown line: \(line)")
    }
    // This process is another one than that which found it.
    let isConfirmed = Detector.confirms(evidence)
    evidence.shrunk?.isConfirmed = isConfirmed
    return evidence
  }

  private static func requireSuccess(of worker: Worker<Never>) throws(Failure) {
    let (ending, errorOutput) = worker.awaitEnd()
    guard ending != .exited(0), ending != .exited(1) else { return }
    throw .mistakes(
      errorOutput.split(separator: "\n").map(String.init),
      "a process that examines mutants has ended with \(ending)")
  }
}

extension Detector {
  /// What examines mutants within a budget.
  package init(_ scenarios: [Scenario], _ budget: MutantExamination.Budget) {
    self.init(scenarios) { Double(Measurement.now) / 1_000_000 }
    switch budget {
    case let .scenarios(count): huntLimit = count
    case let .seconds(seconds):
      huntLimit = .max
      huntMilliseconds = seconds * 1000
    }
  }
}

extension OptionKind where Value == MutantExamination.Budget {
  /// A number of scenarios, or of seconds.
  fileprivate static var budget: OptionKind {
    OptionKind(
      "a number of scenarios, or of seconds as in 5s",
      { text in
        if text.hasSuffix("s"), let seconds = Double(text.dropLast()), seconds > 0 {
          return .seconds(seconds)
        }
        return UInt64(text).flatMap { $0 > 0 ? .scenarios($0) : nil }
      },
      text: { budget in
        switch budget {
        case let .scenarios(count): String(count)
        case let .seconds(seconds): "\(seconds)s"
        }
      })
  }
}
