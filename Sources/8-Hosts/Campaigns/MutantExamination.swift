import Document
package import MutationAnalysis
import Processes
package import Scenario
package import System
import Tree
import Workers

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
