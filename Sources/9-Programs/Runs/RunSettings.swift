package import AdapterSessions
package import ClientInterface
package import Conformance
package import Document
import Hunting
package import RealClock
import ReferenceClient
package import Reports
package import Scenario
import ScenarioFiles
package import ServerHost
package import System
package import Workspace

/// What is run, with which client, and what is written down of it.
package struct RunSettings: OptionSettings {
  /// The profiles to run; empty means all that each scenario is for.
  package var profiles: [String] = []

  /// The seed of the choices; nil means the benign order of everything.
  package var seed: UInt64?

  /// The seeds with which each scenario is run; nil means the one above.
  package var seeds: ClosedRange<UInt64>?

  /// What plays the clients.
  package var fleet = Fleet()

  /// The implementations that have a name; nil for those of the project file.
  package var named: NamedClients?

  /// Makes the clients under test, in place of what has a name.
  package var makeClient: ((Profile) -> any SyncClient)?

  /// Whether each client is compared with the reference client that sees the same.
  package var hasShadow = false

  /// Whether clients may have a clock of their own.
  var mayHaveOwnClock: Bool { clientProgram != nil }

  /// The program behind which the client is; nil for a client of the kit.
  package var adapter: AdapterOptions?

  /// How runs are made when its clients have a clock of their own.
  package var live = RealClockSettings()

  /// The server under test; the kit's own where none is stated.
  package var server = TestedServerOptions()

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
  package var shard: RunHeader.Part?

  /// Whether runs go on when the adapter fails again and again.
  package var keepsGoing = false

  /// Whether reports on failures have the messages of the run.
  package var showsWire = false

  /// Whether what fails is recorded for `--last-failed`.
  package var notesFailures = false

  /// Whether the expectations of the scenarios are recorded, in place of being judged.
  package var recordsExpectations = false

  /// How many of the slowest runs are listed.
  package var slowest = 0
  /// Whether it is said how well known failures are grouped by their causes.
  package var measuresGroups = false

  /// When the run is red, and when it ends early.
  package var gate = GateSettings()

  /// The reports that are written.
  package var reports = ReportFiles()

  /// Whether SIGINT, SIGTERM and SIGHUP end the run between two scenarios, as they should where the
  /// process does nothing else.
  package var endsOnSignals = true

  package init() {}
}

extension RunSettings {
  /// The options of `kennel run` that select what is run.
  private static var selecting: [Option<RunSettings>] {
    [
      .list(
        "profile", "PROFILE", \.profiles, .profile,
        "Run for this profile: wilddog-1, wilddog-2 or firebase. May be repeated."
      ).setting("profiles"),
      .value(
        "seed", "N", \.seed, .seed,
        "Draw what the scenario leaves open, such as latencies, from seed N (0 if not given)."
      ).excluding("seeds"),
      .value(
        "seeds", "A..B", \.seeds, .seeds(SeedRanges.range(from:), text: SeedRanges.text(of:)),
        """
        Run each scenario once with each of these seeds. What goes the same way with several seeds is \
        reported once, with the first seeds and the command that repeats the first run.
        """
      ).excluding("metamorphic").setting("seeds"),
      .flag(
        "shadow", \.hasShadow,
        "Compare each client with a reference client that gets the same messages."),
      .flag(
        "metamorphic", \.isMetamorphic,
        """
        Run each scenario again with changes that must not matter: deeper in the tree, with other \
        keys, with other clients and listeners, with reconnections while nothing is under way.
        """),
      .list(
        "client", "[CLIENT=]NAME", \.fleet.words, .text,
        """
        Test the client NAME of the kit instead of the reference client. With CLIENT= it plays only that \
        client of each scenario, beside others; NAME may then also be a command. A name of kennel.yaml is \
        a NAME too. May be repeated.
        """),
      .role(\.fleet.roles),
    ] + ScenarioSelection.options.within(\.selection)
  }

