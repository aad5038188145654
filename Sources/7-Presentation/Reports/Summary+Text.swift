internal import Conformance
internal import KnownFailures
public import Text
internal import Trace
internal import Tree

extension Summary {
  /// The counts by verdict, why runs were skipped, what failed, and the last line; ends with a line
  /// feed.
  public func text(_ palette: Palette = .plain) -> String {
    var lines = [overview, selection] + skipped + known + [""]
    let failures = failures(palette)
    if !failures.isEmpty { lines += failures + [""] }
    if !advice.isEmpty { lines += advice + [""] }
    if let stop { lines += [palette.paint(ascii(stop), .bad), ""] }
    return (lines + [tally.line]).map { $0 + "\n" }.joined()
  }

  private var overview: String {
    let verdicts = counts.map { "\($0.count) \($0.verdict.rawValue)" }
    let counted = verdicts.isEmpty ? "nothing ran" : verdicts.joined(separator: ", ")
    return "\(extent): \(counted)   seed \(seed)\(elapsed(milliseconds))"
  }

  /// `112 scenarios`, or `336 runs of 112 scenarios` when some were run in several profiles.
  private var extent: String {
    let scenarios = Set(rows.map(\.scenario)).count
    let named = counted(scenarios, "scenario")
    return scenarios == rows.count ? named : "\(counted(rows.count, "run")) of \(named)"
  }

  var counts: [(verdict: Verdict, count: Int)] {
    Verdict.allCases.map { verdict in (verdict, rows.count { $0.verdict == verdict }) }
      .filter { $0.count > 0 }
  }

  /// `  1 unsupported: it is for wilddog-2, firebase`, a line for each reason, the most frequent first.
  private var skipped: [String] {
    let unsupported = rows.filter { $0.verdict == .unsupported }
    let reasons = TextCounts(unsupported.map { ascii($0.reason ?? "no reason given") })
    return reasons.entries.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map { "  \($0.element.count) unsupported: \($0.element.text)" }
  }

  /// `known failures: 3 as listed, 1 stale`, when there is a list.
  private var known: [String] {
    if !hasList { return [] }
    let words = [
      ("known", "as listed"), ("stale", "stale"), ("different", "in another way"),
      ("expired", "expired"),
    ]
    let counts = words.compactMap { word, name in
      let count = rows.count { $0.knownStatus.word == word }
      return count > 0 ? "\(count) \(name)" : nil
    }
    return ["known failures: " + (counts.isEmpty ? "none met" : counts.joined(separator: ", "))]
  }

  /// How many scenarios of a cause are listed.
  private static let listed = 12

  /// What failed, by cause: the cause with a count where there are several, and its scenarios.
  private func failures(_ palette: Palette) -> [String] {
    var causes: [(name: String, rows: [Row])] = []
    for row in rows where row.outcome == .failed {
      if let index = causes.firstIndex(where: { $0.name == row.cause }) {
        causes[index].rows.append(row)
      } else {
        causes.append((row.cause, [row]))
      }
    }
    let hasHeads = Set(causes.flatMap { $0.rows.map(\.scenario) }).count > 1
    return causes.enumerated().flatMap { index, cause in
      let runs = cause.rows.count
      let scenarios = Set(cause.rows.map(\.scenario)).count
      let extent = runs > 1 ? "\(runs) runs of \(counted(scenarios, "scenario"))" : "1 run"
      let head = (index > 0 ? [""] : []) + [palette.paint(cause.name, .strong) + "   " + extent]
      return (hasHeads ? head : []) + list(cause.rows, palette)
    }
  }

  /// A line for each scenario that failed in one way, with the profiles.
  private func list(_ failed: [Row], _ palette: Palette) -> [String] {
    var merged: [Row] = []
    for row in failed {
      let same = merged.lastIndex {
        $0.scenario == row.scenario && $0.word == row.word && $0.signature == row.signature
      }
      if let same { merged[same].profile += ", " + row.profile } else { merged.append(row) }
    }
    let shown = listsAll ? merged : Array(merged.prefix(Self.listed))
    // A list of known failures needs the signature.
    let lines = table(of: shown, last: { hasList ? $0.signature ?? "" : "" })
    let painted = zip(lines, shown).map { line, row in
      "  " + palette.paint(row.word, .bad) + line.dropFirst(row.word.count)
    }
    let rest = merged.count - shown.count
    return painted + (rest > 0 ? ["  ... and \(rest) more (--all)"] : [])
  }

  /// What clients should do and did not, with the rule that says so.
  private var advice: [String] {
    let advised = rows.filter { $0.outcome == .advised }
    if advised.isEmpty { return [] }
    return ["advice: \(advised.count) (what clients should do; --strict makes failures of it)"]
      + table(of: advised, last: { $0.rule.map { "rule \($0)" } ?? "" }).map { "  " + $0 }
  }

  private func table(of rows: [Row], last: (Row) -> String) -> [String] {
    var columns = TextTable([.left, .left, .left, .left])
    for row in rows { columns.append([row.word, ascii(row.scenario), row.profile, last(row)]) }
    return columns.lines
  }
}

extension Summary {
  /// The summary as one JSON object on a line of its own.
  public var json: String {
    let failed = rows.filter { $0.outcome == .failed }
    let extent: [JSON.Member] = [
      .init("runs", .number(Double(rows.count))),
      .init("scenarios", .number(Double(Set(rows.map(\.scenario)).count))),
      .init("selected", .number(Double(rows.count + left))),
      .init("unsupported", .number(Double(unsupported))),
      .init("notRun", .number(Double(left))),
    ]
    let outcome: [JSON.Member] = [
      .init("known", .number(Double(runs(.known)))),
      .init("advice", .number(Double(runs(.advised)))),
      .init(
        "verdicts",
        .object(counts.map { .init($0.verdict.rawValue, .number(Double($0.count))) })),
      .init("failures", .array(failed.map(\.identity))),
      .init("seed", seedJSON(seed)),
    ]
    return summaryLine(
      extent + tally.members + outcome, milliseconds: milliseconds,
      after: stop.map { [.init("stopped", .string($0))] } ?? [])
  }
}

extension Summary.Row {
  /// Why it counts as failed, in capitals: its verdict, or how it compares with the list of known
  /// failures.
  fileprivate var word: String {
    switch knownStatus {
    case .stale: "STALE"
    case .expired: "EXPIRED"
    case .unlisted, .known, .different: verdict.rawValue.uppercased()
    }
  }

  fileprivate var identity: JSON {
    [
      "scenario": .string(scenario), "profile": .string(profile),
      "verdict": .string(verdict.rawValue),
    ]
  }
}
