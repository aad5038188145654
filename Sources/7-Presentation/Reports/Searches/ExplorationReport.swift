internal import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
public import Search
internal import Trace
internal import Tree

extension SearchReport {
  /// For each survey the counts, a failure with the order in which it happens, and the outcomes
  /// with a witness each; then an empty line. What is the same in several profiles is reported
  /// once.
  public func text(of surveys: [ExplorationResult]) -> String {
    surveys.grouped { body(of: $0, withCommands: false) }.map { group in
      let survey = group[0]
      let verb = survey.verdict == .unsupported ? "skipped " : "explored"
      let names = group.map(\.profile.name).joined(separator: ", ")
      return "\(verb)  \(ascii(survey.scenario.id))  \(names)\n\(body(of: survey))\n"
    }.joined()
  }

  // Surveys that went the same way differ in the commands that show a failure again.
  private func body(of survey: ExplorationResult, withCommands: Bool = true) -> String {
    var lines =
      survey.verdict == .unsupported
      ? [] : ([Self.counts(of: survey)] + Self.extent(of: survey)).map { "          " + $0 }
    let scenario = survey.scenario
    if scenario.judging == .invariants, survey.verdict != .unsupported {
      lines.append("          judged by the invariants alone")
      let because = scenario.fixedOrder.map { Self.wrapped("since its order is fixed: \($0)") }
      lines += because ?? []
    }
    if let reason = survey.reason {
      lines += Self.wrapped(reason)
    }
    lines += failureLines(survey, withCommands)
    if survey.findings.count > 1 { lines += outcomeLines(survey) }
    return lines.map { trimmedEnd($0) + "\n" }.joined()
  }

  /// `90 orders, complete: 2 outcomes, 1 order fails`.
  static func counts(of survey: ExplorationResult) -> String {
    var tried = counted(survey.orders, "order")
    if survey.isComplete {
      tried += ", complete"
    } else if survey.orders > 0 {
      tried = "stopped at \(tried)"
      if survey.drawn > 0 { tried += ", \(survey.drawn) more drawn" }
    } else {
      tried = "stopped at \(counted(survey.drawn, "order")), drawn"
    }
    let outcomes = counted(survey.findings.count, "outcome")
    guard survey.failures > 0 else { return "\(tried): \(outcomes)" }
    return "\(tried): \(outcomes), \(survey.failures) fail\(survey.failures == 1 ? "s" : "")"
  }

  /// What the reduction saves, and what is certain where not every order was tried.
  static func extent(of survey: ExplorationResult) -> [String] {
    var lines: [String] = []
    if let nearby = survey.nearby {
      let orders = counted(nearby.orders, "order")
      let bound = nearby.delays.map { "every order with at most \(counted($0, "delay"))" }
      lines.append("\(orders) near that of time: \(bound ?? "not even all without delays")")
    }
    guard let unreduced = survey.unreduced else { return lines }
    let all = "about \(rough(unreduced)) orders without reduction"
    if !survey.isComplete { return lines + [all] }
    guard let factor = survey.reductionFactor, factor >= 1.5 else { return lines }
    return lines + ["\(all): reduced by a factor of \(rough(factor))"]
  }

  /// Two digits of it, as no estimate has more: `17`, `1200`, `3.4e12`.
  package static func rough(_ number: Double) -> String {
    var (digits, power) = (max(0, number), 0)
    while digits >= 99.5 {
      digits /= 10
      power += 1
    }
    let rounded = Int(digits.rounded())
    if digits < 9.95, power == 0 { return "\(Int((digits * 10).rounded()) / 10)" + tenths(digits) }
    if power <= 4 { return (0..<power).reduce("\(rounded)") { text, _ in text + "0" } }
    return "\(rounded / 10).\(rounded % 10)e\(power + 1)"
  }

