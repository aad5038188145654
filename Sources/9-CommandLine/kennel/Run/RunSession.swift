import AdapterProtocol
import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Processes
import RealClock
import Recordings
import ReferenceClient
import Reports
import Rules
import Scenario
import System
import Trace

/// What all runs of one command share.
struct RunSession {
  let library: ScenarioLibrary
  let palette: Palette
  /// How failures are told.
  private(set) var report: TextReport
  private let subject: ClientUnderTest
  private let hasShadow: Bool
  /// How runs are made with clients that have a clock of their own.
  private let liveSettings: LiveSettings
  private let recordings: String?
  /// Whether the names of files tell the seeds.
  private let hasSeveralSeeds: Bool
  private var audit: Audit?
  private var traces: TraceWriter?

  /// - Throws: `Failure` when what is to be run or written to is not there.
  init(
    _ options: RunOptions, _ library: ScenarioLibrary, palette: Palette = Console.palette
  ) throws(Failure) {
    subject = try ClientUnderTest(
      named: options.client, or: options.adapter, clock: options.needsVirtualClock)
    self.library = library
    self.palette = palette
    report = TextReport(
      rules: library.rules, palette: palette, extent: options.showsAll ? .all : .first)
    report.client = options.client
    report.adapter = options.adapter?.command ?? []
    report.isAudited = options.isAudited
    hasShadow = options.hasShadow
    liveSettings = options.live
    if hasShadow { report.runOptions = "--shadow" }
    report.whereabouts = .here
    report.program = programWord
    recordings = options.recordings
    hasSeveralSeeds = options.seeds != nil
    if let directory = options.traces {
      traces = try TraceWriter(
        directory, client: options.adapter?.subject ?? options.client, library)
    }
    if options.isAudited { audit = try Audit(options) }
  }

  /// The adapter whose clients have a clock of their own; nil for other clients.
  private var live: AdapterSession? {
    subject.adapter.flatMap { $0.hello.clock == .real ? $0 : nil }
  }

  /// Whether the clients have a clock of their own.
  var isLive: Bool { live != nil }

  /// Whether the client has come to a bad end so often that the rest is not run.
  var hasGivenUp: Bool { subject.hasGivenUp }

  /// Runs a scenario once, compares the run with that of another process and writes files, as far
  /// as that was asked for.
  ///
  /// - Throws: `Failure` when a file cannot be written or the other process fails.
  mutating func run(
    _ scenario: Scenario, in profile: Profile, seed: UInt64
  ) throws(Failure) -> ScenarioResult {
    // With several seeds the runs of one scenario are different ones.
    subject.adapter?.occasion = hasSeveralSeeds ? "\(seed) \(scenario.id)" : scenario.id
    var runner = subject.runner(seed: seed)
    if hasShadow { runner.shadow = { ReferenceClient(profile: $0) } }
    var result =
      try live.map { live throws(Failure) in
        try LiveRunner(session: live, settings: liveSettings, seed: seed).run(scenario, in: profile)
      } ?? runner.run(scenario, in: profile)
    try audit?.judge(&result, seed: seed)
    let suffix = hasSeveralSeeds ? ".seed-\(seed)" : ""
    if let file = try traces?.write(result, suffix: suffix), result.verdict.count == .failed {
      report.traceFiles[RunName(result)] = file
    }
    if let recordings { try record(result, in: recordings, suffix: suffix) }
    return result
  }
}

/// Writes the half that each client had in a run, in the format that `kennel replay` reads.
private func record(
  _ result: ScenarioResult, in directory: String, suffix: String
) throws(Failure) {
  let id = result.scenario.id.map { $0 == "/" ? "_" : $0 }
  for (index, name) in result.scenario.clients.enumerated() {
    let text = Recording.text(
      of: ClientIndex(index), in: result.trace, name: name, profile: result.profile,
      seed: result.seed, epoch: result.epoch)
    let file = "\(String(id)).\(result.profile.name)\(suffix).\(name).jsonl"
    try Files.write(text, to: Files.join(directory, file))
  }
}

extension Whereabouts {
  /// Those of this process.
  static var here: Whereabouts {
    Whereabouts(home: (try? Home.find())?.path, current: try? Files.currentDirectory())
  }
}
