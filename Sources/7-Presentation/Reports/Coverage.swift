internal import ClientInterface
public import Conformance
internal import Document
public import Scenario
internal import Trace
internal import Tree

/// Which rules are tested by what, as a run of the scenarios has shown.
///
/// A scenario is evidence for the rules that it cites only where it passed: one that fails proves
/// nothing. A scenario with a matrix counts as one, and fails when any of its combinations does.
public struct Coverage: Sendable {
  /// What was asked about.
  public enum Extent: Sendable {
    /// All rules, all scenarios, all sources.
    case everything
    /// Some scenarios and the rules that they cite. What was not asked about is no gap.
    case selection
  }

  /// A rule and what tests it.
  public struct Row: Sendable {
    /// The rule that the evidence is about.
    public let rule: Rule
    /// The scenarios that cite it and passed, in the order in which they ran.
    public let scenarios: [String]
    /// The profiles in which one of them passed and in which the rule holds.
    public let profiles: [String]

    /// Whether anything tests the rule: a scenario, or what it names itself.
    public var isTested: Bool { rule.tested != .scenarios || !scenarios.isEmpty }

    /// Whether anything tests the rule in this profile.
    public func isTested(in profile: String) -> Bool {
      rule.tested != .scenarios || profiles.contains(profile)
    }
  }

  /// Whether the coverage is of everything or of a selection.
  public let extent: Extent
  /// One row for each rule, in the order of the rule book; for a selection only the cited rules.
  public let rows: [Row]
  /// The scenarios that cite nothing.
  public let scenariosWithoutRule: [String]
  /// The headings of the documents that are neither excluded nor stated by an existing rule.
  public let sourcesWithoutRule: [SourceTable.Entry]
  let runs: Runs

  /// The runs that it was drawn up of.
  struct Runs {
    var tally: Tally
    var scenarios: Int
  }

  /// Draws up which of `rules` the `results`, in the order in which they were run, are evidence
  /// for. Without a table of the sources nothing is said of them.
  public init(
    of rules: RuleBook, results: [ScenarioResult], sources: SourceTable?, extent: Extent
  ) {
    self.extent = extent
    let resultsByScenario = ResultsByScenario(results)
    let rows = rules.rules.map { resultsByScenario.row(of: $0) }
    self.rows = extent == .everything ? rows : rows.filter { resultsByScenario.cites($0.rule.id) }
    scenariosWithoutRule = resultsByScenario.scenarios.filter {
      !resultsByScenario.citing.contains($0)
    }
    let entries = extent == .everything ? sources?.entries ?? [] : []
    sourcesWithoutRule = entries.filter { entry in
      !entry.isExcluded && !entry.rules.contains { rules[$0] != nil }
    }
    runs = Runs(tally: .init(results.map(\.verdict)), scenarios: resultsByScenario.scenarios.count)
  }

  /// The rules that nothing tests.
  public var untested: [Row] { rows.filter { !$0.isTested } }

  /// The rules that are tested by something else than scenarios.
  public var testedOtherwise: [Row] { rows.filter { $0.rule.tested != .scenarios } }

  /// The MUST rules that hold for a profile and that nothing tests in it, although scenarios test
  /// them elsewhere. Of a selection nothing is said: its scenarios may run in some profiles only.
  public func untested(in profile: String) -> [Row] {
    guard extent == .everything else { return [] }
    return rows.filter {
      $0.rule.level(in: profile) == .must && $0.isTested && $0.rule.holds(for: profile)
        && !$0.isTested(in: profile)
    }
  }

  /// Whether every rule is tested that an implementation must obey, in every profile.
  public var isComplete: Bool {
    untested.allSatisfy { $0.rule.level != .must }
      && Rule.profileNames.allSatisfy { untested(in: $0).isEmpty }
  }

  /// How many rules there are of a kind, and how many of them are tested.
  struct TestedRules: Equatable {
    var rules = 0
    var tested = 0

    /// `12 of 14`, and a hyphen where there are none.
    var text: String { rules == 0 ? "-" : "\(tested) of \(rules)" }
  }

