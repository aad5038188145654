package import AdapterSessions
import Conformance
package import Hunting
package import RealClock
import ReferenceClient
import Scenario
package import ServerHost
package import System
import Tree
import Workspace

/// What every process of a campaign knows: what is run, and with which client.
package struct HuntOptions: OptionSettings {
  package var settings = HuntSettings.standard
  /// The program behind which the client is; nil for a client of the kit.
  package var adapter: AdapterOptions?
  /// The server under test; none unless stated.
  package var server = TestedServerOptions() {
    didSet { takeServer() }
  }
  /// How runs on a real clock are made.
  package var live = RealClockSettings()
  /// The folder of the recipes that a guided campaign begins with; nil for none.
  package var corpus: String?
  /// The list of the causes that are known; nil for none.
  package var known: String?

  package init() {}

  /// The table of options; each is read after those above it.
  package static var options: [Option<HuntOptions>] {
    testingServers + [
      .flag(
        "blind", \.isBlind,
        "Draw every scenario by itself, whatever the earlier ones have reached."),
      .value(
        "size", "N", \.size, .number(20...100_000),
        "Draw scenarios of about N events instead of \(Generator.standardSize)."),
      .value(
        "chunk", "N", \.chunk, .number(1...1_000_000),
        "Save results after every N scenarios, instead of after about 30,000 events."),
      .value(
        "profile", "PROFILE", \.settings.profile, .profile,
        "Run for this profile only: wilddog-1, wilddog-2 or firebase."
      ).setting("profiles"),
      .list(
        "client", "[CLIENT=]NAME", \.settings.fleet.words, .text,
        """
        Test the client NAME of the kit instead of the reference client. With CLIENT= it plays only that \
        client of each scenario; NAME may then also be a command. May be repeated.
        """),
      .role(\.roles),
      .flag(
        "no-shadow", \.settings.hasShadow, is: false,
        "Do not compare with a reference client that gets the same messages."),
      .value(
        "corpus", "DIR", \.corpus, .text,
        "Begin with the recipes in DIR, as 'kennel hunt --minimise' makes them."),
      .value(
        "known", "FILE", \.known, .text,
        "Only count failures of the causes that FILE lists; first run the proof of each cause."),
    ] + AdapterOptions.options.only("timeout").within(\.adapter)
  }

  /// The options with which a server is tested.
  private static var testingServers: [Option<HuntOptions>] {
    let rows = TestedServerOptions.options.saying([
      "server": """
      Test the server at URL: clients of the kit, or those of the COMMAND, play what was drawn and can be \
      provoked from outside, on a real clock, below a path of each run's own.
      """
    ])
    return Option.table(rows.within(\.server)) { $0.excludes = ["client", "corpus"] }
      + Option.table(RealClockSettings.options.within(\.live)) { $0.setting = nil }
  }

  /// On a real clock nothing is run twice in the same way, and each scenario takes seconds.
  private mutating func takeServer() {
    settings.server = TestedServerOptions.options.words(of: server)
    (settings.isGuided, settings.hasShadow, settings.chunkLength) = (false, false, Self.liveChunk)
  }

  /// Goes on with a campaign that was made with these settings.
  package mutating func resume(_ settings: HuntSettings) {
    let words = settings.server
    for option in TestedServerOptions.options {
      let places = words.indices.filter { words[$0] == "--\(option.name)" }
      let values = places.map { option.description.value == nil ? "" : words[$0 + 1] }
      if !values.isEmpty { _ = option.read(values, &server) }
    }
    self.settings = settings
  }

  /// How many scenarios are recorded together on a real clock.
  private static let liveChunk = 2

  /// The same as a command line, for a worker.
  var words: [String] {
    Self.options.except("timeout").words(of: self) + (adapter?.words ?? [])
  }

  /// Goes on with the client that is behind a program.
  package mutating func take(_ adapter: AdapterOptions) {
    self.adapter = adapter
    settings.adapter = adapter.command
    shortenChunk()
  }

  /// What plays clients by default. A hunt has all clients, so it is known at once what each role is.
  private var roles: [Fleet.Member] {
    get { [] }
    set {
      let roles = newValue.filter { Generator.clients.contains($0.client) }
      for member in roles + settings.fleet.members { settings.fleet.add(member) }
    }
  }

  private var isBlind: Bool {
    get { !settings.isGuided }
    set {
      settings.isGuided = !newValue
      if newValue { shortenChunk() }
    }
  }

  /// What is under way is waited for, so that a chunk is not to take long.
  private mutating func shortenChunk() {
    if settings.chunkLength == HuntSettings.guidedChunk { settings.chunkLength /= 4 }
  }

  private var size: Int? {
    get { settings.size }
    set {
      let old = settings
      settings = HuntSettings(
        size: newValue ?? Generator.standardSize, profile: old.profile, hasShadow: old.hasShadow)
      settings.fleet = old.fleet
      (settings.adapter, settings.isGuided, settings.server) = (
        old.adapter, old.isGuided, old.server
      )
      (settings.corpus, settings.known) = (old.corpus, old.known)
      if old.isGuided, adapter == nil { settings.chunkLength *= 4 }
    }
  }

  private var chunk: Int? {
    get { settings.chunkLength }
    set { settings.chunkLength = newValue ?? settings.chunkLength }
  }
}

