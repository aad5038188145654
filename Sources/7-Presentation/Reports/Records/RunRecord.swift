internal import ClientInterface
public import Conformance
internal import Document
public import Scenario
public import Search
public import Tree

/// What is kept of a run when its trace is gone: all that summaries and reports need.
///
/// It can be handed from one process to another, so that several can share the work.
public struct RunRecord: Sendable {
  /// The id of the scenario.
  public var scenario: String
  /// The title of the scenario.
  public var title: String
  /// The path of the scenario's file.
  public var file: String
  /// The name of the profile in which it ran.
  public var profile: String
  /// The seed that determined the run.
  public var seed: UInt64
  /// The verdict on the run, without regard to known failures.
  public var verdict: Verdict
  /// Why the verdict is neither pass nor fail; `nil` where nothing was given.
  public var reason: String?
  /// What the failure, or advice, has in common with others; nil without one.
  public var signature: String?
  /// What the run has in common with other failures that need no explanation of their own:
  /// `inv-39`, or `missing-event child_changed` for a broken invariant that follows from it.
  public var failureCause: String
  /// All causes that it can be put down to; which of them, other failures decide.
  public var possibleCauses: [String]
  /// The rules that the scenario cites.
  public var cited: [String]
  /// How many steps the scenario has.
  public var steps: Int
  /// The rule that the expectation is about that failed: what lists of known failures name.
  public var rule: String?
  /// The rule that the run breaks, as far as it shows by itself.
  public var brokenRule: String?
  /// The rule that most likely is broken, as far as all failures of its cause show; `nil` as long as they
  /// are not grouped.
  public private(set) var likelyRule: String?
  /// What is wrong, in a sentence; empty for a pass.
  public var sentence: String
  /// Where it shows.
  public var location: Location
  /// The report for people; empty for a pass and for what is unsupported.
  public var report: RunReport
  /// What is reported of a run whether it failed or not, in lines.
  public var notes: [String]
  /// The object for programs.
  public var json: JSON
  /// How long it took by the clock on the wall; zero when that was not measured.
  public var milliseconds: Double
  /// What a page shows of it closely; nil when no page was asked for.
  public var details: JSON?
  /// How it compares with the known failures.
  public var knownStatus = KnownFailureStatus.unlisted
  /// How many runs went this way: those with the seeds, where there are several.
  public private(set) var runs = 1
  /// The first few seeds with which runs went this way, where there are several.
  public private(set) var seeds: [UInt64] = []
  /// What came of it when it was made again in a fresh process; nil where it was not.
  public private(set) var repetition: Repetition?

  /// How the repetition of a run went.
  public struct Repetition: Hashable, Sendable {
    /// Its verdict.
    public var verdict: Verdict
    /// What it has in common with other failures; nil without one.
    public var signature: String?
  }

  /// A line of a scenario file.
  public struct Location: Hashable, Sendable {
    /// The path of the scenario file or of the fragment that it includes.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The column in Unicode scalars, counted from 1.
    public var column: Int
  }

  /// How it counts.
  public enum Outcome: String, CaseIterable, Hashable, Sendable {
    case passed
    /// It passes, and does not do all that it should.
    case advised
    /// It fails without being known, or is listed as known and does something else.
    case failed
    /// It fails as the list of known failures says.
    case known
    case skipped
  }

  /// - Parameters:
  ///   - run: The run, with its events.
  ///   - report: How failures are reported; `nil` where the record has no report for people.
  ///   - milliseconds: How long it took by the clock on the wall.
  public init(_ run: ScenarioResult, _ report: TextReport?, milliseconds: Double = 0) {
    possibleCauses =
      report?.reference.map { make in run.possibleCauses { make(run.profile) } }
      ?? [run.cause?.text ?? run.verdict.rawValue]
    failureCause = possibleCauses[0]
    rule = run.divergences.first?.rules.first
    let result = run.citing(causes: possibleCauses)
    scenario = result.scenario.id
    title = result.scenario.title
    file = result.scenario.file
    profile = result.profile.name
    seed = result.seed
    verdict = result.verdict
    reason = result.reason
    let first = result.divergences.first
    signature = Self.signature(of: result)
    // What a server under test does shows by itself which rule it breaks, whatever the scenario is about.
    let isCertain =
      if case .protocolBreach? = first?.kind { first?.subject == .server } else { false }
    cited = isCertain ? first?.rules ?? [] : result.scenario.rules.map(\.id)
    steps = result.scenario.steps.count
    brokenRule = first?.rules.first
    sentence = verdict == .pass ? "" : result.sentence
    location = Location(
      file: first?.file ?? file, line: first?.position.line ?? 1,
      column: first?.position.column ?? 1)
    let clues = report?.clues(in: result)
    self.report = report?.report(on: result, clues) ?? RunReport()
    notes = TextReport.notes(on: result)
    let member = [JSON.Member("cause", .string(failureCause))]
    let players = report?.players(of: result) ?? []
    let fleet = JSON.object(players.map { .init($0.client, .string($0.implementation)) })
    json = .object(
      JSONReport.members(of: result, result.divergencesJSON(clues))
        + (players.isEmpty ? [] : [.init("players", fleet)])
        + (verdict.count == .failed ? member : []))
    self.milliseconds = milliseconds
  }

