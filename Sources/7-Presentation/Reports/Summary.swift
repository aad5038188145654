internal import ClientInterface
public import Conformance
public import Document
internal import Scenario
public import Trace
package import Tree

/// What a run as a whole has shown.
public struct Summary {
  let rows: [RunRecord]
  let seeds: ClosedRange<UInt64>
  let milliseconds: Double?
  /// How many runs were selected and not made.
  let left: Int
  /// Why they were not made, in a sentence without a full stop; `nil` when enough had failed.
  let stop: String?
  /// Whether runs were compared with a list of known failures.
  let hasList: Bool
  /// Whether all failures of a cause are listed, however many there are.
  let listsAll: Bool
  /// What else is known of the client, in sentences without a full stop.
  let remarks: [String]

  /// - Parameters:
  ///   - results: In the order in which they were run.
  ///   - seed: The seed of the run.
  ///   - milliseconds: How long it took by the clock on the wall; `nil` leaves it out.
  public init(of results: [ScenarioResult], seed: UInt64, milliseconds: Double? = nil) {
    self.init(
      of: RunRecord.grouped(results.map { RunRecord($0, nil) }), seeds: seed...seed,
      milliseconds: milliseconds)
  }

  /// - Parameters:
  ///   - records: In the order in which they were run.
  ///   - left: How many runs were selected and not made.
  ///   - stop: Why they were not made, in a sentence; `nil` when enough had failed.
  ///   - hasList: Whether they were compared with a list of known failures.
  ///   - listsAll: Whether all failures of a cause are listed, however many there are.
  ///   - remarks: What else is known of the client, in sentences without a full stop.
  ///   - seeds: The seeds of the runs.
  ///   - milliseconds: How long it took by the clock on the wall; `nil` leaves it out.
  public init(
    of records: [RunRecord], left: Int = 0, stop: String? = nil, hasList: Bool = false,
    listsAll: Bool = false, remarks: [String] = [], seeds: ClosedRange<UInt64>,
    milliseconds: Double? = nil
  ) {
    rows = records
    self.seeds = seeds
    self.remarks = remarks
    self.milliseconds = milliseconds
    self.left = left
    self.stop = stop
    self.hasList = hasList
    self.listsAll = listsAll
  }

  /// How the runs count in the last line.
  public var tally: Tally {
    Tally(
      passed: runs(.passed) + runs(.advised), failed: runs(.failed),
      skipped: runs(.skipped), known: runs(.known))
  }

  /// How many runs came out so.
  func runs(_ outcome: RunRecord.Outcome) -> Int { count { $0.outcome == outcome } }

  /// How many runs are so: a row stands for all that went the same way with several seeds.
  private func count(_ isSo: (RunRecord) -> Bool = { _ in true }) -> Int {
    Self.count(rows.filter(isSo))
  }

  private static func count(_ rows: [RunRecord]) -> Int { rows.reduce(0) { $0 + $1.runs } }

  /// Whether no run passed or failed, so that nothing is known of the client.
  public var isEmpty: Bool { rows.allSatisfy { $0.verdict.count == .skipped } }

  /// How many runs were not judged because the client lacks something, or is of another profile.
  var unsupported: Int { count { $0.verdict == .unsupported } }

  /// `selected 412 = ran 398 + unsupported 14`.
  public var selection: String {
    let selected = count() + left
    var parts = ["ran \(count() - unsupported)"]
    if unsupported > 0 { parts.append("unsupported \(unsupported)") }
    if left > 0 { parts.append("not run \(left)") }
    return "selected \(selected) = " + parts.joined(separator: " + ")
  }
}

extension RunRecord.Outcome {
  /// How a run counts that is compared with no list.
  init(_ verdict: Verdict) {
    switch verdict.count {
    case _ where verdict == .advice: self = .advised
    case .passed: self = .passed
    case .failed: self = .failed
    case .skipped: self = .skipped
    }
  }
}

/// A seed as a number, or as text when it is too large for a number of JSON.
func seedJSON(_ seed: UInt64) -> JSON {
  seed < 1 << 53 ? .count(seed) : .string(String(seed))
}

/// `7`, or `1..20`.
func seedText(_ seeds: ClosedRange<UInt64>) -> String {
  seeds.count == 1 ? "\(seeds.lowerBound)" : "\(seeds.lowerBound)..\(seeds.upperBound)"
}

/// `seed 7`, or `seeds 1..20`.
func seedWords(_ seeds: ClosedRange<UInt64>) -> String {
  "seed\(seeds.count == 1 ? "" : "s") " + seedText(seeds)
}

