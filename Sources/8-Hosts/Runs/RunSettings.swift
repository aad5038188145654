package import AdapterSessions
package import ClientInterface
package import Conformance
import Hunting
import Processes
package import RealClock
import ReferenceClient
package import Reports
package import Scenario
package import System
package import Text
package import Workspace

/// What is run, with which client, and what is written down of it.
package struct RunSettings {
  /// The profiles to run; empty means all that each scenario is for.
  package var profiles: [String] = []

  /// The seed of the choices; nil means the benign order of everything.
  package var seed: UInt64?

  /// The seeds with which each scenario is run; nil means the one above.
  package var seeds: ClosedRange<UInt64>?

  /// The client under test; nil means the reference client.
  package var client: String?

  /// Makes the clients under test, in place of what has a name.
  package var makeClient: ((Profile) -> any SyncClient)?

  /// Whether each client is compared with the reference client that sees the same.
  package var hasShadow = false

  /// The program behind which the client is; nil for a client of the kit.
  package var adapter: AdapterOptions?

  /// How runs are made when its clients have a clock of their own.
  package var live = RealClockSettings()

  /// The directory for recordings of what each client saw and did; nil for none.
  package var recordings: String?

  /// Whether scenarios are also run with changes that must not matter.
  package var isMetamorphic = false

  /// The directory for a trace of each run; nil for none.
  package var traces: String?

  /// Whether runs are compared with those of another process.
  package var isAudited = false

  /// Whether what clients should do, and what they may, counts like what they must.
  package var isStrict = false

  /// Whether every divergence is shown, or the first of each scenario only.
  package var showsAll = false

  /// Paths, ids and patterns of scenarios; empty means all of them.
  package var selectors: [String] = []

  /// Which of these are meant.
  package var selection = ScenarioSelection()

  /// Whether only those are meant that failed when they were last run.
  package var onlyLastFailed = false

  /// The part of them that is run here; nil for all.
  package var shard: Shard?

  /// Whether runs go on when the adapter fails again and again.
  package var keepsGoing = false

  /// Whether reports on failures have the messages of the run.
  package var showsWire = false

  /// Whether what fails is recorded for `--last-failed`.
  package var notesFailures = false

  /// How many of the slowest runs are listed.
  package var slowest = 0

  /// When the run is red, and when it ends early.
  package var gate: GateSettings

  /// The reports that are written.
  package var reports = ReportFiles()

  /// Whether SIGINT, SIGTERM and SIGHUP end the run between two scenarios, as they should where the
  /// process does nothing else.
  package var endsOnSignals = true

  /// The command line, for other processes of this program.
  package var words: [String] = []

  /// - Parameter gate: When the run is red, and when it ends early.
  package init(gate: GateSettings) { self.gate = gate }
}

extension RunSettings {
  /// What is asked for that only clients without a clock of their own can do; nil for nothing.
  package var needsVirtualClock: String? {
    if isMetamorphic { return "run --metamorphic" }
    if isAudited { return "run --audit" }
    if hasShadow { return "run --shadow" }
    return seeds == nil ? nil : "run --seeds"
  }

  /// The profiles in which a scenario is run.
  package func profiles(of scenario: Scenario) -> [Profile] {
    scenario.profiles(among: profiles)
  }

  /// What is tested, for reports.
  package var subject: String { adapter?.command.joined(separator: " ") ?? client ?? "reference" }

  /// What is run.
  ///
  /// - Throws: `Failure` when there is no such client, and when its program does not start.
  package func clientUnderTest() throws(Failure) -> ClientUnderTest {
    if let makeClient { return ClientUnderTest(makeClient: makeClient) }
    let subject = try ClientUnderTest(named: client, or: adapter, clock: needsVirtualClock)
    if keepsGoing { subject.adapter?.givesUp = false }
    return subject
  }

  /// How failures are reported.
  package func report(_ library: ScenarioLibrary, _ palette: Palette) -> TextReport {
    var report = TextReport(
      library, client: client, adapter, palette, extent: showsAll ? .all : .first)
    report.showsWire = showsWire
    return report
  }
}

extension TextReport {
  /// How failures of scenarios are reported, and the commands that show them again.
  package init(
    _ library: ScenarioLibrary, client: String?, _ adapter: AdapterOptions?, _ palette: Palette,
    extent: Extent = .first
  ) {
    self.init(rules: library.rules, palette: palette, extent: extent)
    self.client = client
    self.adapter = adapter?.command ?? []
    pathDisplay = .here
    program = programWord
    reference = { ReferenceClient(profile: $0) }
  }
}

extension Scenario {
  /// The profiles in which it is run, where these were asked for; all of its own for none.
  package func profiles(among names: [String]) -> [Profile] {
    names.isEmpty ? profiles : names.compactMap { Profile(named: $0) }
  }
}

extension ScenarioSelection {
  /// The options that ask for this.
  package var words: [String] {
    tags.flatMap { ["--tag", $0] } + rules.flatMap { ["--rule", $0] }
      + needs.flatMap { ["--needs", $0] } + excluded.flatMap { ["--exclude", $0] }
  }
}

extension ScenarioLibrary {
  /// The one scenario that was selected.
  ///
  /// - Throws: `Failure.unusable` where there are several; `option` is for one.
  package func onlyOne(for option: String) throws(Failure) -> Scenario {
    guard scenarios.count == 1, let scenario = scenarios.first else {
      throw .unusable("\(option) is for one scenario, but \(scenarios.count) were selected")
    }
    return scenario
  }

  /// What a run is about.
  ///
  /// - Throws: `Failure` when something cannot be found or read, or has mistakes.
  package init(_ settings: RunSettings) throws(Failure) {
    let readsFailed = settings.onlyLastFailed && settings.selectors.isEmpty
    try self.init(readsFailed ? LastFailed.selectors(beside: []) : settings.selectors)
    try requireNoProblems()
    try select(settings.selection)
    if settings.onlyLastFailed { try keepLastFailed() }
    if let shard = settings.shard { select(shard) }
  }
}

extension ScenarioLibrary {
  /// Keeps the scenarios that failed when they were last run from this directory.
  ///
  /// - Throws: `Failure.unusable` when none of them did.
  package mutating func keepLastFailed() throws(Failure) {
    let failed = try LastFailed.read()
    filter(where: { failed.contains($0.id) })
    if scenarios.isEmpty {
      throw .unusable(
        "none of these scenarios failed when it was last run here, so that there is nothing to "
          + "repeat; without --last-failed they are run")
    }
  }
}

extension ExitCode {
  /// The verdict of a run with these verdicts.
  package init(of verdicts: [Verdict]) {
    if verdicts.contains(.kitError) {
      self = .fault
    } else if verdicts.contains(where: { $0.count == .failed }) {
      self = .divergence
    } else if verdicts.contains(.inconclusive) {
      self = .inconclusive
    } else {
      self = verdicts.contains { $0.count == .passed } ? .success : .usage
    }
  }
}