  private static func signature(of result: ScenarioResult) -> String? {
    result.signature?.text
      ?? (result.verdict.count == .failed ? result.verdict.rawValue : nil)
  }

  /// The report for people as text.
  public var text: String { report.text }

  /// The scenario, of whatever profile.
  private var name: [String] { [scenario, file] }

  /// The same runs, each failure put down to one of the causes that it can have, so that few causes
  /// explain all failures, and with the rule that most likely is broken then.
  ///
  /// - Parameters:
  ///   - records: All runs.
  ///   - rules: The text of a rule that the report of a failure does not have is looked up there.
  /// - Returns: The runs in the same order.
  public static func grouped(_ records: [RunRecord], _ rules: RuleBook? = nil) -> [RunRecord] {
    let failed = records.indices.filter { records[$0].verdict.count == .failed }
    let causes = FailureGroups.causes(of: failed.map { records[$0].possibleCauses })
    let broken = BrokenRule(passed: records.filter { $0.verdict.count == .passed }.map(\.cited))
    var grouped = records
    for group in Array(zip(failed, causes)).grouped(by: \.1) {
      // An adapter that ends or does not answer is about no rule.
      let isJudged = group.contains { index, _ in records[index].verdict == .fail }
      let rule =
        isJudged
        ? broken.rule(
          of: group.map { index, _ in
            (records[index].cited, records[index].rule, records[index].possibleCauses)
          }) : nil
      for (index, cause) in group { grouped[index].isGrouped(under: cause, rule, rules) }
    }
    return grouped
  }

  private mutating func isGrouped(under cause: String, _ rule: String?, _ rules: RuleBook?) {
    failureCause = cause
    json = .object(
      (json.members ?? []).map { $0.name == "cause" ? JSON.Member("cause", .string(cause)) : $0 })
    likelyRule = rule
    guard let brokenRule, let rule, rule != brokenRule, !report.findings.isEmpty else { return }
    report.findings[0].rules.insert(RuleNote(rule, "likely ", in: profile, rules), at: 0)
  }

  /// Which implementation played which client, where there are several.
  public var players: String? {
    json["players"]?.members?.map { "\($0.name): \($0.value.string ?? "")" }
      .joined(separator: ", ")
  }

  /// The rule that reports name.
  var namedRule: String? { likelyRule ?? brokenRule }

  /// How well known failures are grouped: entries with one issue, or without an issue with one note, have
  /// one cause. Failures of which neither is known do not count.
  public static func groupQuality(of records: [RunRecord]) -> GroupQuality {
    var quality = GroupQuality()
    quality.add(
      records.compactMap { record in
        guard record.outcome == .known, let entry = record.knownStatus.entry,
          let cause = entry.issue ?? entry.note
        else { return nil }
        return (record.failureCause, cause)
      })
    return quality
  }

  /// How it counts, once it is known how it compares with the known failures.
  public var outcome: Outcome {
    switch knownStatus {
    case .known: .known
    case .stale, .different, .expired, .renamed: .failed
    case .unlisted: Outcome(verdict)
    }
  }

  /// What the list of known failures is asked about it.
  public var runEnd: RunEnd {
    let end: RunEnd.End =
      switch verdict.count {
      case _ where verdict == .kitError: .fault
      case _ where verdict == .advice: .advised
      case .passed: .passed
      case .failed: .failed(signature ?? verdict.rawValue, rule: rule)
      case .skipped: .skipped
      }
    return RunEnd(scenario, in: profile, end)
  }

  /// What a report says in one line: what is wrong, how it compares with the known failures, and
  /// whether it fails again.
  public var message: String {
    let wrong: String? = if case .stale = knownStatus { nil } else { sentence }
    let failing = verdict.count == .failed && !seeds.isEmpty ? "with \(seedList)" : nil
    return [wrong, knownStatus.sentence, unsteadiness, failing].compactMap(\.self)
      .joined(separator: "; ")
  }