  /// The options of `kennel run` about what is written down, and repeated.
  private static var recording: [Option<RunSettings>] {
    [
      .value(
        "record", "DIR", \.recordings, .text,
        "Write a recording of each client of each run into DIR."
      ).excluding("metamorphic"),
      .flag(
        "record-expectations", \.recordsExpectations,
        """
        Fill in what the files expect where the reference client shows something else, and show \
        what has changed.
        """
      ).excluding("seeds", "metamorphic", "client", "role", "shadow", "audit", "record", "trace"),
      .value(
        "trace", "DIR", \.traces, .text,
        "Write a trace of each run into DIR, for 'kennel replay'."
      ).excluding("metamorphic", "jobs"),
      .flag(
        "audit", \.isAudited,
        """
        Run everything again in a second process, and fail runs that differ. This finds clients \
        that read a clock, draw their own random numbers, or depend on the order of a set. \
        --client unordered and --client clock-reader are two such clients.
        """
      ).excluding("metamorphic", "jobs"),
    ]
  }

  /// The options of `kennel run` about what counts, and what is shown of it.
  private static var showing: [Option<RunSettings>] {
    [
      .flag("strict", \.isStrict, "Treat violations of SHOULD and MAY rules as failures too."),
      .flag(
        "all", \.showsAll,
        """
        Show all divergences of every failed scenario, and with --seeds every run, instead of the \
        first one for each cause and a list of the rest.
        """),
      .flag(
        "verbose", \.showsWire, letter: "v",
        "Show the messages of every run that fails, as JSON."),
      .value("slowest", "N", \.slowest, .count, "List the N runs that took longest."),
      .flag(
        "measure-groups", \.measuresGroups,
        """
        Say how well the failures that --known lists are grouped by their causes: entries with one \
        issue, or without issues with one note, have one cause.
        """),
      .flag(
        "last-failed", \.onlyLastFailed,
        "Only scenarios that failed when they were last run from this directory."),
      .value(
        "shard", "K/N", \.shard, .shard,
        "Run only part K of N, for N machines; 'kennel report merge' combines their reports."
      ).setting("shard"),
      .flag(
        "keep-going", \.keepsGoing, "Continue when the adapter fails scenario after scenario."
      ).excluding("metamorphic"),
    ]
  }

  /// What a project file and the environment may say: the settings among the options of `kennel run`.
  package static var inProjects: SettingsTable {
    SettingsTable(options, clients: ClientUnderTest.names)
  }

  /// The table of the options of `kennel run`.
  package static var options: [Option<RunSettings>] {
    // What is made for runs of scenarios as they are does not go together with changed ones.
    let once: [Option<RunSettings>] =
      GateSettings.options.within(\.gate) + ReportFiles.options.within(\.reports)
    return selecting + recording + showing + Option.table(once) { $0.excludes += ["metamorphic"] }
      + AdapterOptions.options.within(\.adapter) + RealClockSettings.options.within(\.live)
      + TestedServerOptions.options.within(\.server)
  }

  /// What is wrong with the settings as a whole; nil for nothing.
  package var problem: String? {
    if recordsExpectations, selectors.isEmpty, !onlyLastFailed {
      return "--record-expectations changes files; expected the path or id of a scenario"
    }
    return reports.problem
  }

  /// The command line of `kennel run` that leads to these settings.
  package var words: [String] {
    Self.options.words(of: self) + selectors + (adapter.map { ["--"] + $0.command } ?? [])
  }

  /// The command line that makes the same runs in another process, and reports nothing else.
  package var wordsOfRuns: [String] {
    Self.selecting.words(of: self) + selectors + (adapter?.words ?? [])
  }

  /// The client under test as a command line names it; empty for the reference client.
  package var wordsOfClient: [String] {
    Self.selecting.only("client", "role").words(of: self) + (adapter?.words ?? [])
  }
}

extension Option {
  /// What plays a client by default.
  package static func role(_ field: WritableKeyPath<Settings, [Fleet.Member]>) -> Option {
    .list(
      "role", "CLIENT=NAME", field, .member,
      """
      Let NAME play CLIENT in each scenario that has it, unless --client CLIENT= names another one. May be \
      repeated.
      """
    ).setting("roles").with { $0.mapping = "{bob: old}" }
  }
}

extension OptionKind where Value == Fleet.Member {
  fileprivate static var member: OptionKind {
    OptionKind(
      "a client and what plays it, such as bob=old",
      { text in
        Fleet.Member(word: text).flatMap { $0.client.isEmpty || $0.subject.isEmpty ? nil : $0 }
      },
      text: { "\($0.client)=\($0.subject)" })
  }
}

