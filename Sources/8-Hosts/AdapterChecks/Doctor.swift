import AdapterProtocol
import AdapterSessions
import ClientInterface
import Conformance
import Processes
import RealClock
import Reports
package import Scenario
package import System
import Text
import Trace
import Tree
import Wording

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
  ///   - tell: Receives each finding.
  /// - Throws: `Failure.notStarted` when the adapter cannot be started again, and what the two
  ///   functions throw.
  package mutating func examine(
    with scenarios: () throws(Failure) -> [Scenario], tell: (Finding) throws(Failure) -> Void
  ) throws(Failure) {
    let introduction = introduction()
    try note(introduction, tell)
    guard case .well = introduction.outcome else { return }
    try note(unknownVerb(), tell)
    try note(unknownOperation(), tell)
    try note(unknownMembers(), tell)
    try note(ending("it ends when it is told bye", .farewell), tell)
    try note(ending("it ends when its input ends", .endOfInput), tell)

    let session = try AdapterSession(options.adapter)
    session.givesUp = false
    let subject = ClientUnderTest(session)
    for trial in SmallTrial.all { try note(finding(trial, subject), tell) }
    let tour = CapabilityTour(
      try scenarios().filter { isPossible($0) }, hello.capabilities, options.profile)
    try note(repetition(tour, session), tell)
    for stop in tour.stops { try note(finding(stop, subject), tell) }
    undeclared = tour.undeclared
    runnable = tour.runnable
  }

  private var undeclared: [String] = []
  private var runnable = (count: 0, all: 0)

  private mutating func note(
    _ finding: Finding, _ tell: (Finding) throws(Failure) -> Void
  ) throws(Failure) {
    switch finding.outcome {
    case .well: tally.passed += 1
    case .bad: tally.failed += 1
    case .absent: tally.skipped += 1
    }
    try tell(finding)
  }

  /// What it all comes to.
  package var summary: String {
    var text = ""
    if !undeclared.isEmpty {
      let lines = ("not declared: " + undeclared.joined(separator: ", ")).wrapped(to: lineWidth)
      text += lines.map { $0 + "\n" }.joined()
    }
    if runnable.all > 0 {
      text +=
        "\(runnable.count) of \(runnable.all) scenarios of \(options.profile.name) can judge it\n"
    }
    return text + "\n\(tally.line)\n"
  }
}

// The conversation.

extension Doctor {
  /// Has something asked of a fresh process that has introduced itself.
  private func ask(
    _ name: String, _ body: (AdapterProcess) throws(AdapterFault) -> Finding.Outcome
  ) -> Finding {
    do throws(Failure) {
      let process = try options.adapter.makeProcess(nil)
      do throws(AdapterFault) {
        let run = AdapterRun(options.profile, seed: options.seed)
        _ = try process.ask(.hello(run), within: options.adapter.firstPatience)
        return Finding(name, try body(process))
      } catch {
        let log = process.log.text
        process.stop()
        return Finding(
          name,
          .bad(
            error.description,
            log.isEmpty ? [] : ["it wrote last on standard error:"] + log.map { "  " + $0 }))
      }
    } catch {
      return Finding(name, .bad(error.description, []))
    }
  }