  /// The object for programs with how it compares with the known failures, as a line.
  public var line: String {
    object.text + "\n"
  }

  /// The object for programs with how it compares with the known failures.
  public var object: JSON {
    var members = json.members ?? []
    if let repetition { members.append(.init("repeated", repetition.json)) }
    if let likelyRule { members.append(.init("likelyRule", .string(likelyRule))) }
    if !seeds.isEmpty { members += seedMembers }
    if let word = knownStatus.word, let entry = knownStatus.entry {
      members.append(.init("known", entry.json(word)))
    }
    return .object(members)
  }

  private var seedMembers: [JSON.Member] {
    [.init("runs", .count(runs)), .init("seeds", .array(seeds.map(seedJSON)))]
  }

  /// All of it but how it compares with the known failures, for another process of the same
  /// program.
  public var transfer: JSON {
    [
      "runs": .count(runs), "seeds": .strings(seeds.map { String($0) }),
      "repeated": repetition?.json ?? .null,
      "scenario": .string(scenario), "title": .string(title), "file": .string(file),
      "profile": .string(profile), "seed": .string(String(seed)),
      "verdict": .string(verdict.rawValue), "reason": .optional(reason),
      "signature": .optional(signature), "cause": .string(failureCause),
      "causes": .strings(possibleCauses), "cited": .strings(cited), "steps": .count(steps),
      "rule": .optional(rule), "brokenRule": .optional(brokenRule),
      "sentence": .string(sentence),
      "at": .string(location.file), "line": .count(location.line),
      "column": .count(location.column), "findings": .array(report.findings.map(\.transfer)),
      "commands": .strings(report.commands), "notes": .strings(notes), "json": json,
      "milliseconds": .number(milliseconds), "details": details ?? .null,
    ]
  }

  /// Reads what another process handed over; `nil` for anything else.
  public init?(transfer: JSON) {
    guard let scenario = transfer["scenario"]?.string, let title = transfer["title"]?.string,
      let file = transfer["file"]?.string, let profile = transfer["profile"]?.string,
      let seed = (transfer["seed"]?.string).flatMap({ UInt64($0) }),
      let verdict = (transfer["verdict"]?.string).flatMap({ Verdict(rawValue: $0) }),
      let sentence = transfer["sentence"]?.string, let at = transfer["at"]?.string,
      let line = transfer["line"]?.integer, let column = transfer["column"]?.integer,
      let findings = transfer["findings"]?.elements, let notes = transfer["notes"]?.elements,
      let commands = transfer["commands"]?.elements, let json = transfer["json"],
      case let .number(milliseconds)? = transfer["milliseconds"]
    else { return nil }
    (self.scenario, self.title, self.file, self.profile) = (scenario, title, file, profile)
    (self.seed, self.verdict) = (seed, verdict)
    reason = transfer["reason"]?.string
    signature = transfer["signature"]?.string
    failureCause = transfer["cause"]?.string ?? signature ?? verdict.rawValue
    possibleCauses = transfer["causes"]?.elements?.compactMap(\.string) ?? [failureCause]
    cited = transfer["cited"]?.elements?.compactMap(\.string) ?? []
    steps = transfer["steps"]?.integer ?? 0
    rule = transfer["rule"]?.string
    brokenRule = transfer["brokenRule"]?.string
    self.sentence = sentence
    location = Location(file: at, line: line, column: column)
    report = RunReport(
      findings: findings.compactMap { Finding(transfer: $0) },
      commands: commands.compactMap(\.string))
    (self.notes, self.json) = (notes.compactMap(\.string), json)
    self.milliseconds = milliseconds
    details = transfer["details"].flatMap { $0 == .null ? nil : $0 }
    runs = transfer["runs"]?.integer ?? 1
    seeds = transfer["seeds"]?.elements?.compactMap { $0.string.flatMap { UInt64($0) } } ?? []
    repetition = transfer["repeated"].flatMap { Repetition($0) }
  }
}

extension RunRecord {
  /// How many seeds are kept of each way in which runs go.
  private static let keptSeeds = 8

  /// Notes that this is the run with one of several seeds.
  public mutating func begin(seed: UInt64) { seeds = [seed] }

  /// Whether a run of the same scenario in the same profile went this way.
  public func isWay(of result: ScenarioResult) -> Bool {
    verdict == result.verdict && reason == result.reason
      && signature == Self.signature(of: result)
  }

