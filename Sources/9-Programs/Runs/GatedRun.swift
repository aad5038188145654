import AdapterSessions
import ClientInterface
import Conformance
package import Document
import Hunting
package import Reports
import Scenario
import Search
package import System
package import Workspace

/// Runs of the selected scenarios with each seed, judged by a gate.
package struct GatedRun {
  /// What everything came to.
  package struct Outcome {
    /// What was run, each failure put down to a cause.
    package let records: [RunRecord]
    package let summary: Summary
    package let header: RunHeader
    /// Failures as annotations of a GitHub workflow; empty when they were not requested.
    package let annotations: String
    package let exitCode: ExitCode
    /// How many runs were not made.
    package let left: Int
    /// Whether that is because of the adapter.
    package let hasGivenUp: Bool
    /// The slowest runs, as lines; empty when they were not asked for.
    package let slowest: String
  }

  private let settings: RunSettings
  private let library: ScenarioLibrary
  private let palette: Palette
  private var gate: CIGate
  /// How many runs were selected.
  package let selected: Int
  private let start = Measurement.now
  private let startTime = Calendar.now
  /// Whether the rest was not run because of the adapter.
  private var hasGivenUp = false
  /// How the memory of the adapter has grown, where that is much.
  private var memoryGrowth: MemoryGrowth?
  /// How the client behind an adapter introduces itself; nil for other clients.
  private var introduction: String?

  /// Reads scenarios and the list of known failures, and makes sure that reports can be written.
  ///
  /// - Parameters:
  ///   - settings: What is run.
  ///   - palette: How failures are painted.
  /// - Throws: `Failure` when something cannot be found, read or written.
  package init(_ settings: RunSettings, palette: Palette) throws(Failure) {
    let library = try ScenarioLibrary(settings)
    // A find that is run by itself is run as it was found, and the summary says so.
    let only = library.scenarios.count == 1 ? library.scenarios.first : nil
    let settings = only.map(settings.asFound) ?? settings
    self.settings = settings
    self.library = library
    self.palette = palette
    gate = try CIGate(
      settings.gate, library, isWhole: settings.selectors.isEmpty, of: settings)
    warnings = gate.warnings(about: library.scenarios.map(\.id))
    selected = library.scenarios.reduce(0) { sum, scenario in
      let own = settings.asFound(scenario)
      return sum + own.profiles(of: scenario).count * own.allSeeds.count
    }
    if selected > Self.mostRuns {
      throw .unusable(
        "\(selected) runs are selected; expected at most \(Self.mostRuns): fewer seeds or scenarios"
      )
    }
    try settings.reports.prepare()
  }

  /// How many runs there may be: hours of the kit's own clients, and weeks of an adapter.
  private static let mostRuns = 100_000_000

  /// The known failures that are about to expire, among the selected scenarios, and those that list none.
  package let warnings: [KnownFailures.Warning]

  /// What was run by now.
  package var records: [RunRecord] { gate.records }

  /// Runs everything, in this process or in several, and writes the reports.
  ///
  /// - Parameters:
  ///   - onNext: Takes what was run by now, and the id of the scenario that comes next.
  ///   - onRecords: Takes the runs of each scenario, in the order of scenarios.
  /// - Returns: What everything came to.
  /// - Throws: `Failure` when clients do not start or something cannot be written.
  package mutating func run(
    onNext: ([RunRecord], String) -> Void, onRecords: ([RunRecord]) throws(Failure) -> Void
  ) throws(Failure) -> Outcome {
    if settings.gate.jobs > 1, library.scenarios.count > 1 {
      try runInOthers(onNext, onRecords)
    } else {
      try runHere(onNext, onRecords)
    }
    return try finish()
  }

  private mutating func runHere(
    _ onNext: ([RunRecord], String) -> Void, _ onRecords: ([RunRecord]) throws(Failure) -> Void
  ) throws(Failure) {
    var session = try RunSession(settings, library, palette: palette)
    if !session.isLive { try gate.requireNoFlaky() }
    session.isNew = gate.isNew
    introduction = session.introduction
    if settings.endsOnSignals { Interrupt.begin() }
    for scenario in library.scenarios where !gate.isClosed && !session.hasGivenUp {
      if Interrupt.hasCome() { break }
      onNext(gate.records, scenario.id)
      try onRecords(gate.take(try session.records(of: scenario)))
    }
    hasGivenUp = session.hasGivenUp
    memoryGrowth = session.memoryGrowth
  }

  /// Has several processes run everything, and takes what they report in the order of the
  /// scenarios.
  private mutating func runInOthers(
    _ onNext: ([RunRecord], String) -> Void, _ onRecords: ([RunRecord]) throws(Failure) -> Void
  ) throws(Failure) {
    let count = min(settings.gate.jobs, library.scenarios.count)
    if gate.hasFlaky, try !RunSession(settings, library, palette: palette).isLive {
      try gate.requireNoFlaky()
    }
    if settings.endsOnSignals { Interrupt.begin() }
    var crew = try RunWorkers(
      count, words: settings.words, scenarios: library.scenarios.count, palette)
    while !gate.isClosed, let (index, records) = try crew.next() {
      try onRecords(gate.take(records))
      let next = index + 1
      if next < library.scenarios.count { onNext(gate.records, library.scenarios[next].id) }
    }
    hasGivenUp = crew.hasGivenUp
    memoryGrowth = crew.memoryGrowth
    introduction = crew.introduction
  }

  /// Writes the reports, and reports the overall result.
  private func finish() throws(Failure) -> Outcome {
    let milliseconds = Double(Measurement.now - start) / 1_000_000
    let left = selected - gate.records.reduce(0) { $0 + $1.runs }
    let stop = stop(left: left)
    let records = RunRecord.grouped(gate.records, library.rules)
    let summary = Summary(
      of: records, left: left, stop: stop, hasList: gate.hasList, listsAll: settings.showsAll,
      remarks: [memoryGrowth?.sentence, difference(from: records)].compactMap(\.self)
        + figures(of: records),
      seeds: settings.allSeeds,
      milliseconds: milliseconds)
    let header = RunHeader(
      kit: kitVersion, client: settings.subject, introduction: introduction,
      seeds: settings.allSeeds, start: startTime, milliseconds: milliseconds, left: left,
      part: settings.shard, stop: stop)
    try settings.reports.write(
      records, header, summary, library.rules, day: settings.gate.day, warnings: warnings)
    let annotations = settings.reports.annotations(
      records, stop: stop, warnings: warnings)
    var exitCode = gate.exitCode(isWhole: left == 0 || !hasGivenUp)
    if left > 0, let signal = Interrupt.signal() { exitCode = ExitCode(signal: signal) }
    if settings.notesFailures { LastFailed.save(records) }
    return Outcome(
      records: records, summary: summary, header: header, annotations: annotations,
      exitCode: exitCode, left: left,
      hasGivenUp: hasGivenUp, slowest: SlowestRuns.text(of: records, settings.slowest))
  }

  /// How well known failures are grouped by their causes, in sentences; nothing unless that is asked for.
  private func figures(of records: [RunRecord]) -> [String] {
    guard settings.measuresGroups else { return [] }
    return RunRecord.groupQuality(of: records).figures(of: "the list").map {
      "\($0.what): \($0.text)"
    }
  }

  /// With what a hunt has found the one scenario, where it passes now.
  private func difference(from records: [RunRecord]) -> String? {
    guard library.scenarios.count == 1, let find = library.scenarios[0].find,
      records.allSatisfy({ $0.verdict == .pass })
    else { return nil }
    return "a hunt has found it with '\(find.words)'"
  }

  /// What counts once, however often the adapter fails in it.
  package var situations: String { library.scenarios.count > 1 ? "scenarios" : "runs" }

  /// Why not everything was run although that was wanted, in a sentence without a full stop.
  private func stop(left: Int) -> String? {
    if left == 0 { return nil }
    let rest = left == 1 ? "1 run was not made" : "\(left) runs were not made"
    if let signal = Interrupt.signal() {
      return "stopped by \(Interrupt.name(of: signal)); \(rest)"
    }
    guard hasGivenUp else { return nil }
    return "given up, because the adapter failed in \(AdapterSession.limit) \(situations) "
      + "one after another; \(rest) (--keep-going makes them all the same)"
  }
}

