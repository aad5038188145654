import AdapterProtocol
package import AdapterSessions
package import ClientInterface
import Conformance
import Document
import RealClock
import Reports
package import Scenario
package import System
import Trace
import Tree

/// Looks at an adapter from all sides: first at the conversation, then at what it declares.
package struct Doctor {
  private let options: CheckSettings
  private var words: RandomNumbers
  private var tally = Tally()
  private var hello = AdapterHello(name: "", version: "", capabilities: [])

  package var hasFailed: Bool { tally.failed > 0 }

  package init(_ options: CheckSettings) {
    self.options = options
    words = RandomNumbers(seed: options.seed)
  }

  /// Makes all checks, and reports each as soon as it was made.
  ///
  /// - Parameters:
  ///   - scenarios: Reads the scenarios from which one for each capability is chosen. It is called
  ///     only when the adapter has introduced itself.
  ///   - notify: Receives each finding.
  /// - Throws: `Failure.notStarted` when the adapter cannot be started again, and what the two
  ///   functions throw.
  package mutating func examine(
    with scenarios: () throws(Failure) -> [Scenario], notify: (CheckResult) throws(Failure) -> Void
  ) throws(Failure) {
    let introduction = introduction()
    try report(introduction, notify)
    guard case .well = introduction.outcome else { return }
    try report(unknownVerb(), notify)
    try report(unknownOperation(), notify)
    try report(unknownMembers(), notify)
    try report(ending("it ends on bye", .bye), notify)
    try report(ending("it ends when its input ends", .endOfInput), notify)

    let session = try AdapterSession(options.adapter)
    session.givesUp = false
    let subject = ClientUnderTest(session)
    for trial in ProtocolCheck.all { try report(finding(trial, subject), notify) }
    let tour = CapabilityCheck(
      try scenarios().filter { isPossible($0) }, hello.abilities, options.profile)
    try report(repetition(tour, session), notify)
    for stop in tour.stops { try report(finding(stop, subject), notify) }
    undeclared = tour.undeclared
    runnable = tour.runnable
    gains = tour.gains
  }

  private var undeclared: [String] = []
  private var runnable = (count: 0, all: 0)
  private var gains: [(capability: String, count: Int)] = []
  /// How many capabilities are proposed.
  private static let proposals = 3

  private mutating func report(
    _ finding: CheckResult, _ notify: (CheckResult) throws(Failure) -> Void
  ) throws(Failure) {
    switch finding.outcome {
    case .well: tally.passed += 1
    case .bad: tally.failed += 1
    case .absent: tally.skipped += 1
    }
    try notify(finding)
  }

  private static func more(_ count: Int) -> String {
    count == 1 ? "1 more scenario" : "\(count) more scenarios"
  }

  /// What is new in the protocol for the adapter; empty for nothing.
  private var news: String {
    let current = ProtocolChange.revision
    if hello.revision > current {
      return
        "the adapter is for revision \(hello.revision) of the protocol, this kit has \(current)\n"
    }
    let news = ProtocolChange.news(for: hello)
    if news.isEmpty || hello.name.isEmpty { return "" }
    let lines = news.map { change in
      let text = "\(change.revision)  \(change.date)  \(change.text)"
      return text.wrapped(to: lineWidth - 2).map { "  \($0)\n" }.joined()
    }
    let stated =
      hello.revision == 0
      ? "its beginning (hello states no revision)"
      : "revision \(hello.revision), which hello states"
    return "new in the protocol since \(stated):\n" + lines.joined()
      + "  state \"revision\": \(current) in hello when the adapter has what it needs of these\n"
  }

  /// What it all comes to.
  package var summary: String {
    var text = ""
    if !undeclared.isEmpty {
      let lines = ("not declared: " + undeclared.joined(separator: ", ")).wrapped(to: lineWidth)
      text += lines.map { $0 + "\n" }.joined()
    }
    for feature in Feature.allCases where hello.lacks.contains(feature) {
      text += "lacks \(feature.rawValue): \(feature.meaning)\n"
    }
    if runnable.all > 0 {
      text +=
        "\(runnable.count) of \(runnable.all) scenarios of \(options.profile.name) can judge it\n"
    }
    text += news
    if !gains.isEmpty {
      let next = gains.prefix(Self.proposals).map { "\($0.capability) (\(Self.more($0.count)))" }
      text += "declare next: " + next.joined(separator: ", ") + "\n"
    }
    return text + "\n\(tally.line)\n"
  }
}

// The conversation.

