import Commands
import Glibc
import Hunting
import System
import Tree

/// Tells on standard error how a campaign goes: one line that is written anew on a terminal, else a
/// line every ten seconds.
struct Progress {
  /// How many seeds are to be run; nil for as many as there is time for.
  private let goal: Int?
  private let minutes: Double?
  private let start = Measurement.now
  private var countAtStart: Int?
  private var last: Int64
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var hasLine = false

  init(goal: Int?, minutes: Double?) {
    self.goal = goal
    self.minutes = minutes
    last = start
  }

  mutating func show(_ campaign: HuntResults, at now: Int64) {
    let first = countAtStart ?? campaign.seeds.count
    countAtStart = first
    guard now - last >= (isTerminal ? 500_000_000 : 10_000_000_000) else { return }
    last = now
    let text = text(campaign, done: campaign.seeds.count - first, at: now)
    Console.message(isTerminal ? "\r\u{1B}[K\(text)" : text + "\n")
    hasLine = isTerminal
  }

  /// Leaves the line.
  mutating func end() {
    if hasLine { Console.message("\r\u{1B}[K") }
  }

  private func text(_ campaign: HuntResults, done: Int, at now: Int64) -> String {
    let seconds = max(0.001, Double(now - start) / 1e9)
    let rate = Double(done) / seconds
    let kinds = campaign.findings.count
    var text = "\(campaign.seeds.count) scenarios   \(Int(rate)) a second   "
    text += kinds == 0 ? "nothing found" : "\(kinds) found in \(campaign.failed)"
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