/// What decides whether a run is red: the verdicts, and the list of known failures.
package struct CIGate {
  private let list: KnownFailures?
  private let today: CalendarDate
  private let maxFailures: Int?
  private(set) var records: [RunRecord] = []
  private var failures = 0

  /// - Parameters:
  ///   - options: When a run is red.
  ///   - library: The scenarios that are run.
  ///   - isWhole: Whether these are all that there are.
  ///   - run: What else is known of the run.
  /// - Throws: `Failure` when the list cannot be read or has mistakes.
  package init(
    _ options: GateSettings, _ library: ScenarioLibrary, isWhole: Bool,
    of run: RunSettings = RunSettings()
  ) throws(Failure) {
    today = try options.today()
    maxFailures = options.maxFailures
    list = try options.list.map { file throws(Failure) in
      let subject = run.wordsOfClient.map(shellWord).joined(separator: " ")
      var list = try KnownFailures(
        file: file, text: FileKind.text(of: file, expecting: [.knownFailures]),
        KnownFailuresReader.Context(library, isWhole, flaky: run.mayHaveOwnClock))
      for index in list.entries.indices {
        (list.entries[index].program, list.entries[index].subject) = (programWord, subject)
      }
      return list
    }
  }

  /// Whether there is a list.
  var hasList: Bool { list != nil }

  /// Whether failures are listed that come and go.
  var hasFlaky: Bool { list?.entries.contains { $0.kind == .flaky } ?? false }

  /// - Throws: `Failure.unusable` when the clients have no clock of their own, and failures are listed
  ///   that come and go.
  func requireNoFlaky() throws(Failure) {
    guard let entry = list?.entries.first(where: { $0.kind == .flaky }) else { return }
    throw .mistake(
      SourceError(
        file: entry.file, position: entry.position,
        message:
          "flaky is for clients on a real clock; that of this COMMAND is virtual, so the same seed gives the "
          + "same run every time; expected bug or wontfix"))
  }

  /// The entries that are about to expire, of those that list one of these scenarios, and those that list
  /// none at all.
  func warnings(about scenarios: [String]) -> [KnownFailures.Warning] {
    (list?.warnings(on: today) ?? []).filter {
      $0.entry.mismatch != nil || $0.entry.lists(anyOf: scenarios)
    }
  }

  /// Whether a failure is not listed.
  func isNew(_ end: RunEnd) -> Bool { list?.lists(end) != true }

  /// Whether so much has failed that nothing more is run.
  var isClosed: Bool { maxFailures.map { failures >= $0 } ?? false }

  /// Takes the runs of one scenario.
  ///
  /// - Returns: The same, with how they compare with the list; without those behind the last failure that
  ///   is waited for.
  mutating func take(_ runs: [RunRecord]) -> [RunRecord] {
    var taken: [RunRecord] = []
    let failing = Set(runs.filter { $0.verdict.count == .failed }.map(\.profile))
    for run in runs where !isClosed {
      // What fails with one seed as it is listed may pass with another.
      let isAnswered = run.verdict.count == .passed && failing.contains(run.profile)
      let record = isAnswered ? run : compared(run)
      if record.outcome == .failed { failures += 1 }
      taken.append(record)
    }
    records += taken
    return taken
  }

  /// A run with how it compares with the list.
  package func compared(_ run: RunRecord) -> RunRecord {
    guard let list else { return run }
    var record = run
    record.knownStatus = list.knownStatus(of: run.runEnd, on: today)
    return record
  }

  /// The verdict on all runs.
  ///
  /// - Parameter isWhole: Whether the adapter lived long enough. Runs that were not made because it
  ///   did not are as red as failures: nothing is known of them.
  /// - Returns: what the process ends with.
  func exitCode(isWhole: Bool) -> ExitCode {
    if records.contains(where: { $0.verdict == .kitError }) { return .fault }
    if !isWhole || records.contains(where: { $0.outcome == .failed }) { return .divergence }
    if records.contains(where: { $0.verdict == .inconclusive }) { return .inconclusive }
    let isJudged = records.contains { [.passed, .advised, .known].contains($0.outcome) }
    return isJudged ? .success : .usage
  }
}