extension OptionKind where Value == RunHeader.Part {
  fileprivate static var shard: OptionKind {
    OptionKind(
      "a part from 1/N to N/N such as 1/4", { RunHeader.Part($0) },
      text: { "\($0.number)/\($0.count)" })
  }
}

extension RunSettings {
  /// What is asked for that only clients without a clock of their own can do; nil for nothing.
  package var needsVirtualClock: String? {
    if isMetamorphic { return "run --metamorphic" }
    if isAudited { return "run --audit" }
    if hasShadow { return "run --shadow" }
    return seeds == nil ? nil : "run --seeds"
  }

  /// The seeds with which each scenario is run.
  package var allSeeds: ClosedRange<UInt64> { seeds ?? (seed ?? 0)...(seed ?? 0) }

  /// The profiles in which a scenario is run.
  package func profiles(of scenario: Scenario) -> [Profile] {
    scenario.profiles(among: profiles)
  }

  /// What is tested, for reports.
  package var subject: String {
    let clients = fleet.description(
      rest: adapter?.command.joined(separator: " ") ?? fleet.rest ?? "reference")
    guard let server = server.subject else { return clients }
    return adapter == nil ? server : "\(server) with \(clients)"
  }

  /// What is run.
  ///
  /// - Throws: `Failure` when there is no such client, and when its program does not start.
  package func clientUnderTest() throws(Failure) -> ClientUnderTest {
    if let makeClient { return ClientUnderTest(makeClient: makeClient) }
    let named = if let named { named } else { try NamedClients.ofProject() }
    let subject = try ClientUnderTest(
      fleet, or: clientProgram, clock: needsVirtualClock, among: named)
    if keepsGoing { subject.neverGivesUp() }
    return subject
  }

  /// The program behind which the clients are. A server is tested with the documented SDK and its sockets
  /// unless another client is stated.
  private var clientProgram: AdapterOptions? {
    adapter ?? (server.isStated ? .sdk : nil)
  }

  /// How failures are reported, and the commands that show them again.
  package func report(
    _ library: ScenarioLibrary, _ palette: Palette, of subject: ClientUnderTest? = nil
  ) -> TextReport {
    var report = TextReport(
      rules: library.rules, palette: palette, extent: showsAll ? .all : .first)
    report.options = words(repeating:)
    report.adapter = adapter?.words ?? []
    if let subject, subject.isFleet { report.implementation = subject.name(playing:) }
    report.showsWire = showsWire
    report.pathDisplay = .here
    report.program = programWord
    report.reference = { ReferenceClient(profile: $0) }
    return report
  }

  /// The options of `kennel run` that make one of the runs again.
  private func words(repeating run: RepeatedRun) -> [String] {
    var settings = self
    (settings.profiles, settings.seed, settings.seeds) = ([run.profile], run.seed, nil)
    settings.fleet = fleet.playing(run.clients)
    settings.isMetamorphic = run.isMetamorphic
    return Self.options.only(
      "profile", "seed", "shadow", "metamorphic", "client", "audit", "server", "server-command",
      "rest", "without"
    ).words(of: settings)
  }
}

extension Scenario {
  /// The profiles in which it is run, where these were asked for; all of its own for none.
  package func profiles(among names: [String]) -> [Profile] {
    names.isEmpty ? profiles : names.compactMap { Profile(named: $0) }
  }
}

extension NamedClients {
  /// Those of the project file.
  ///
  /// - Throws: `Failure` when it cannot be read or has mistakes.
  package static func ofProject() throws(Failure) -> NamedClients {
    try ProjectFile.namedClients(RunSettings.inProjects)
  }
}

extension ClientUnderTest {
  /// What plays the clients of runs, with the implementations that the project file names.
  ///
  /// - Throws: As with others, and when the project file cannot be read.
  package init(
    _ fleet: Fleet, or adapter: AdapterOptions?, clock command: String?
  ) throws(Failure) {
    try self.init(fleet, or: adapter, clock: command, among: .ofProject())
  }
}