  /// `.4`, or nothing for a whole number.
  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded()) % 10
    return tenths == 0 ? "" : ".\(tenths)"
  }

  private func failureLines(_ survey: ExplorationResult, _ withCommands: Bool) -> [String] {
    survey.failure.map { Self.lines(of: text(of: $0, withCommands: withCommands)) } ?? []
  }

  /// How a run in one order was judged, with that order.
  public func text(of failure: ExplorationResult.Failure) -> String {
    text(of: failure, withCommands: true)
  }

  private func text(of failure: ExplorationResult.Failure, withCommands: Bool) -> String {
    var report = report(repeating: .order(failure.witness)).report(on: failure.result)
    if !withCommands { report.commands = [] }
    let judged = report.text
    let order = failure.words.isEmpty ? [] : ["", "  in this order"] + lines(of: failure.words)
    return judged + order.map { $0 + "\n" }.joined() + choices(of: failure)
  }

  /// What a scenario file must say for an ordinary run to go this way. Not where the scenario's
  /// expectations hold in one order only: they were not judged, and would be.
  private func choices(of failure: ExplorationResult.Failure) -> String {
    guard failure.result.scenario.fixedOrder == nil, failure.witness.fault == nil else { return "" }
    let choices = failure.briefChoices
    let lines = choices.yaml.split(separator: "\n").map { "    \($0)\n" }.joined()
    let way = choices == failure.choices ? "goes the same way" : "fails in the same way"
    return "\n  with this in its file 'kennel run' \(way)\n\n" + lines
  }

  private func lines(of words: [String]) -> [String] {
    words.enumerated().map { number, text in
      let number = String(number + 1)
      let margin = String(repeating: " ", count: max(0, 8 - number.count))
      return Truncation.middle(of: "\(margin)\(number)  \(ascii(text))", to: TextReport.width)
    }
  }

  private func outcomeLines(_ survey: ExplorationResult) -> [String] {
    var lines: [String] = []
    let difference = OutcomeDifference(survey.findings.map(\.runOutcome))
    let total = survey.findings.count
    for (index, finding) in survey.findings.prefix(Self.reportedFindings).enumerated() {
      let failed = finding.hasFailed ? "   fails" : ""
      let orders = counted(finding.count, "order")
      lines += ["", "  outcome \(index + 1) of \(total), in \(orders)\(failed)"]
      let other = survey.findings[index == 0 ? 1 : 0].runOutcome
      lines += difference.lines(
        of: finding.runOutcome, beside: other, names: survey.scenario.clients,
        to: TextReport.width - 4
      ).map { "    " + $0 }
      lines.append("    witness --order \(finding.witness)")
      lines += self.lines(of: finding.words)
    }
    let rest = total - min(total, Self.reportedFindings)
    if rest > 0 { lines += ["", "  ... \(counted(rest, "outcome")) not shown (--format json)"] }
    return lines
  }
}

/// What is not the same in several outcomes.
struct OutcomeDifference {
  private var threads: Set<Name> = []
  private var hasServer = false

  private struct Name: Hashable {
    var client: ClientIndex
    var label: String
  }

  init(_ runOutcomes: [RunOutcome]) {
    guard let first = runOutcomes.first else { return }
    for runOutcome in runOutcomes.dropFirst() {
      hasServer = hasServer || runOutcome.server != first.server
      let own = Set(runOutcome.threads)
      let others = Set(first.threads)
      // Only names are taken from the sets, so their order does not matter.
      for thread in own.symmetricDifference(others) {
        threads.insert(Name(client: thread.client, label: thread.label))
      }
    }
  }

  /// What this outcome is where others are something else, a line for each listener and call; all
  /// of it where the difference is in none of that. A long line is cut where it is the same as in the
  /// other outcome.
  func lines(
    of runOutcome: RunOutcome, beside other: RunOutcome, names: [String], to width: Int
  ) -> [String] {
    var pairs = runOutcome.threads.filter {
      threads.contains(Name(client: $0.client, label: $0.label))
    }.map { thread in
      let counterpart = other.threads.first {
        ($0.client, $0.label) == (thread.client, thread.label)
      }
      return (
        Self.line(of: thread, names: names), counterpart.map { Self.line(of: $0, names: names) }
      )
    }
    if hasServer { pairs.append((Self.line(of: runOutcome.server), Self.line(of: other.server))) }
    return pairs.map { own, other in Truncation.middle(of: own, other ?? own, to: width).0 }
  }

  private static func line(of server: Node) -> String { "server  " + ascii(server.description) }