extension Summary {
  /// The counts by verdict, why runs were skipped, what failed, and the last line; ends with a line
  /// feed.
  public func text(_ palette: Palette = .plain) -> String {
    var lines = [overview, selection] + skipped + known + remarks.map(ascii) + [""]
    let failures = failures(palette)
    if !failures.isEmpty { lines += failures + [""] }
    if !advice.isEmpty { lines += advice + [""] }
    if let stop { lines += [palette.paint(ascii(stop), .bad), ""] }
    return (lines + [tally.line]).map { $0 + "\n" }.joined()
  }

  private var overview: String {
    let verdicts = counts.map { "\($0.count) \($0.verdict.rawValue)" }
    let counted = verdicts.isEmpty ? "nothing ran" : verdicts.joined(separator: ", ")
    return "\(extent): \(counted)   \(seedWords(seeds))\(elapsed(milliseconds))"
  }

  /// `112 scenarios`, or `336 runs of 112 scenarios` when some were run in several profiles.
  private var extent: String {
    let scenarios = Set(rows.map(\.scenario)).count
    let named = counted(scenarios, "scenario")
    return scenarios == count() ? named : "\(counted(count(), "run")) of \(named)"
  }

  var counts: [(verdict: Verdict, count: Int)] {
    Verdict.allCases.map { verdict in (verdict, count { $0.verdict == verdict }) }
      .filter { $0.count > 0 }
  }

  /// `  1 unsupported: it is for wilddog-2, firebase`, a line for each reason, the most frequent first.
  private var skipped: [String] {
    var reasons = TextCounts()
    for row in rows where row.verdict == .unsupported {
      reasons.add(ascii(row.reason ?? "no reason given"), row.runs)
    }
    return reasons.entries.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map { "  \($0.element.count) unsupported: \($0.element.text)" }
  }

  /// `known failures: 3 as listed, 1 stale`, when there is a list.
  private var known: [String] {
    if !hasList { return [] }
    let words = [
      ("known", "as listed"), ("stale", "stale"), ("different", "in another way"),
      ("expired", "expired"), ("renamed", "perhaps renamed"),
    ]
    let counts = words.compactMap { word, name in
      let count = self.count { $0.knownStatus.word == word }
      return count > 0 ? "\(count) \(name)" : nil
    }
    let extent = counts.isEmpty ? "none met" : counts.joined(separator: ", ")
    let hasFailures = rows.contains { $0.outcome == .failed }
    return ["known failures: " + extent]
      + (hasFailures
        ? ["  behind each its signature: \(KnownFailure.signatureMeaning)"] : [])
  }

  /// How many scenarios of a cause are listed.
  private static let listed = 12

  /// What failed, by cause: the cause with a count where there are several, the rule that most likely
  /// is broken, and its scenarios, the simplest first.
  private func failures(_ palette: Palette) -> [String] {
    let failed = rows.filter { $0.outcome == .failed }
    let hasHeads = Set(failed.map(\.scenario)).count > 1
    return failed.grouped(by: \.cause).enumerated().flatMap { index, rows in
      let runs = Self.count(rows)
      let scenarios = Set(rows.map(\.scenario)).count
      let extent = runs > 1 ? "\(runs) runs of \(counted(scenarios, "scenario"))" : "1 run"
      let rule = rows[0].namedRule.map { "   likely rule \($0)" }
      let head = palette.paint(rows[0].cause, .strong) + "   " + extent + (rule ?? "")
      return (hasHeads ? (index > 0 ? [""] : []) + [head] : [])
        + list(rows.simplestFirst(by: \.steps), saysWhat: hasHeads, palette)
    }
  }

  /// A line for each scenario that failed in one way, with the profiles and, where it is not the only
  /// one, what is wrong.
  private func list(_ failed: [RunRecord], saysWhat: Bool, _ palette: Palette) -> [String] {
    let groups = failed.grouped {
      $0.scenario == $1.scenario && $0.word == $1.word && $0.signature == $1.signature
        && $0.runs == $1.runs && $0.seeds == $1.seeds && $0.unsteady == $1.unsteady
    }
    let merged = groups.map { group in
      var row = group[0]
      row.profile = group.map(\.profile).joined(separator: ", ")
      return row
    }
    let shown = listsAll ? merged : Array(merged.prefix(Self.listed))
    // A list of known failures needs the signature.
    let room = room(beside: shown)
    let lines = table(of: shown) { row in
      let seeds = row.seeds.isEmpty ? nil : row.seedList
      let sentence = saysWhat ? Truncation.clauses(of: ascii(row.sentence), to: room) : nil
      return [hasList ? row.signature : sentence, seeds, row.unsteady].compactMap(\.self)
        .joined(separator: "  ")
    }
    let painted = zip(lines, shown).map { line, row in
      "  " + palette.paint(row.word, .bad) + line.dropFirst(row.word.count)
    }
    let rest = merged.count - shown.count
    return painted + (rest > 0 ? ["  ... and \(rest) more (--all)"] : [])
  }