extension Fleet {
  /// Checks that there are clients with the names of its members, so that no slip gives a client to
  /// nobody.
  ///
  /// - Throws: `Failure.unusable` for a member that is none of these clients.
  package func requireMembers(among clients: [String]) throws(Failure) {
    for member in members where !clients.contains(member.client) {
      let names = clients.unique().sorted()
      throw .unusable(
        "\(member.option): found \"\(member.client)\" before the =; expected a client that a selected scenario "
          + "has: \(alternatives(names))\(didYouMean(closestMatches(to: member.client, in: names)))"
      )
    }
  }
}

extension ScenarioLibrary {
  /// The names of all clients.
  package var clients: [String] { scenarios.flatMap(\.clients) }

  /// The one scenario that was selected.
  ///
  /// - Throws: `Failure.unusable` where there are several; `option` is for one.
  package func onlyOne(for option: String) throws(Failure) -> Scenario {
    guard scenarios.count == 1, let scenario = scenarios.first else {
      throw .unusable("\(option) is for one scenario, but \(scenarios.count) were selected")
    }
    return scenario
  }

  /// That a file or a folder should have one scenario.
  package func noOneScenario(_ name: String) -> String {
    let (ids, count) = (scenarios.prefix(3).map { shellWord($0.id) }, scenarios.count)
    if count == 0 { return Self.emptiness(of: [name], leftOut: []) }
    return "\(name) has \(count) scenarios; expected one"
      + (count > 1 ? ", such as \(ids.joined(separator: ", "))" : "")
  }

  /// The scenario, where there is just one.
  package func onlyScenario(named name: String) throws(Failure) -> Scenario {
    guard let scenario = scenarios.first, scenarios.count == 1 else {
      let problems = problems.map { "\($0)" }.joined(separator: "\n")
      throw .unusable(problems.isEmpty ? noOneScenario(name) : problems)
    }
    return scenario
  }

  /// What a run is about.
  ///
  /// - Throws: `Failure` when something cannot be found or read, or has mistakes.
  package init(_ settings: RunSettings) throws(Failure) {
    // Words of a command without quotes would be taken for scenarios.
    try settings.server.requirePort()
    let readsFailed = settings.onlyLastFailed && settings.selectors.isEmpty
    let selectors = try readsFailed ? LastFailed.selectors(beside: []) : settings.selectors
    try self.init(selectors, for: settings.recordsExpectations ? .recording : .run)
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

/// When a run is red, and when it ends early.
package struct GateSettings: OptionSettings, Sendable {
  /// The list of known failures; nil for none.
  package var list: String?
  /// The day on which the list is asked; nil for today.
  package var day: CalendarDate?
  /// After how many failures nothing more is run; nil for never.
  package var maxFailures: Int?
  /// How many processes share the work.
  package var jobs = 1

  package init() {}

  /// The options, but for those that only one command has.
  package static var options: [Option<GateSettings>] {
    [
      .value(
        "known", "FILE", \.list, .path(.read),
        "Compare with the list of known failures in FILE; see 'kennel known --help'."
      ).setting("known"),
      .value(
        "today", "DATE", \.day, .day,
        "Use DATE, such as 2026-12-31, as today's date for known failures."),
      .shorthand("fail-fast", \.maxFailures, 1, "Stop after the first failure.")
        .excluding("max-fail"),
      .value("max-fail", "N", \.maxFailures, .count, "Stop after N failures."),
      .value("jobs", "N", \.jobs, .processes, "Work in N processes instead of one.")
        .setting("jobs"),
    ]
  }

  /// The day on which the list is asked.
  ///
  /// - Throws: `Failure.fault` when the clock of this machine has no valid date.
  package func today() throws(Failure) -> CalendarDate {
    if let day { return day }
    guard let date = CalendarDate(String(Calendar.now.prefix(10))) else {
      throw .fault("the clock of this machine has no valid date: \(Calendar.now)")
    }
    return date
  }
}

extension OptionKind where Value == String {
  /// The link to an issue.
  package static var link: OptionKind {
    OptionKind(KnownFailure.linkNoun, { KnownFailure.isLink($0) ? $0 : nil })
  }
}

extension OptionKind where Value == CalendarDate {
  /// A day of the calendar.
  package static var day: OptionKind {
    OptionKind("a day such as 2026-12-31", { CalendarDate($0) })
  }
}