  /// Counts a run that went this way with another seed.
  public mutating func add(seed: UInt64, milliseconds: Double) {
    runs += 1
    self.milliseconds += milliseconds
    if seeds.count < Self.keptSeeds { seeds.append(seed) }
  }

  /// Notes what came of it in a fresh process.
  public mutating func repeats(as result: ScenarioResult) {
    repetition = Repetition(verdict: result.verdict, signature: Self.signature(of: result))
  }

  /// Whether it went the same way again, or was not made again.
  public var isSteady: Bool { unsteadiness == nil }

  /// `fails 1 of 2`, where a failure does not repeat.
  var unsteady: String? {
    guard let repetition,
      repetition != Repetition(verdict: verdict, signature: signature)
    else { return nil }
    return repetition.verdict.count == .failed ? "fails in 2 ways" : "fails 1 of 2"
  }

  /// That a failure does not repeat, in a sentence without a full stop.
  var unsteadiness: String? {
    guard let unsteady, let repetition else { return nil }
    let other =
      repetition.verdict.count == .failed
      ? "has the signature \"\(repetition.signature ?? "")\""
      : repetition.verdict.count == .passed ? "passes" : "is \(repetition.verdict.rawValue)"
    return
      "it \(unsteady): the same run in a fresh process \(other), so that something besides the seed "
      + "decides, such as what a process keeps from run to run"
  }

  /// `10 seeds: 1, 5, 6, ...`, or `seed 7`; empty where there are not several.
  var seedList: String {
    let list = seeds.map(String.init).joined(separator: ", ")
    return (runs > 1 ? "\(runs) seeds: " : "seed ") + list + (runs > seeds.count ? ", ..." : "")
  }
}

extension RunRecord.Repetition {
  fileprivate var json: JSON {
    ["verdict": .string(verdict.rawValue), "signature": .optional(signature)]
  }

  fileprivate init?(_ json: JSON) {
    guard let verdict = (json["verdict"]?.string).flatMap({ Verdict(rawValue: $0) }) else {
      return nil
    }
    self.init(verdict: verdict, signature: json["signature"]?.string)
  }
}

extension KnownFailure {
  /// The entry as the member `known` of a result has it.
  func json(_ knownStatus: String) -> JSON {
    [
      "standing": .string(knownStatus), "kind": .string(kind.rawValue),
      "signature": .string(signature), "issue": .optional(issue),
      "until": .optional(until?.description), "file": .string(file), "line": .count(position.line),
      "note": .optional(note),
    ]
  }
}

extension RunRecord {
  /// What is reported about one scenario in several profiles; what went the same way in several is
  /// reported once. Known failures are not reported: that they are known is enough.
  public static func text(of records: [RunRecord]) -> String { text(of: records, records) }

  /// What is reported about all runs, where each cause is explained once: by the simplest scenario that
  /// shows it.
  public static func text(explaining records: [RunRecord]) -> String {
    let simplest = simplest(of: records)
    return records.grouped(by: \.name).map { runs in
      text(
        of: runs,
        runs.filter { run in
          guard run.outcome == .failed || run.outcome == .advised, let first = simplest[run.cause]
          else { return true }
          return first.name == run.name && first.failsLike(run)
        })
    }.joined()
  }

  private static func text(of records: [RunRecord], _ explained: [RunRecord]) -> String {
    let failures = TextReport.merged(
      explained.filter { $0.outcome != .known }.map { ($0.report, $0.profile) })
    return failures + locatedFindings(on: records)
      + TextReport.text(ofNotes: records.map { ($0.scenario, $0.notes, $0.profile) })
  }

  /// How runs compare with the list of known failures, where that makes them fail, and which fail
  /// without failing again.
  private static func locatedFindings(on records: [RunRecord]) -> String {
    findings(on: records.filter { $0.outcome == .failed }) { record in
      record.knownStatus.word.map { ($0, record.knownStatus.sentence ?? "") }
    } + findings(on: records) { record in record.unsteadiness.map { ("unsteady", $0) } }
  }

  private static func findings(
    on records: [RunRecord], _ finding: (RunRecord) -> (word: String, sentence: String)?
  ) -> String {
    let found = records.filter { finding($0) != nil }
    let groups = RecordGroup.groups(of: found) { finding($0)?.sentence == finding($1)?.sentence }
    return groups.map { group in
      guard let (word, sentence) = finding(group.first) else { return "" }
      let head = "\(word.uppercased())  \(ascii(group.first.scenario))  \(group.names)"
      return ([head] + TextReport.paragraph(sentence) + [""]).map { $0 + "\n" }.joined()
    }.joined()
  }
}
