internal import Conformance
internal import Document
internal import Faults
internal import Invariants
internal import Scenario
internal import Trace
import Tree

/// What a campaign has shown, as text for people; at most 100 columns, and a plain last line.
public struct HuntReport {
  private let campaign: HuntResults
  /// Where the scenario of a failure is kept, in lines; empty where it is not.
  private let evidence: (HuntResults.Finding) -> [String]
  /// What the client lacks.
  private let lacks: [String]
  private let known: KnownCauses

  /// Takes what to report: `lacks` names the capabilities that the client does not have, `known` the
  /// causes that are only counted, and `evidence` gives the lines below each kind of failure.
  public init(
    of campaign: HuntResults, lacks: [String] = [], known: KnownCauses = KnownCauses(),
    evidence: @escaping (HuntResults.Finding) -> [String]
  ) {
    self.campaign = campaign
    self.lacks = lacks
    self.known = known
    self.evidence = evidence
  }

  /// The whole; with how fast it went, where it is known how long it took by the clock on the wall
  /// and how many scenarios that was.
  public func text(of scenarios: Int = 0, in milliseconds: Int = 0) -> String {
    var lines = [overview(scenarios, milliseconds)]
    if !campaign.seeds.isEmpty { lines += [""] + faultLines }
    if !lacks.isEmpty {
      lines +=
        [""]
        + Self.wrapped(
          "left out, because the client lacks it: "
            + lacks.joined(separator: ", "))
    }
    let reasons = campaign.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !reasons.isEmpty { lines.append("") }
    for (reason, count) in reasons {
      lines += Self.wrapped("skipped, \(counted(count, "scenario")): \(reason)")
    }
    if !campaign.missing.isEmpty {
      let names = campaign.missing.map(\.rawValue).joined(separator: ", ")
      lines += [""] + Self.wrapped("never drawn: " + names)
    }
    if !campaign.ineffective.isEmpty {
      let names = campaign.ineffective.joined(separator: ", ")
      lines += [""] + Self.wrapped("faults that never changed anything: " + names)
    }
    let doubts = doubtLines
    if !doubts.isEmpty { lines += [""] + doubts }
    let coverage = CoverageReport(campaign.states, runs: campaign.seeds.count).summary
    if !coverage.isEmpty { lines += [""] + coverage }
    for findings in causes { lines += [""] + self.lines(of: findings) }
    lines += knownLines + adviceLines
    return (lines + ["", lastLine]).map { $0 + "\n" }.joined()
  }

  /// The kinds of failure that are news, by cause: the most frequent first, in each cause as well.
  private var causes: [[HuntResults.Finding]] {
    var causes: [(name: String, findings: [HuntResults.Finding])] = []
    for finding in campaign.findings {
      let name = finding.cause ?? finding.signature
      if let index = causes.firstIndex(where: { $0.name == name }) {
        causes[index].findings.append(finding)
      } else {
        causes.append((name, [finding]))
      }
    }
    return causes.map(\.findings)
  }

  /// The causes that are known and occurred, and those of the list that did not.
  private var knownLines: [String] {
    let notes = Dictionary(known.causes.map { ($0.name, $0.note) }) { first, _ in first }
    var lines = campaign.known.flatMap { finding in
      let note = notes[String(finding.signature.dropFirst(HuntResults.known.count))]
      return [finding.signature + "   " + counted(finding.seeds.count, "time")]
        + (note.map { Self.wrapped($0) } ?? []).map { "      " + $0 }
    }
    let missing = known.causes.map(\.name).filter { campaign[HuntResults.known + $0] == nil }
    if !missing.isEmpty {
      lines += Self.wrapped("known, but not seen: " + missing.joined(separator: ", "))
    }
    return lines.isEmpty ? [] : [""] + lines
  }

  private var adviceLines: [String] {
    let lines = campaign.advice.flatMap { finding in
      [finding.signature + "   " + counted(finding.seeds.count, "time")]
        + Self.wrapped(finding.sentence).map { "      " + $0 }
    }
    return lines.isEmpty ? [] : [""] + lines
  }

  private var lastLine: String {
    let failed = campaign.failed
    // A failure that is known is no news, and its seed no pass.
    let skipped = campaign.skipped + campaign.failedAsKnown
    return Tally(
      passed: campaign.seeds.count - failed - skipped, failed: failed, skipped: skipped
    ).line
  }

  private func overview(_ scenarios: Int, _ milliseconds: Int) -> String {
    let count = campaign.seeds.count
    var text = "\(counted(count, "scenario")), seeds \(Self.brief(campaign.seeds)): "
    let kinds = campaign.findings.count
    text += kinds == 0 ? "no failure" : "\(counted(kinds, "kind")) of failure"
    let causes = causes.count
    if causes > 0, causes < kinds { text += " of \(counted(causes, "cause"))" }
    if milliseconds > 0 { text += "   \(scenarios * 1000 / milliseconds) a second" }
    return text
  }

  /// The ranges, or how many there are.
  static func brief(_ seeds: SeedRanges) -> String {
    seeds.ranges.count <= 3 ? "\(seeds)" : "in \(seeds.ranges.count) ranges"
  }

  /// One explanation, that of the most frequent kind, and a line for each other kind of the cause.
  private func lines(of findings: [HuntResults.Finding]) -> [String] {
    guard let first = findings.first else { return [] }
    let others = findings.dropFirst().map { "also  \($0.signature)   \(times($0))" }
    let shows = first.circumstances.map { Self.wrapped("shows \($0)") } ?? []
    return ["FAIL  \(first.signature)   \(times(first))"]
      + (Self.wrapped(first.sentence) + shows + evidence(first) + others).map { "      " + $0 }
  }

  private func times(_ finding: HuntResults.Finding) -> String {
    let count = finding.seeds.count
    return count == 1 ? "seed \(finding.first)" : "\(count) times, first seed \(finding.first)"
  }

  /// What is below a heading is indented. A value that is longer than a line is shown whole: a
  /// reader may want to copy it.
  private static func wrapped(_ text: String) -> [String] {
    text.wrapped(to: lineWidth - 6, cut: { word, _ in word })
  }
}

extension HuntReport {
  /// A table in two halves: how often each kind of fault was asked for, happened and mattered.
  private var faultLines: [String] {
    let names = FaultCounts.names
    let height = (names.count + 1) / 2
    let head = Self.row("faults", ["asked", "happened", "mattered"])
    let rows = (0..<height).map { row in
      cell(names[row]) + (row + height < names.count ? cell(names[row + height]) : "")
    }
    return [head + head] + rows
  }

  /// How often each invariant could not be judged, and the reasons.
  private var doubtLines: [String] {
    let rows = campaign.doubts.byInvariant
    if rows.isEmpty { return [] }
    return [Self.row("could not be judged", ["times"])]
      + rows.map { row in
        let reasons = row.reasons.prefix(2).map(\.doubt.text).joined(separator: ", or ")
        let count = row.reasons.reduce(0) { $0 + $1.count }
        return Self.row(row.invariant.id, ["\(count)"]) + "  " + reasons
      }
  }

  private func cell(_ name: String) -> String {
    let count = campaign.faults[name]
    return Self.row(name, [count.asked, count.happened, count.mattered].map { "\($0)" })
  }

  private static func row(_ name: String, _ cells: [String]) -> String {
    cells.reduce("  " + padded(name, to: 18)) { $0 + padded($1, to: 9, .right) }
  }
}

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