  /// The rules of a level; with a profile, those that hold for it and are tested in it.
  func tally(_ level: Rule.Level, in profile: String? = nil) -> TestedRules {
    var tally = TestedRules()
    for row in rows where (profile.map(row.rule.level(in:)) ?? row.rule.level) == level {
      guard let profile else {
        tally.rules += 1
        tally.tested += row.isTested ? 1 : 0
        continue
      }
      guard row.rule.holds(for: profile) else { continue }
      tally.rules += 1
      tally.tested += row.isTested(in: profile) ? 1 : 0
    }
    return tally
  }
}

/// The results, by scenario and profile.
private struct ResultsByScenario {
  /// The scenarios without the parameters of a matrix, in the order in which they ran.
  private(set) var scenarios: [String] = []
  /// The scenarios that cite any rule.
  private(set) var citing: Set<String> = []
  /// The scenarios that cite a rule, in the order in which they ran.
  private var citations: [RuleID: [String]] = [:]
  /// How each scenario ended in each profile.
  private var outcomes: [String: [String: Outcome]] = [:]

  private struct Outcome {
    var passed = 0
    var failed = 0

    var isEvidence: Bool { passed > 0 && failed == 0 }
  }

  init(_ results: [ScenarioResult]) {
    for result in results {
      let id = String(result.scenario.id.prefix { $0 != "[" })
      if outcomes[id] == nil { scenarios.append(id) }
      var outcome = outcomes[id, default: [:]][result.profile.name, default: Outcome()]
      switch result.verdict.count {
      // A rule that was not followed was not shown to hold.
      case .passed where result.verdict == .advice: outcome.failed += 1
      case .passed: outcome.passed += 1
      case .failed: outcome.failed += 1
      case .skipped: break
      }
      outcomes[id, default: [:]][result.profile.name] = outcome
      for rule in result.scenario.rules.compactMap({ RuleID($0.id) }) {
        citing.insert(id)
        let known = citations[rule, default: []]
        if !known.contains(id) { citations[rule] = known + [id] }
      }
    }
  }

  func cites(_ rule: RuleID) -> Bool { citations[rule] != nil }

  func row(of rule: Rule) -> Coverage.Row {
    let profiles = Rule.profileNames.filter { rule.holds(for: $0) }
    let cited = citations[rule.id] ?? []
    func passed(_ scenario: String, _ profile: String) -> Bool {
      outcomes[scenario]?[profile]?.isEvidence ?? false
    }
    return Coverage.Row(
      rule: rule,
      scenarios: cited.filter { scenario in profiles.contains { passed(scenario, $0) } },
      profiles: profiles.filter { profile in cited.contains { passed($0, profile) } })
  }
}

extension Coverage {
  /// The report for a terminal; ends with a line feed. The last line counts what must be tested.
  public var text: String {
    var lines = [overview, ""]
    lines += TextTable(tableRows).lines + [""]
    lines += matrixLines + [""]
    for section in sections where !section.rows.isEmpty {
      lines += ["\(section.title): \(section.rows.count)"]
      lines += TextTable(section.rows).lines.map { "  " + $0 } + [""]
    }
    return (lines + [lastLine]).map { ascii($0) + "\n" }.joined()
  }

  /// `765 runs of 269 scenarios passed`, and what did not.
  var overview: String {
    let tally = runs.tally
    let count = tally.passed + tally.failed + tally.skipped
    var text = "\(counted(count, "run")) of \(counted(runs.scenarios, "scenario"))"
    text += ": \(tally.passed) passed"
    if tally.failed > 0 { text += ", \(tally.failed) failed and prove nothing" }
    if tally.skipped > 0 { text += ", \(tally.skipped) skipped" }
    return text
  }

  var lastLine: String { "\(tally(.must).text) MUST rules tested" }

  /// The titles of the columns, then a row for each level.
  var tableRows: [[String]] {
    [["level", "rules"] + Rule.profileNames]
      + Rule.Level.allCases.map { level in
        [level.rawValue, tally(level).text]
          + Rule.profileNames.map { tally(level, in: $0).text }
      }
  }

  private var matrixLines: [String] {
    rows.filter { !$0.scenarios.isEmpty }.flatMap { row -> [String] in
      let scenarios = row.scenarios.joined(separator: " ").wrapped(to: TextReport.width - 4)
      return ["\(row.rule.id)  \(row.rule.force)  \(row.rule.title)"]
        + scenarios.map { "    " + $0 }
    }
  }

  /// A list with a title and the titles of its columns.
  struct Section {
    var title: String
    var columns: [String]
    var rows: [[String]]
  }