extension HuntSettings {
  /// What is hunted unless something else is asked for.
  package static var standard: HuntSettings {
    var settings = HuntSettings(chunkLength: guidedChunk)
    settings.isGuided = true
    return settings
  }

  /// Reads the corpus with which a guided campaign is to begin, and records which one it is.
  ///
  /// - Parameter folder: Where it is; nil for none.
  /// - Returns: The corpus; nil for none.
  /// - Throws: `Failure` when it cannot be used.
  package mutating func begin(with folder: String?) throws(Failure) -> Corpus? {
    guard let folder else { return nil }
    let read = try Corpus(in: folder, self)
    corpus = read.hash.description
    return read
  }

  /// What runs the scenarios.
  ///
  /// - Throws: `Failure` when there is no such client, and when its program does not start.
  package func hunter(
    _ adapter: AdapterOptions?, corpus: Corpus? = nil, known: KnownCauses = KnownCauses()
  ) throws(Failure) -> Hunter {
    try hunter(of: try subject(adapter), corpus: corpus, known: known)
  }

  /// The client that is tried.
  ///
  /// - Throws: As `hunter`.
  func subject(_ adapter: AdapterOptions?) throws(Failure) -> ClientUnderTest {
    try fleet.requireMembers(among: Generator.clients)
    let subject = try ClientUnderTest(fleet, or: adapter, clock: "hunt")
    subject.neverGivesUp()
    return subject
  }

  /// - Throws: `Failure.file` when the rules cannot be read.
  func hunter(
    of subject: ClientUnderTest, corpus: Corpus?, known: KnownCauses
  ) throws(Failure) -> Hunter {
    let hasShadow = hasShadow
    let rules = try (try? Home.find())?.ruleBook()
    return Hunter(self, corpus: corpus, known: known, rules: rules) { seed in
      var runner = subject.runner(seed: seed)
      if hasShadow { runner.shadows = ReferenceClient.shadows(in:) }
      return runner
    }
  }
}

extension HuntCampaign {
  /// What the campaign runs, and for how long.
  package struct Plan: OptionSettings {
    /// What its workers know.
    package var hunt = HuntOptions()
    /// The seeds to run; nil goes on from seed 1 for as long as there is time.
    package var seeds: ClosedRange<UInt64>?
    /// After how many minutes no more seeds are begun; nil for no limit.
    package var minutes: Double?
    /// How many processes work.
    package var jobs = Processors.count
    /// Whether the scenarios that fail are made small.
    package var shrinks = true
    /// Whether no more seeds are begun when something is found.
    package var stopsAtFirst = false

    package init() {}

    /// The table of options.
    package static var options: [Option<Plan>] {
      HuntOptions.options.within(\.hunt) + [
        .value(
          "seeds", "A..B", \.seeds, .seeds(SeedRanges.range(from:), text: SeedRanges.text(of:)),
          "Run these seeds, each one scenario."),
        .value("minutes", "M", \.minutes, .minutes, "Begin no more seeds after M minutes."),
        .value(
          "jobs", "N", \.jobs, .processes,
          "Work in N processes instead of one for each core."),
        .flag(
          "fail-fast", \.stopsAtFirst, "Stop after the first failure whose cause is not known."),
        .flag(
          "no-shrink", \.shrinks, is: false, "Keep the scenarios that fail as they were drawn."),
      ]
    }

    /// What is run.
    package var settings: HuntSettings { hunt.settings }
    /// The program behind which the client is; nil for a client of the kit.
    package var adapter: AdapterOptions? { hunt.adapter }

    /// On a real clock a run waits for what does not come, and is made again where it fails.
    static let liveShare = 10

    /// How long a worker may be silent, in nanoseconds.
    ///
    /// A client that may take longer for an answer, on a machine that is busy, makes its worker silent
    /// for longer too.
    ///
    /// - Parameter seconds: How long with scenarios of the standard size, and a client with the usual
    ///   timeout.
    /// - Returns: How long with those of this campaign.
    func timeout(_ seconds: Int64) -> Int64 {
      let patience = (adapter?.timeout ?? 0) / AdapterOptions.standardTimeout
      let share =
        (1 + settings.size / 10_000) * max(1, patience) * (hunt.isLive ? Self.liveShare : 1)
      return seconds * 1_000_000_000 * Int64(share)
    }
  }
}

extension OptionKind where Value == Double {
  /// A time in minutes.
  fileprivate static var minutes: OptionKind {
    OptionKind(
      "a number of minutes above 0, such as 10",
      { Double($0).flatMap { $0 > 0 && $0 < 1_000_000 ? $0 : nil } },
      text: canonicalText)
  }
}
