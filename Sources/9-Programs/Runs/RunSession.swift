import AdapterProtocol
import AdapterSessions
package import ClientInterface
package import Conformance
package import Document
import RealClock
import Recordings
import ReferenceClient
package import Reports
package import Scenario
import ServerHost
package import System
import Tree
import WebPages
package import Workspace

/// What all runs of one command share.
package struct RunSession {
  package let library: ScenarioLibrary
  package let palette: Palette
  /// How failures are reported.
  package private(set) var report: TextReport
  let settings: RunSettings
  let subject: ClientUnderTest
  /// How runs are made with clients that have a clock of their own.
  private let liveSettings: RealClockSettings
  /// What the clients run against; nil for the kit's own server.
  private let server: TestedServer?
  private let recordings: String?
  /// Whether the names of files contain the seeds.
  private let hasSeveralSeeds: Bool
  /// Whether a failure is one that nobody knows of, so that it is worth another run in a fresh process.
  package var isNew: (RunEnd) -> Bool = { _ in false }
  /// How many more failures are worth one: where many fail, they do not come and go.
  private var repetitions = 20
  private var audit: Audit?
  private var traces: TraceWriter?

  /// - Throws: `Failure` when what is to be run or written to is not there.
  package init(
    _ settings: RunSettings, _ library: ScenarioLibrary, palette: Palette
  ) throws(Failure) {
    var settings = settings
    settings.fleet.roles.removeAll { !library.clients.contains($0.client) }
    try settings.fleet.requireMembers(among: library.clients)
    subject = try settings.clientUnderTest()
    self.settings = settings
    self.library = library
    self.palette = palette
    report = settings.report(library, palette, of: subject)
    liveSettings = settings.live
    server = try settings.server.isStated ? TestedServer(settings.server) : nil
    recordings = settings.recordings
    hasSeveralSeeds = settings.seeds != nil
    if let directory = settings.traces {
      traces = try TraceWriter(
        directory, client: settings.fleet.subject(or: settings.adapter), library)
    }
    if settings.isAudited { audit = try Audit(settings) }
    if server != nil, !isLive {
      throw .unusable(
        "a server is tested on a real clock, and the clients of this COMMAND have none of their own; "
          + "leave it away for clients of the kit")
    }
  }

  /// The adapter whose clients have a clock of their own; nil for other clients.
  private var live: AdapterSession? {
    subject.adapter.flatMap { $0.hello.clock == .real ? $0 : nil }
  }

  /// Whether the clients have a clock of their own.
  package var isLive: Bool { live != nil }

  /// Whether the client has failed so often that the rest is not run.
  package var hasGivenUp: Bool { subject.hasGivenUp }

  /// What runs a scenario with the same client, also in other ways, such as in one of several orders.
  package func runner(of scenario: Scenario, seed: UInt64) -> ScenarioRunner {
    var runner = subject.runner(seed: seed)
    if settings.asFound(scenario).hasShadow { runner.shadows = ReferenceClient.shadows(in:) }
    return runner
  }

  /// Runs a scenario once, compares the run with that of another process and writes files, as far
  /// as that was asked for.
  ///
  /// - Throws: `Failure` when a file cannot be written or the other process fails.
  package mutating func run(
    _ scenario: Scenario, in profile: Profile, seed: UInt64
  ) throws(Failure) -> ScenarioResult {
    // What fails with one seed is likely to fail with the others too, which says nothing about other
    // scenarios.
    let situation = library.scenarios.count > 1 ? scenario.id : "\(seed) \(scenario.id)"
    for adapter in subject.adapters { adapter.situation = situation }
    var result =
      try live.map { live throws(Failure) in
        try RealClockRunner(
          session: live, settings: liveSettings, seed: seed, against: server
        ).run(scenario, in: profile)
      } ?? judged(scenario, in: profile, seed: seed)
    try audit?.judge(&result, seed: seed)
    let suffix = hasSeveralSeeds ? ".seed-\(seed)" : ""
    if let file = try traces?.write(result, report, suffix: suffix), result.verdict.count == .failed
    {
      report.traceFiles[RunName(result)] = file
    }
    if let recordings { try write(result, in: recordings, suffix: suffix) }
    return result
  }

  /// Runs a scenario in virtual time.
  private func judged(
    _ scenario: Scenario, in profile: Profile, seed: UInt64
  ) -> ScenarioResult {
    var result = runner(of: scenario, seed: seed).run(scenario, in: profile)
    if settings.isStrict, result.verdict == .advice { result.verdict = .fail }
    return result
  }
}