  /// Everything that deserves a list of its own.
  var sections: [Section] {
    [
      Section(
        title: "rules tested otherwise", columns: ["rule", "level", "by", "title"],
        rows: testedOtherwise.map {
          ["\($0.rule.id)", $0.rule.force, $0.rule.tested.rawValue, $0.rule.title]
        }),
      Section(
        title: "rules without a scenario", columns: ["rule", "level", "title", "at"],
        rows: untested.map {
          let location = "\($0.rule.file):\($0.rule.line)"
          return ["\($0.rule.id)", $0.rule.force, $0.rule.title, location]
        }),
    ]
      + Rule.profileNames.map { profile in
        Section(
          title: "MUST rules without a scenario in \(profile)", columns: ["rule", "title"],
          rows: untested(in: profile).map { ["\($0.rule.id)", $0.rule.title] })
      } + [
        Section(
          title: "scenarios without a rule", columns: ["scenario"],
          rows: scenariosWithoutRule.map { [$0] }),
        Section(
          title: "sources without a rule",
          columns: ["document", "heading", "line of Specs/sources.md"],
          rows: sourcesWithoutRule.map { [$0.document, $0.heading, "\($0.line)"] }),
      ]
  }
}

extension Rule {
  /// `MUST`, or `MUST of servers` where it binds no client.
  var force: String { binds == .server ? "\(level.rawValue) of servers" : level.rawValue }
}

extension Coverage {
  /// The report as a page; ends with a line feed.
  public var markdown: String {
    var lines = ["# Coverage", "", overview + ". " + lastLine + ".", ""]
    lines.append(Self.table(tableRows))
    for section in sections where !section.rows.isEmpty {
      let title = section.title.prefix(1).uppercased() + section.title.dropFirst()
      lines += ["## \(title)", "", Self.table([section.columns] + section.rows)]
    }
    lines += ["## Rules and their scenarios", ""]
    let cited = rows.filter { !$0.scenarios.isEmpty }.map { row in
      let scenarios = row.scenarios.map { "`\($0)`" }.joined(separator: " ")
      return ["\(row.rule.id)", row.rule.level.rawValue, row.rule.title, scenarios]
    }
    return lines.map { $0 + "\n" }.joined()
      + Self.table([["rule", "level", "title", "scenarios"]] + cited)
  }

  /// The first row is the head.
  private static func table(_ rows: [[String]]) -> String {
    let cells = rows.map { $0.map { $0.replacing("|", with: "\\|") } }
    return Markdown.table(cells[0], cells.dropFirst())
  }

  /// The report as one JSON object on a line of its own.
  public var json: String {
    let object: JSON = [
      "runs": .object(
        runs.tally.members + [.init("scenarios", .count(runs.scenarios))]),
      "levels": .array(Rule.Level.allCases.map(levelJSON)),
      "rules": .array(rows.map(\.json)),
      "rulesWithoutScenario": .array(untested.map { .string($0.rule.id.description) }),
      "mustRulesWithoutScenarioIn": .object(
        Rule.profileNames.map { profile in
          .init(profile, .array(untested(in: profile).map { .string($0.rule.id.description) }))
        }),
      "scenariosWithoutRule": .strings(scenariosWithoutRule),
      "sourcesWithoutRule": .array(sourcesWithoutRule.map(\.json)),
      "complete": .bool(isComplete),
    ]
    return object.text + "\n"
  }

  private func levelJSON(_ level: Rule.Level) -> JSON {
    let profiles = Rule.profileNames.map { JSON.Member($0, tally(level, in: $0).json) }
    return .object(
      [.init("level", .string(level.rawValue)), .init("all", tally(level).json)] + profiles)
  }
}

extension Coverage.TestedRules {
  fileprivate var json: JSON {
    ["rules": .count(rules), "tested": .count(tested)]
  }
}

extension Coverage.Row {
  fileprivate var json: JSON {
    [
      "id": .string(rule.id.description), "level": .string(rule.level.rawValue),
      "binds": .string(rule.binds.rawValue), "title": .string(rule.title),
      "by": .string(rule.tested.rawValue),
      "tested": .bool(isTested), "scenarios": .strings(scenarios),
      "profiles": .strings(profiles),
    ]
  }
}

extension SourceTable.Entry {
  fileprivate var json: JSON {
    [
      "document": .string(document), "heading": .string(heading), "line": .count(line),
    ]
  }
}