extension KnownFailures {
  /// Reads a list.
  ///
  /// - Throws: `Failure.mistakes` when there are any in it.
  init(
    file: String, text: String, _ context: KnownFailuresReader.Context
  ) throws(Failure) {
    let reading = KnownFailuresReader.read(file: file, bytes: Array(text.utf8), context)
    try Failure.refuse(reading.problems, in: file)
    self = reading.list
  }
}

extension KnownFailuresReader.Context {
  /// All scenarios that there are: those of a library, of the home directory and of the project.
  ///
  /// - Parameters:
  ///   - library: What is run.
  ///   - isWhole: Whether that is all.
  ///   - flaky: Whether the clients may have a clock of their own.
  ///   - allowsNoScenario: Whether entries may list scenarios that there are not.
  /// - Throws: `Failure` when files cannot be read.
  init(
    _ library: ScenarioLibrary, _ isWhole: Bool, flaky: Bool, allowsNoScenario: Bool = true
  ) throws(Failure) {
    var others: [Scenario] = []
    if !isWhole, (try? Home.find()) != nil { others = try ScenarioLibrary([]).all }
    let project = try ProjectFile.find(RunSettings.inProjects)
    let own = project?.scenarios.filter { Files.exists($0) } ?? []
    if !own.isEmpty { others += try ScenarioLibrary(own).all }
    var known = Set(library.all.map(\.id))
    let scenarios = library.all + others.filter { known.insert($0.id).inserted }
    self.init(
      scenarios: scenarios.map { .init($0.id, in: $0.profiles.map(\.name)) },
      rules: library.rules.rules.map(\.id.description), allowsFlaky: flaky,
      allowsNoScenario: allowsNoScenario)
  }
}
