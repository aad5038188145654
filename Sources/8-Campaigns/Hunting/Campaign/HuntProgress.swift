import Tree

/// How far a campaign is, in a line.
package struct HuntProgress {
  /// How many seeds are to be run; nil for as many as there is time for.
  private let goal: Int?
  private let minutes: Double?
  /// How many seeds had been run when it began.
  private let before: Int

  /// - Parameters:
  ///   - goal: How many seeds are to be run; nil for as many as there is time for.
  ///   - minutes: After how many minutes no more are begun; nil for no limit.
  ///   - before: How many had been run when it began.
  package init(goal: Int?, minutes: Double?, before: Int) {
    self.goal = goal
    self.minutes = minutes
    self.before = before
  }

  /// How far it is after some time.
  package func text(_ results: HuntResults, after seconds: Double) -> String {
    let done = results.seeds.count - before
    let seconds = max(0.001, seconds)
    let rate = Double(done) / seconds
    let kinds = results.findings.count
    var text = "\(results.seeds.count) scenarios   \(Int(rate)) a second   "
    text += kinds == 0 ? "nothing found" : "\(kinds) found in \(results.failed)"
    var left: [Double] = []
    if let goal, rate > 0 { left.append(Double(goal - done) / rate) }
    if let minutes { left.append(minutes * 60 - seconds) }
    if let shortest = left.min() { text += "   \(Self.duration(shortest)) left" }
    return text
  }

  /// `45 s`, `12 min`, `3.5 h`.
  static func duration(_ seconds: Double) -> String {
    if seconds < 100 { return "\(Int(max(0, seconds).rounded())) s" }
    if seconds < 6000 { return "\(Int((seconds / 60).rounded())) min" }
    return "\(canonicalText(of: (seconds / 360).rounded() / 10)) h"
  }
}
