internal import ClientInterface
public import Conformance
internal import Scenario
internal import Tree

/// What a run as a whole has shown.
public struct Summary {
  private let results: [ScenarioResult]
  private let seed: UInt64
  private let milliseconds: Double?

  /// - Parameters:
  ///   - results: In the order in which they were run.
  ///   - seed: The seed of the run.
  ///   - milliseconds: How long it took by the clock on the wall; `nil` leaves it out.
  public init(of results: [ScenarioResult], seed: UInt64, milliseconds: Double? = nil) {
    self.results = results
    self.seed = seed
    self.milliseconds = milliseconds
  }

  /// How many results count so.
  public func count(_ kind: Verdict.Count) -> Int {
    results.count { $0.verdict.count == kind }
  }

  /// Whether no run passed or failed, so that nothing is known of the client.
  public var isEmpty: Bool { count(.passed) == 0 && count(.failed) == 0 }

  /// `109 passed, 2 failed, 1 skipped`: the last line of every run, for programs to read.
  public var lastLine: String {
    "\(count(.passed)) passed, \(count(.failed)) failed, \(count(.skipped)) skipped"
  }

  /// The counts by verdict, why runs were skipped, what failed, and the last line; ends with a line feed.
  public func text(_ palette: Palette = .plain) -> String {
    var lines = [overview] + skipped + [""]
    let failures = failures(palette)
    if !failures.isEmpty { lines += failures + [""] }
    return (lines + [lastLine]).map { $0 + "\n" }.joined()
  }

  private var overview: String {
    let verdicts = counts.map { "\($0.count) \($0.verdict.rawValue)" }
    let counted = verdicts.isEmpty ? "nothing ran" : verdicts.joined(separator: ", ")
    let time = milliseconds.map { "   \(Self.seconds($0))" } ?? ""
    return "\(extent): \(counted)   seed \(seed)\(time)"
  }

  /// `112 scenarios`, or `336 runs of 112 scenarios` when some were run in several profiles.
  private var extent: String {
    let scenarios = Set(results.map(\.scenario.id)).count
    let named = counted(scenarios, "scenario")
    return scenarios == results.count ? named : "\(counted(results.count, "run")) of \(named)"
  }

  private var counts: [(verdict: Verdict, count: Int)] {
    Verdict.allCases.map { verdict in (verdict, results.count { $0.verdict == verdict }) }
      .filter { $0.count > 0 }
  }

  /// `  1 unsupported: it is for wilddog-2, firebase`, a line for each reason, as they came up.
  private var skipped: [String] {
    var reasons: [(text: String, count: Int)] = []
    for result in results where result.verdict == .unsupported {
      let text = ascii(result.reason ?? "no reason given")
      if let index = reasons.firstIndex(where: { $0.text == text }) {
        reasons[index].count += 1
      } else {
        reasons.append((text, 1))
      }
    }
    return reasons.map { "  \($0.count) unsupported: \($0.text)" }
  }

  private func failures(_ palette: Palette) -> [String] {
    var columns = Columns([.left, .left, .left])
    let failed = results.filter { $0.verdict.count == .failed }
    for result in failed {
      let verdict = result.verdict.rawValue.uppercased()
      columns.append([verdict, ascii(result.scenario.id), result.profile.name])
    }
    return zip(columns.lines, failed).map { line, result in
      let verdict = result.verdict.rawValue.uppercased()
      return "  " + palette.paint(verdict, .bad) + line.dropFirst(verdict.count)
    }
  }

  /// `3.1 s`, always with one digit behind the point.
  static func seconds(_ milliseconds: Double) -> String {
    let tenths = Int((milliseconds / 100).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

extension Summary {
  /// The summary as one JSON object on a line of its own.
  public var json: String {
    let failed = results.filter { $0.verdict.count == .failed }
    let object = JSON.object([
      .init(
        "summary",
        .object([
          .init("runs", .number(Double(results.count))),
          .init("scenarios", .number(Double(Set(results.map(\.scenario.id)).count))),
          .init("passed", .number(Double(count(.passed)))),
          .init("failed", .number(Double(count(.failed)))),
          .init("skipped", .number(Double(count(.skipped)))),
          .init(
            "verdicts",
            .object(counts.map { .init($0.verdict.rawValue, .number(Double($0.count))) })),
          .init("failures", .array(failed.map(\.identity))),
          .init("seed", seedJSON(seed)),
          .init("milliseconds", milliseconds.map { .number($0.rounded()) } ?? .null),
        ]))
    ])
    return object.text + "\n"
  }
}

extension ScenarioResult {
  fileprivate var identity: JSON {
    [
      "scenario": .string(scenario.id), "profile": .string(profile.name),
      "verdict": .string(verdict.rawValue),
    ]
  }
}

/// A seed as a number, or as text when it is too large for a number of JSON.
func seedJSON(_ seed: UInt64) -> JSON {
  seed < 1 << 53 ? .number(Double(seed)) : .string(String(seed))
}