extension RunSession {
  /// How the memory of the adapter has grown, where that is much.
  var memoryGrowth: MemoryGrowth? { subject.adapters.reduce(nil) { .larger($0, $1.memoryGrowth) } }

  /// How the client behind an adapter introduces itself, or what plays the clients of a fleet; nil for
  /// other clients.
  var introduction: String? { subject.introduction }

  /// Runs a scenario in all profiles and with all seeds that are asked for, and keeps what reports need
  /// of each way in which it goes.
  package mutating func records(of scenario: Scenario) throws(Failure) -> [RunRecord] {
    var records: [RunRecord] = []
    let settings = settings.asFound(scenario)
    for profile in settings.profiles(of: scenario) {
      let first = records.count
      for seed in settings.allSeeds {
        if hasGivenUp { return records }
        let start = Measurement.now
        let result = try run(scenario, in: profile, seed: seed)
        // It is unknown whether a run that was under way then was cut short.
        if Interrupt.hasCome() { return records }
        let milliseconds = Double(Measurement.now - start) / 1_000_000
        let ways = records[(settings.showsAll ? records.endIndex : first)...]
        if let way = ways.firstIndex(where: { $0.isWay(of: result) }) {
          records[way].add(seed: seed, milliseconds: milliseconds)
        } else {
          records.append(record(of: result, seed: seed, milliseconds: milliseconds))
        }
      }
    }
    return records
  }

  private mutating func record(
    of result: ScenarioResult, seed: UInt64, milliseconds: Double
  ) -> RunRecord {
    var record = RunRecord(result, report, milliseconds: milliseconds)
    if hasSeveralSeeds { record.begin(seed: seed) }
    if settings.reports.files[.html] != nil {
      let divergences = record.json["divergences"]?.elements
      record.details = RunDetails(of: result, divergences: divergences).json
    }
    if result.verdict.count == .failed, audit == nil, isNew(record.runEnd),
      let again = runInFreshProcess(result.scenario, in: result.profile, seed: seed)
    {
      record.repeats(as: again)
    }
    return record
  }

  /// Makes a run again in a process of the adapter that has made no other; nil where there can be none.
  private mutating func runInFreshProcess(
    _ scenario: Scenario, in profile: Profile, seed: UInt64
  ) -> ScenarioResult? {
    let adapters = subject.adapters
    guard repetitions > 0, !adapters.isEmpty,
      adapters.allSatisfy({ $0.hello.clock == .virtual && $0.options.folder == nil })
    else { return nil }
    repetitions -= 1
    // What ends badly twice has ended badly once; what does not is no reason to give up.
    let givesUp = adapters.map(\.givesUp)
    subject.neverGivesUp()
    defer { for (adapter, before) in zip(adapters, givesUp) { adapter.givesUp = before } }
    for adapter in adapters { adapter.endWaiting() }
    return judged(scenario, in: profile, seed: seed)
  }
}

/// Writes the half that each client had in a run, in the format that `kennel replay` reads.
private func write(
  _ result: ScenarioResult, in directory: String, suffix: String
) throws(Failure) {
  try Files.makeDirectory(directory)
  let id = result.scenario.id.map { $0 == "/" ? "_" : $0 }
  for (index, name) in result.scenario.clients.enumerated() {
    let text = Recording.text(
      of: ClientIndex(index), in: result.trace, name: name, profile: result.profile,
      seed: result.seed, epoch: result.epoch)
    let file = "\(String(id)).\(result.profile.name)\(suffix).\(name).jsonl"
    try FileKind.write(text, to: Files.join(directory, file), as: .recording)
  }
}
