internal import ClientInterface
internal import Conformance
internal import Document
internal import Mutants
public import Scenario
internal import Search

/// Which defects the kit notices, and which check catches each: the measure of its power.
public struct KillMatrix: Sendable {
  /// One for each mutant, in the order of `Mutant.all`.
  public let rows: [MutantResult]
  /// One for each conforming variant.
  public let variants: [MutantResult]
  /// The scenarios that fail no mutant.
  public let idleScenarios: [String]

  /// Draws up the matrix.
  ///
  /// - Parameters:
  ///   - evidence: For mutants and variants, in any order.
  ///   - scenarios: The suite; what it does not kill with is reported only when all mutants are in it.
  public init(_ evidence: [MutantResult], scenarios: [Scenario]) {
    let byName = Dictionary(evidence.map { ($0.mutant.name, $0) }) { first, _ in first }
    rows = Mutant.all.compactMap { byName[$0.name] }
    variants = Mutant.benign.compactMap { byName[$0.name] }
    guard rows.count == Mutant.all.count else {
      idleScenarios = []
      return
    }
    let killing = Set(rows.flatMap { $0.suite.failing + $0.invariants.failing })
    var idle: [String] = []
    for family in scenarios.map(\.family) where !killing.contains(family) && idle.last != family {
      idle.append(family)
    }
    idleScenarios = idle
  }

  /// The mutants that nothing noticed, in the order of `rows`; takes linear time in their number.
  public var survivors: [MutantResult] { rows.filter { !$0.isKilled } }

  /// The conforming variants that were found fault with.
  public var flagged: [MutantResult] { variants.filter(\.isKilled) }

  /// Whether every defect was noticed and nothing else.
  public var isPerfect: Bool { survivors.isEmpty && flagged.isEmpty }

  /// In how many mutants a way of looking has found something.
  func count(_ finds: (MutantResult) -> Bool) -> Int { rows.filter(finds).count }
}

extension [Double] {
  /// The median and what few exceed, in words.
  var spread: String? {
    guard let median = percentile(50), let most = percentile(95) else { return nil }
    return "median \(Int(median.rounded())), 95 % within \(Int(most.rounded()))"
  }

  /// The value that so many percent of all do not exceed; `nil` of none.
  func percentile(_ percent: Int) -> Double? {
    let sorted = sorted()
    guard let last = sorted.indices.last else { return nil }
    return sorted[(last * percent + 50) / 100]
  }
}

extension [Int] {
  var spread: String? { map(Double.init).spread }
}

extension KillMatrix {
  /// A line for each mutant, as soon as it is examined.
  public static func line(_ evidence: MutantResult) -> String {
    let verdict =
      evidence.mutant.component == .benign
      ? (evidence.isKilled ? "FLAGGED" : "passes") : (evidence.isKilled ? "killed" : "SURVIVES")
    var parts = ["\(evidence.suite.failing.count) scenarios" + time(evidence.times.suite)]
    parts.append("\(evidence.invariants.ids.count) invariants" + time(evidence.times.invariants))
    if let hunt = evidence.hunt {
      parts.append("\(hunt.signature.text) after \(hunt.seed)" + time(evidence.times.hunt))
    } else {
      parts.append("hunt: nothing in \(evidence.hunted)")
    }
    if let shrunk = evidence.shrunk {
      parts.append(
        "\(shrunk.steps) steps after \(shrunk.executions)" + time(evidence.times.shrinking)
          + (shrunk.isMinimal ? "" : ", not minimal")
          + (shrunk.isConfirmed ? "" : ", not confirmed"))
    }
    return "\(verdict)  \(evidence.mutant.name)  \(parts.joined(separator: ", "))\n"
  }

  private static func time(_ milliseconds: Double?) -> String {
    milliseconds.map { " (\(Int($0.rounded())) ms)" } ?? ""
  }

  /// The sum of it all.
  public var text: String {
    var lines: [String] = []
    lines += survivors.map { "survives: \($0.mutant.name): \($0.mutant.sentence)" }
    lines += flagged.map { "flagged: \($0.mutant.name): \($0.finding)" }
    if !idleScenarios.isEmpty {
      lines.append("scenarios that fail no mutant: \(idleScenarios.count)")
    }
    lines += speeds.map { "\($0.way): \($0.text)" }
    lines += ((shrinking?.lines ?? []) + causes).map { "\($0.what): \($0.text)" }
    lines.append(
      "\(rows.count - survivors.count) of \(rows.count) mutants noticed, "
        + "\(flagged.count) of \(variants.count) conforming variants flagged")
    return lines.joined(separator: "\n") + "\n"
  }

  /// How soon each way of looking notices a mutant.
  var speeds: [(way: String, text: String)] {
    let ways: [(String, [Double])] = [
      ("scenarios", rows.compactMap(\.times.suite)),
      ("invariants", rows.compactMap(\.times.invariants)),
      ("hunt", rows.compactMap(\.times.hunt)),
    ]
    return ways.map { way, milliseconds in
      let spread = milliseconds.spread.map { "\(milliseconds.count) noticed, \($0) ms" }
      return (way, spread ?? "nothing noticed")
    }
  }
}

extension KillMatrix {
  /// The matrix as a document that is the same whenever the verdicts are.
  public var markdown: String {
    let parts = [
      Self.introduction, summary, mutantTable, variantTable,
      "## Scenarios that fail no mutant\n\n\(idleScenarioText)\n",
    ]
    return parts.joined(separator: "\n")
  }