extension Doctor {
  /// Has something asked of a fresh process that has introduced itself.
  private func ask(
    _ name: String, _ body: (AdapterProcess) throws(AdapterFault) -> CheckResult.Outcome
  ) -> CheckResult {
    do throws(Failure) {
      let process = try options.adapter.makeProcess(nil)
      do throws(AdapterFault) {
        let run = AdapterRun(options.profile, seed: options.seed)
        _ = try process.ask(.hello(run), within: options.adapter.initialTimeout)
        return CheckResult(name, try body(process))
      } catch {
        let run = AdapterRun(options.profile, seed: options.seed)
        let asked = process.hello.name.isEmpty ? AdapterRequest.hello(run) : nil
        let error = AdapterError(error, in: process, asked: asked, options.adapter.command)
        return CheckResult(name, .bad(error.reason, error.context))
      }
    } catch {
      return CheckResult(name, .bad(error.description, []))
    }
  }

  private mutating func introduction() -> CheckResult {
    var hello = hello
    let finding = ask("it starts and introduces itself") { process in
      hello = process.hello
      let count = "\(hello.capabilities.count) of \(Capability.all.count) capabilities"
      let clock = hello.clock == .real ? ", real clock" : ""
      let sockets = hello.transport == .socket ? ", sockets" : ""
      return .well("\(ascii(hello.name)) \(ascii(hello.version)), \(count)\(clock)\(sockets)")
    }
    self.hello = hello
    return finding
  }

  private mutating func unknownVerb() -> CheckResult {
    let word = newWord()
    let timeout = options.adapter.timeout
    return ask("it answers not-supported to an unknown verb") { process throws(AdapterFault) in
      let answer = try process.ask(unknown: [.init(word, ["a": 1])], within: timeout)
      return Self.refusal(answer, of: "the verb \"\(word)\"")
    }
  }

  private mutating func unknownOperation() -> CheckResult {
    let word = newWord()
    let timeout = options.adapter.timeout
    return ask("it answers not-supported to an unknown call") { process throws(AdapterFault) in
      _ = try process.ask(Self.opening, within: timeout)
      let call: JSON = ["id": "c1", "op": .string(word), "path": "/a"]
      let members: [JSON.Member] = [
        .init("client", "alice"), .init("now", .number(1_480_000_000_000)), .init("call", call),
      ]
      return Self.refusal(
        try process.ask(unknown: members, within: timeout), of: "the op \"\(word)\"")
    }
  }

  /// With sockets of its own it finds no server there, which is no reason to fail.
  private static let opening = AdapterRequest.input(
    client: "alice", .open(.init(url: "http://127.0.0.1:9/?ns=default")),
    at: Instant(milliseconds: 1_480_000_000_000))

  private static func refusal(
    _ answer: AdapterDialogue.Answer, of what: String
  ) -> CheckResult.Outcome {
    if answer.refusals == ["not-supported"] { return .well(what) }
    let found =
      answer.refusals.isEmpty ? "nothing but idle" : answer.refusals.joined(separator: ", ")
    return .bad(
      "it answered \(what) with \(found); expected an error with the code \"not-supported\" and then "
        + "idle, so that a later version can add verbs", [])
  }

  private func unknownMembers() -> CheckResult {
    let timeout = options.adapter.timeout
    return ask("it ignores members that it does not know") { process throws(AdapterFault) in
      _ = try process.ask(Self.opening, adding: [.init("weather", "fine")], within: timeout)
      return .well("")
    }
  }

  private enum Sign {
    case bye, endOfInput
  }

  private func ending(_ name: String, _ sign: Sign) -> CheckResult {
    ask(name) { process in
      let isPolite = sign == .bye ? process.end() : process.endInput()
      guard isPolite else {
        return .bad("it still ran a second later, and had to be ended by a signal", [])
      }
      let ending = process.endingText ?? "it ended"
      return ending == "exit code 0"
        ? .well("") : .bad("it ended with \(ending); expected exit code 0", [])
    }
  }

  /// A word that is no verb and no operation of any version.
  private mutating func newWord() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return "x" + String((0..<9).map { _ in letters[Int(words.next() % 26)] })
  }
}

// What clients do.

extension Doctor {
  private func finding(_ trial: ProtocolCheck, _ subject: ClientUnderTest) -> CheckResult {
    guard let scenario = trial.scenario else {
      return CheckResult(trial.name, .bad("the kit cannot read its own scenario", []))
    }
    return CheckResult(trial.name, outcome(of: scenario, subject, isOwn: true))
  }