  /// How much of a sentence stands on the lines of runs.
  private func room(beside rows: [RunRecord]) -> Int {
    let columns: [(RunRecord) -> Int] = [
      { $0.word.count }, { ascii($0.scenario).count }, { $0.profile.count },
    ]
    let taken = columns.map { width in rows.map(width).max() ?? 0 }.reduce(2) { $0 + $1 + 2 }
    return max(30, TextReport.width - taken)
  }

  /// What clients should do and did not, with the rule that says so.
  private var advice: [String] {
    let advised = rows.filter { $0.outcome == .advised }
    if advised.isEmpty { return [] }
    return ["advice: \(advised.count) (what clients should do; --strict makes failures of it)"]
      + table(of: advised, last: { $0.namedRule.map { "rule \($0)" } ?? "" }).map { "  " + $0 }
  }

  private func table(of rows: [RunRecord], last: (RunRecord) -> String) -> [String] {
    TextTable(rows.map { [$0.word, ascii($0.scenario), $0.profile, last($0)] }).lines
  }

  /// The summary as one JSON object on a line of its own, with who was tested where that is known.
  public func json(_ header: RunHeader? = nil) -> String {
    let failed = rows.filter { $0.outcome == .failed }
    let extent: [JSON.Member] = [
      .init("runs", .count(count())),
      .init("scenarios", .count(Set(rows.map(\.scenario)).count)),
      .init("selected", .count(count() + left)),
      .init("unsupported", .count(unsupported)),
      .init("notRun", .count(left)),
    ]
    let outcome: [JSON.Member] = [
      .init("known", .count(runs(.known))),
      .init("advice", .count(runs(.advised))),
      .init("verdicts", .object(counts.map { .init($0.verdict.rawValue, .count($0.count)) })),
      .init("failures", .array(failed.map(\.identity))),
      .init("seed", seedJSON(seeds.lowerBound)),
    ]
    let rest: [JSON.Member] =
      (seeds.count > 1 ? [.init("seeds", .string(seedText(seeds)))] : [])
      + (remarks.isEmpty ? [] : [.init("remarks", .strings(remarks))])
      + (stop.map { [.init("stopped", .string($0))] } ?? [])
    return summaryLine(
      extent + tally.members + outcome, milliseconds: milliseconds,
      after: (header?.members ?? []) + rest)
  }
}

extension RunRecord {
  /// Why it counts as failed, in capitals: its verdict, or how it compares with the list of known
  /// failures.
  fileprivate var word: String {
    switch knownStatus {
    case .stale: "STALE"
    case .expired: "EXPIRED"
    case .renamed: "RENAMED"
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

/// Texts and how often each came up, in the order in which they did first.
package struct TextCounts {
  package private(set) var entries: [(text: String, count: Int)] = []

  package init() {}

  package init(_ texts: some Sequence<String>) {
    for text in texts { add(text) }
  }

  package mutating func add(_ text: String, _ count: Int = 1) {
    if let index = entries.firstIndex(where: { $0.text == text }) {
      entries[index].count += count
    } else {
      entries.append((text, count))
    }
  }
}

/// The totals of a command as one JSON object on a line of its own, with how long it took by the
/// clock on the wall.
package func summaryLine(
  _ members: [JSON.Member], milliseconds: Double?, after rest: [JSON.Member] = []
) -> String {
  let time = JSON.Member("milliseconds", milliseconds.map { .number($0.rounded()) } ?? .null)
  return JSON.object([.init("summary", .object(members + [time] + rest))]).text + "\n"
}

/// `   3.1 s`, always with one digit behind the point; empty where it is not known.
package func elapsed(_ milliseconds: Double?) -> String {
  guard let milliseconds else { return "" }
  let tenths = Int((milliseconds / 100).rounded())
  return "   \(tenths / 10).\(tenths % 10) s"
}

/// Which runs took longest by the clock on the wall.
public enum SlowestRuns {
  /// A line for each of the slowest runs, the slowest first, below a heading; nothing for none.
  public static func text(of records: [RunRecord], _ count: Int) -> String {
    guard count > 0, !records.isEmpty else { return "" }
    let slowest = records.enumerated().sorted {
      ($1.element.milliseconds, $0.offset) < ($0.element.milliseconds, $1.offset)
    }.prefix(count).map(\.element)
    let rows = slowest.map { record in
      let tenths = Int((record.milliseconds * 10).rounded())
      return ["\(tenths / 10).\(tenths % 10) ms", ascii(record.scenario), record.profile]
    }
    return (["slowest"] + TextTable(rows, right: [0]).lines.map { "  " + $0 } + [""]).map {
      $0 + "\n"
    }.joined()
  }
}
