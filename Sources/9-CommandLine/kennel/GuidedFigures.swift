import Campaigns
import Commands
import Hunting
import Mutants
import MutationAnalysis
import System
import Text

extension BenchOptions {
  /// Compares guided hunts with blind ones, and prints the targets.
  static func compareHunts(isQuick: Bool) throws(Failure) {
    var comparison = GuidedComparison()
    if isQuick { (comparison.limit, comparison.scenarios) = (400, 10_000) }
    let corpus = "corpus"
    if Files.exists(Corpus.file(in: corpus)) {
      comparison.corpus = try Corpus(in: corpus, HuntSettings())
    }
    let blind = comparison.states(.blind)
    let guided = comparison.states(.guided)
    try Console.output(
      line("states", Double(blind.states), Double(guided.states), "at least 1.5 times", 1.5...)
        + line("events", Double(blind.events), Double(guided.events), "", nil as PartialRangeFrom?))
    var found: [GuidedComparison.Detection] = []
    for mutant in Mutant.all {
      let detection = comparison.detection(of: mutant)
      guard detection.scenarios.values.contains(where: { $0 <= Int(comparison.limit) }) else {
        continue
      }
      found.append(detection)
    }
    try Console.output("\(counted(found.count, "mutant")) that a hunt can notice\n")
    for (name, share, target) in [("median", 0.5, 0.5), ("95th percentile", 0.95, 1 / 3.0)] {
      let values = [GuidedComparison.Way.blind, .guided].map { way in
        percentile(share, of: found.compactMap { $0.scenarios[way] })
      }
      let events = [GuidedComparison.Way.blind, .guided].map { way in
        percentile(share, of: found.compactMap { $0.events[way] })
      }
      let words = target == 0.5 ? "at most half" : "at most a third"
      try Console.output(
        line(name, values[0], values[1], words, ...target)
          + line("  events", events[0], events[1], "", nil as PartialRangeThrough?))
    }
    for detection in found {
      let numbers = [GuidedComparison.Way.blind, .guided].map { detection.scenarios[$0] ?? 0 }
      try Console.output("  \(padded(detection.name, to: 40)) \(numbers[0]) \(numbers[1])\n")
    }
  }

  private static func percentile(_ share: Double, of values: [Int]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
  }

  private static func line<Target: RangeExpression<Double>>(
    _ name: String, _ blind: Double, _ guided: Double, _ words: String, _ target: Target?
  ) -> String {
    let ratio = guided / max(1, blind)
    let verdict = target.map { $0.contains(ratio) ? "reached: \(words)" : "missed: \(words)" } ?? ""
    return "\(padded(name, to: 17)) blind \(padded("\(Int(blind))", to: 12)) "
      + "guided \(padded("\(Int(guided))", to: 12)) \(Int((ratio * 100).rounded())) %   \(verdict)\n"
  }
}