  private mutating func introduction() -> Finding {
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

  private mutating func unknownVerb() -> Finding {
    let word = newWord()
    let patience = options.adapter.patience
    return ask("it says not-supported to an unknown verb") { process throws(AdapterFault) in
      let answer = try process.ask(unknown: [.init(word, ["a": 1])], within: patience)
      return Self.refusal(answer, of: "the verb \"\(word)\"")
    }
  }

  private mutating func unknownOperation() -> Finding {
    let word = newWord()
    let patience = options.adapter.patience
    return ask("it says not-supported to an unknown call") { process throws(AdapterFault) in
      _ = try process.ask(Self.opening, within: patience)
      let call: JSON = ["id": "c1", "op": .string(word), "path": "/a"]
      let members: [JSON.Member] = [
        .init("client", "alice"), .init("now", .number(1_480_000_000_000)), .init("call", call),
      ]
      return Self.refusal(
        try process.ask(unknown: members, within: patience), of: "the op \"\(word)\"")
    }
  }

  /// With sockets of its own it finds nobody there, which is no reason to fail.
  private static let opening = AdapterRequest.input(
    client: "alice", .open(.init(url: "http://127.0.0.1:9/?ns=default")),
    at: Instant(milliseconds: 1_480_000_000_000))

  private static func refusal(
    _ answer: AdapterDialogue.Answer, of what: String
  ) -> Finding.Outcome {
    if answer.refusals == ["not-supported"] { return .well(what) }
    let found =
      answer.refusals.isEmpty ? "nothing but idle" : answer.refusals.joined(separator: ", ")
    return .bad(
      "it answered \(what) with \(found); expected an error with the code \"not-supported\" and then "
        + "idle, so that a later version can add verbs", [])
  }

  private func unknownMembers() -> Finding {
    let patience = options.adapter.patience
    return ask("it ignores members that it does not know") { process throws(AdapterFault) in
      _ = try process.ask(Self.opening, adding: [.init("weather", "fine")], within: patience)
      return .well("")
    }
  }

  private enum Sign {
    case farewell, endOfInput
  }

  private func ending(_ name: String, _ sign: Sign) -> Finding {
    ask(name) { process in
      let isPolite = sign == .farewell ? process.end() : process.endInput()
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
  private func finding(_ trial: SmallTrial, _ subject: ClientUnderTest) -> Finding {
    guard let scenario = trial.scenario else {
      return Finding(trial.name, .bad("the kit cannot read its own scenario", []))
    }
    return Finding(trial.name, outcome(of: scenario, subject, isOwn: true))
  }

  private func finding(_ stop: CapabilityTour.Stop, _ subject: ClientUnderTest) -> Finding {
    guard let scenario = stop.scenario else {
      return Finding(stop.capability, .absent("every scenario with it needs more than is declared"))
    }
    return Finding(stop.capability, outcome(of: scenario, subject, isOwn: false))
  }

  private func outcome(
    of scenario: Scenario, _ subject: ClientUnderTest, isOwn: Bool
  ) -> Finding.Outcome {
    let result = run(scenario, subject)
    switch result.verdict {
    case .pass: return .well(isOwn ? "" : scenario.id)
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
    return .bad(result.sentence, result.circumstances + command)
  }

  private var isLive: Bool { hello.clock == .real }

  /// Whether a scenario can be run with the clock of the clients.
  private func isPossible(_ scenario: Scenario) -> Bool {
    !isLive || scenario.liveObjection(LiveSettings(), canEndProcesses: hello.canKill) == nil
  }

  private func run(_ scenario: Scenario, _ subject: ClientUnderTest) -> ScenarioResult {
    guard isLive, let session = subject.adapter else {
      return subject.runner(seed: options.seed).run(scenario, in: options.profile)
    }
    let runner = LiveRunner(session: session, settings: LiveSettings(), seed: options.seed)
    do throws(Failure) {
      return try runner.run(scenario, in: options.profile)
    } catch {
      return ScenarioResult(
        scenario, options.profile, seed: options.seed, .kitError, reason: "\(error)")
    }
  }

  /// Whether the same run goes the same way again, in another process and after a reset.
  private func repetition(_ tour: CapabilityTour, _ session: AdapterSession) -> Finding {
    let name = "the same run goes the same way again"
    if isLive { return Finding(name, .absent("on a real clock no two runs are the same")) }
    guard let scenario = tour.richest else {
      return Finding(name, .absent("there is no scenario for what is declared"))
    }
    let runner = ClientUnderTest(session).runner(seed: options.seed)
    let hashes = (0..<3).map { number in
      if number == 2 { session.endWaiting() }
      return runner.run(scenario, in: options.profile).hash
    }
    if Set(hashes).count == 1 { return Finding(name, .well("\(hashes[0])")) }
    let way =
      hashes[0] == hashes[1] ? "in a fresh process" : hello.canReset ? "after a reset" : "again"
    return Finding(
      name,
      .bad(
        "\(scenario.id) went another way \(way); all time and randomness must come from the kit, and "
          + "nothing may depend on the order of a hash table", []))
  }
}