  private static let introduction = """
    # Mutants

    Generated by `kennel mutants --write Specs/mutants.md`; do not edit. `kennel mutants --check
    Specs/mutants.md` checks whether it is still correct.

    A mutant is a client, a server or a connection with one deliberate defect. A kit that passes one
    proves nothing about that defect. Three ways of looking are measured apart: the *scenarios* by
    what they expect, without invariants; the *invariants* in the runs of the same scenarios, without
    expectations; and the *hunt*, which knows neither and draws scenarios by chance, with the seeds
    1, 2, 3, ... `kennel run --client NAME` shows how a mutant fails. Under *stands for* are the defects
    of `defects.md` and the rules that it violates: `kennel coverage --strength` checks that scenarios
    of these rules notice it. Under *named* is the rule that reports of its failures name.

    What the hunt finds is made small, or else the first scenario that fails: *steps* is what is
    left, *tried* how many changed scenarios were run for it. Only the times, in milliseconds, are
    not the same whenever this is written.

    """

  private var summary: String {
    let killed = rows.count - survivors.count
    let found = rows.compactMap { $0.hunt?.seed }.map(Int.init)
    var lines = [
      "| | |", "|---|---|", "| mutants | \(rows.count) |", "| noticed | \(killed) |",
      "| by scenarios | \(count { $0.suite.first != nil }) |",
      "| by invariants | \(count { !$0.invariants.ids.isEmpty }) |",
      "| by the hunt | \(count { $0.hunt != nil }) |",
    ]
    if let spread = found.spread { lines.append("| drawn scenarios until found | \(spread) |") }
    lines += speeds.map { "| until \($0.way) notice | \($0.text) |" }
    lines += ((shrinking?.lines ?? []) + causes).map { "| \($0.what) | \($0.text) |" }
    lines.append("| conforming variants | \(variants.count), of which \(flagged.count) flagged |")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The columns of the table of mutants.
  static let columns = [
    "mutant", "where", "what is wrong", "stands for", "named", "scenarios", "first", "invariants",
    "hunt", "after", "steps", "tried",
  ]

  private var mutantTable: String {
    "## Clients, servers and connections with a defect\n\n"
      + Markdown.table(Self.columns, rows.map(cells))
  }

  /// In the order of `columns`.
  private func cells(of row: MutantResult) -> [String] {
    let mutant = row.mutant
    var cells = ["`\(mutant.name)`", mutant.component.rawValue, mutant.sentence]
    cells.append((mutant.origin + mutant.violated).joined(separator: " "))
    cells.append(row.outcome?.rule ?? "–")
    cells.append(String(row.suite.failing.count))
    cells.append(row.suite.first.map { "\($0.scenario) in \($0.profile)" } ?? "–")
    cells.append(row.invariants.ids.isEmpty ? "–" : row.invariants.shortText)
    cells.append(row.hunt?.signature.text ?? "–")
    cells.append(row.hunt.map { String($0.seed) } ?? "–")
    cells.append(row.shrunk.map { String($0.steps) } ?? "–")
    cells.append(row.shrunk.map { String($0.executions) } ?? "–")
    return cells
  }

  private var variantTable: String {
    let lines = variants.map { row in
      let verdict = row.isKilled ? "**flagged**: \(row.finding)" : "passes"
      return ["`\(row.mutant.name)`", row.mutant.sentence, verdict]
    }
    return """
      ## Conforming variants

      They differ from the reference client in what the rules leave open, and must pass.


      """ + Markdown.table(["variant", "what is different", "verdict"], lines)
  }

  private var idleScenarioText: String {
    idleScenarios.isEmpty ? "None." : idleScenarios.map { "- \($0)" }.joined(separator: "\n")
  }
}

extension MutantResult.BrokenInvariant {
  /// The first few ids.
  var shortText: String {
    let shown = ids.prefix(4).joined(separator: " ")
    return ids.count > 4 ? "\(shown) and \(ids.count - 4) more" : shown
  }
}

extension MutantResult {
  /// What was found first, in a few words.
  var finding: String {
    if let first = suite.first { return "\(first.scenario) in \(first.profile)" }
    if let id = invariants.ids.first { return "\(id) in \(invariants.failing.first ?? "")" }
    return hunt.map { "\($0.signature.text) with seed \($0.seed)" } ?? "nothing"
  }
}

/// How small what was found has become, over all mutants.
struct ShrinkingFigures {
  private let rows: [MutantResult.Shrunk]
  private let milliseconds: [Double]

  /// How many steps a person reads at a glance.
  static let few = 10

  /// `nil` when nothing was made small.
  init?(_ evidence: [MutantResult]) {
    rows = evidence.compactMap(\.shrunk)
    milliseconds = evidence.compactMap(\.times.shrinking)
    if rows.isEmpty { return nil }
  }

  var lines: [(what: String, text: String)] {
    let tries = rows.map(\.executions).spread ?? ""
    return [
      ("made small, to at most \(Self.few) steps", share { $0.steps <= Self.few }),
      ("of which nothing can be left out", share(\.isMinimal)),
      ("seen again in another process", share(\.isConfirmed)),
      ("seen only by comparison with a shadow", share(\.needsShadow)),
      ("steps that are left", rows.map(\.steps).spread ?? ""),
      ("scenarios tried for that", tries),
      ("milliseconds for that", milliseconds.spread ?? ""),
    ]
  }

  private func share(_ holds: (MutantResult.Shrunk) -> Bool) -> String {
    Search.share(rows.count(where: holds), of: rows.count)
  }
}

extension KillMatrix {
  /// How well failures are put down to their causes; nothing where none are known.
  var causes: [(what: String, text: String)] {
    let outcomes = rows.compactMap(\.outcome)
    return outcomes.isEmpty ? [] : CauseMeasurement(outcomes).figures
  }

  var shrinking: ShrinkingFigures? { ShrinkingFigures(rows) }
}