  private func finding(_ stop: CapabilityCheck.Stop, _ subject: ClientUnderTest) -> CheckResult {
    guard let scenario = stop.scenario else {
      return CheckResult(stop.name, .absent("every scenario with it needs more than is declared"))
    }
    var outcome = outcome(of: scenario, subject, isOwn: false)
    if case let .bad(sentence, rest) = outcome, let operation = stop.operation {
      let covers = "the capability \(stop.capability) covers the call \(operation.rawValue)"
      outcome = .bad(sentence, [covers] + rest)
    }
    return CheckResult(stop.name, outcome)
  }

  private func outcome(
    of scenario: Scenario, _ subject: ClientUnderTest, isOwn: Bool
  ) -> CheckResult.Outcome {
    let result = run(scenario, subject)
    switch result.verdict {
    case .pass, .advice: return .well(isOwn ? "" : scenario.id)
    case .unsupported, .inconclusive: return .absent(result.reason ?? "")
    default: break
    }
    let command =
      isOwn
      ? []
      : [
        "\(programWord) run \(shellWord(scenario.id)) --profile \(options.profile.name) "
          + options.adapter.subject
      ]
    return .bad(result.sentence, result.context + command)
  }

  private var isLive: Bool { hello.clock == .real }

  /// Whether a scenario can be run with the clock of the clients.
  private func isPossible(_ scenario: Scenario) -> Bool {
    !isLive
      || scenario.realClockUnsupportedReason(RealClockSettings(), canEndProcesses: hello.canKill)
        == nil
  }

  private func run(_ scenario: Scenario, _ subject: ClientUnderTest) -> ScenarioResult {
    guard isLive, let session = subject.adapter else {
      return subject.runner(seed: options.seed).run(scenario, in: options.profile)
    }
    let runner = RealClockRunner(
      session: session, settings: RealClockSettings(), seed: options.seed)
    do throws(Failure) {
      return try runner.run(scenario, in: options.profile)
    } catch {
      return ScenarioResult(
        scenario, options.profile, seed: options.seed, .kitError, reason: "\(error)")
    }
  }

  /// Whether the same run goes the same way again, in another process and after a reset.
  private func repetition(_ tour: CapabilityCheck, _ session: AdapterSession) -> CheckResult {
    let name = "the same run goes the same way again"
    if isLive { return CheckResult(name, .absent("on a real clock no two runs are the same")) }
    guard let scenario = tour.richest else {
      return CheckResult(name, .absent("there is no scenario for what is declared"))
    }
    let runner = ClientUnderTest(session).runner(seed: options.seed)
    let hashes = (0..<3).map { number in
      if number == 2 { session.endWaiting() }
      return runner.run(scenario, in: options.profile).hash
    }
    if Set(hashes).count == 1 { return CheckResult(name, .well("\(hashes[0])")) }
    let way =
      hashes[0] == hashes[1] ? "in a fresh process" : hello.canReset ? "after a reset" : "again"
    return CheckResult(
      name,
      .bad(
        "\(scenario.id) differed \(way); all time and randomness must come from the kit, and "
          + "nothing may depend on the order of a hash table", []))
  }
}

/// Which adapter is examined, and how.
package struct CheckSettings {
  package var adapter: AdapterOptions
  package var profile: Profile
  /// Where the names of unknown verbs and operations start.
  package var seed: UInt64

  package init(_ adapter: AdapterOptions, profile: Profile = .firebase, seed: UInt64 = 0) {
    self.adapter = adapter
    self.profile = profile
    self.seed = seed
  }
}

/// What one check of an adapter came to.
package struct CheckResult {
  /// What was looked at, as a clause without its subject.
  var name: String
  var outcome: Outcome

  enum Outcome {
    /// With what was seen; empty where there is nothing to report.
    case well(String)
    /// With a sentence, and what else is known.
    case bad(String, [String])
    /// It could not be looked at, and why.
    case absent(String)
  }

  init(_ name: String, _ outcome: Outcome) {
    self.name = name
    self.outcome = outcome
  }

  /// A line, and what is wrong below it.
  package var text: String {
    switch outcome {
    case let .well(detail): line("ok  ", detail)
    case let .absent(reason): line("--  ", reason)
    case let .bad(sentence, rest):
      line("FAIL", "")
        + (ascii(sentence).wrapped(to: 92) + rest.map(ascii)).map { "        \($0)\n" }
        .joined()
    }
  }

  private func line(_ mark: String, _ detail: String) -> String {
    let padding = String(repeating: " ", count: max(0, 44 - name.count))
    return detail.isEmpty ? "\(mark)  \(name)\n" : "\(mark)  \(name)\(padding)  \(detail)\n"
  }
}