  static func line(of thread: RunOutcome.Thread, names: [String]) -> String {
    let name = names.indices.contains(thread.client.number) ? names[thread.client.number] : "?"
    let text = EventText(path: thread.path)
    let periods = thread.appEvents.split(separator: .compared).map { appEvents in
      appEvents.map { appEvent in
        switch appEvent {
        case let .seen(content): text.line(of: content)
        case let .ended(outcome): EventText.text(outcome)
        case .compared: ""
        }
      }.joined(separator: "; ")
    }
    let listed = periods.joined(separator: " | ")
    return ascii("\(name).\(thread.label)  \(listed)")
  }
}

/// The end of an exploration, and its lines for programs.
public enum ExplorationSummary {
  /// The totals, what failed, and the line for programs.
  public static func text(of surveys: [ExplorationResult], milliseconds: Double? = nil) -> String {
    let orders = surveys.reduce(0) { $0 + $1.orders + $1.drawn + ($1.nearby?.orders ?? 0) }
    let total = "\(counted(orders, "order")) of \(counted(surveys.count, "run"))"
    var lines = [total + elapsed(milliseconds), ""]
    let failed = surveys.filter { $0.verdict.count == .failed }
    lines += SearchReport.failed(failed) { ($0.verdict.rawValue, $0.scenario, $0.profile.name) }
    return (lines + [Tally(surveys.map(\.verdict)).line]).map { $0 + "\n" }.joined()
  }

  /// The totals as one JSON object on a line of its own.
  public static func json(of surveys: [ExplorationResult], milliseconds: Double? = nil) -> String {
    let orders = surveys.reduce(0) { $0 + $1.orders + $1.drawn + ($1.nearby?.orders ?? 0) }
    let counts: [JSON.Member] = [
      .init("runs", .count(surveys.count)), .init("orders", .count(orders)),
    ]
    return summaryLine(
      counts + Tally(surveys.map(\.verdict)).members, milliseconds: milliseconds)
  }

  /// What was explored in one profile, as one JSON object on a line of its own.
  public static func line(of survey: ExplorationResult) -> String {
    JSON.object([
      .init("scenario", .string(survey.scenario.id)),
      .init("file", .string(survey.scenario.file)),
      .init("profile", .string(survey.profile.name)),
      .init("verdict", .string(survey.verdict.rawValue)),
      .init("reason", .optional(survey.reason)),
      .init("judge", .string(survey.scenario.judging.rawValue)),
      .init("orders", .count(survey.orders)),
      .init("drawn", .count(survey.drawn)),
      .init("complete", .bool(survey.isComplete)),
      .init("failures", .count(survey.failures)),
      .init("unreduced", survey.unreduced.map { .number($0.rounded()) } ?? .null),
      .init("nearby", survey.nearby.map(json) ?? .null),
      .init("failure", survey.failure.map(json) ?? .null),
      .init("unreached", .array(survey.unreached.map(json))),
      .init("outcomes", .array(survey.findings.map { json(of: $0, survey.scenario.clients) })),
    ]).text + "\n"
  }

  private static func json(of failure: ExplorationResult.Failure) -> JSON {
    .object([
      .init("order", .string(failure.witness.description)),
      .init("moves", .strings(failure.words)),
      .init("divergences", .array(failure.result.divergences.map(\.json))),
    ])
  }

  private static func json(of nearby: ExplorationResult.Nearby) -> JSON {
    .object([
      .init("orders", .count(nearby.orders)),
      .init("delays", nearby.delays.map { .count($0) } ?? .null),
    ])
  }

  private static func json(of location: ExplorationResult.Location) -> JSON {
    .object([
      .init("file", .string(location.file)),
      .init("line", .count(location.position.line)),
      .init("column", .count(location.position.column)),
    ])
  }

  private static func json(of finding: ExplorationResult.Finding, _ names: [String]) -> JSON {
    .object([
      .init("orders", .count(finding.count)),
      .init("failed", .bool(finding.hasFailed)),
      .init("order", .string(finding.witness.description)),
      .init("moves", .strings(finding.words)),
      .init(
        "shown",
        .array(
          finding.runOutcome.threads.map { .string(OutcomeDifference.line(of: $0, names: names)) })),
      .init("server", finding.runOutcome.server.json),
    ])
  }
}
