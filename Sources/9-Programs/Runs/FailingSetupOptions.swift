import AdapterProtocol
package import AdapterSessions
package import ClientInterface
package import Conformance
import Document
import Hunting
import ReferenceClient
package import Reports
package import Scenario
package import Search
package import System
package import Workspace

/// Which client fails in which scenario, for commands that look at one failure.
package struct FailingSetupOptions: OptionSettings {
  /// How it is run.
  package var run = RunSettings()
  /// The path or id of the scenario; empty for none.
  package var selector = ""

  package init() {}

  /// The table of options.
  package static var options: [Option<FailingSetupOptions>] {
    let rows = RunSettings.options.only("profile", "seed", "shadow", "client", "role").saying([
      "client": "The client that fails, instead of the reference client.",
      "profile": "The profile in which it fails: wilddog-1, wilddog-2 or firebase.",
      "seed": "The seed with which it fails.",
    ])
    return Option.table(rows.within(\.run)) {
      $0.isRepeatable = $0.isRepeatable && ["client", "role"].contains($0.name)
    }
      + AdapterOptions.options.within(\.run.adapter)
  }
}

extension FailingSetupOptions {
  /// The profile in which it fails; nil for the first.
  package var profile: String? { run.profiles.last }
  /// The program behind which the client is; nil for a client of the kit.
  package var adapter: AdapterOptions? { run.adapter }
  /// Where what is drawn begins.
  package var seed: UInt64 { run.seed ?? 0 }

  /// Takes the profile, the seed and the shadow with which a hunt has found a scenario, each unless it is stated.
  package mutating func takeFind(of library: ScenarioLibrary) {
    if library.scenarios.count == 1 { run = run.asFound(library.scenarios[0]) }
  }

  /// The rest of a command line that runs a scenario with these options and clients.
  package func words(
    of clients: [String], in profile: Profile, needsShadow: Bool, isAdvice: Bool
  ) -> [String] {
    var run = run
    run.fleet = run.fleet.playing(clients)
    run.profiles = [profile.name]
    run.seed = seed
    run.hasShadow = needsShadow
    return (isAdvice ? ["--strict"] : []) + run.wordsOfRuns
  }

  /// What runs the client that fails.
  ///
  /// - Throws: `Failure` when there is no such client.
  package func runner() throws(Failure) -> ScenarioRunner { runner(of: try clientUnderTest()) }

  /// The client that fails.
  ///
  /// - Throws: `Failure` when there is no such client.
  package func clientUnderTest() throws(Failure) -> ClientUnderTest {
    try ClientUnderTest(run.fleet, or: adapter, clock: "shrink, like why,")
  }

  /// What runs it.
  package func runner(of subject: ClientUnderTest) -> ScenarioRunner {
    // A client that ends its process is looked at as often as one that does something wrong.
    subject.neverGivesUp()
    var runner = subject.runner(seed: seed)
    if run.hasShadow { runner.shadows = ReferenceClient.shadows(in:) }
    return runner
  }
}

extension FailingSetupOptions {
  /// Where a failing run comes from, for those who maintain the client. Of the words of an adapter's
  /// command only the names of files are said: where they are concerns this machine.
  ///
  /// - Throws: `Failure.file` when the table of the documents cannot be read.
  package func origin(of subject: ClientUnderTest) throws(Failure) -> BugReport.Origin {
    let hello = subject.adapter?.hello
    let words = (adapter?.command ?? []).map { word in
      Files.exists(word) ? word.split(separator: "/").last.map(String.init) ?? word : word
    }
    let documents = try Home.find().sourceTable()?.entries.map(\.document) ?? []
    let others = subject.isFleet ? "\(run.subject) (\(subject.name))" : "\(run.subject), of the kit"
    return BugReport.Origin(
      kit: kitVersion, client: hello.map { "\($0.name) \($0.version)" } ?? others,
      adapter: words, calls: CallStyle(hello?.calls ?? [:]), documents: documents.unique())
  }

  /// The one scenario, and the client in the profile in which it fails.
  ///
  /// - Throws: `Failure.unusable` when it does not fail.
  package func failingSetup(
    in library: ScenarioLibrary, tryingOrders explorer: Explorer? = nil
  ) throws(Failure) -> (Scenario, FailingSetup) {
    try library.requireNoProblems()
    guard let scenario = library.scenarios.first, library.scenarios.count == 1 else {
      throw .unusable(library.noOneScenario(selector))
    }
    return (scenario, try failingSetup(of: scenario, tryingOrders: explorer))
  }

  /// The client in the first profile in which it fails in a scenario.
  ///
  /// - Throws: `Failure.unusable` when it does not fail.
  package func failingSetup(
    of scenario: Scenario, tryingOrders explorer: Explorer? = nil
  ) throws(Failure) -> FailingSetup {
    try run.fleet.requireMembers(among: scenario.clients)
    let runner = try runner()
    let reference = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
    var verdicts: [String] = []
    for candidate in scenario.profiles where profile == nil || candidate.name == profile {
      let verdict = runner.run(scenario, in: candidate).verdict
      let fails =
        [.fail, .advice, .crash, .hang, .brokenProtocol].contains(verdict)
        || explorer?.explore(scenario, in: candidate).failure != nil
      if fails {
        var failingSetup = FailingSetup(runner, reference: reference, profile: candidate)
        failingSetup.rules = try (try? Home.find())?.ruleBook()
        return failingSetup
      }
      verdicts.append("\(verdict.rawValue) in \(candidate.name)")
    }
    if verdicts.isEmpty { throw .unusable("\(scenario.id) is not for \(profile ?? "any profile")") }
    throw .unusable(
      "\(scenario.id) does not fail (\(verdicts.joined(separator: ", "))); expected a scenario that does"
        + (scenario.find.map { "; a hunt has found it with '\($0.words)'" } ?? remedy))
  }

  /// What is missing in a command line that names no client.
  private var remedy: String {
    let isNamed = run.adapter != nil || !run.fleet.members.isEmpty || run.fleet.rest != nil
    return isNamed ? "" : "; --client NAME or a COMMAND after -- says which client fails"
  }
}
