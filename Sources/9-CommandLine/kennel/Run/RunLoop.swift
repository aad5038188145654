import AdapterSessions
import Commands
import Conformance
import KnownFailures
import Reports
import Scenario
import System
import Tree
import WebPages

extension RunOptions: Command {
  /// Runs the selected scenarios, each in every profile that it names and that was asked for.
  func perform() throws(Failure) -> ExitCode {
    if isMetamorphic { return try runMetamorphic(self) }
    if let seeds = self.seeds { return try run(self, with: seeds) }
    var loop = try RunLoop(self)
    return try loop.run()
  }
}

/// One `kennel run` with one seed: runs, prints as it goes, judges and writes the reports.
struct RunLoop {
  private let options: RunOptions
  private let library: ScenarioLibrary
  private var gate: Gate
  private var progress: RunProgress
  /// How many runs were selected.
  private let selected: Int
  private let start = Measurement.now
  private let startTime = Calendar.now
  private let seed: UInt64
  /// Whether the rest was not run because of the adapter.
  private var hasGivenUp = false

  init(_ options: RunOptions) throws(Failure) {
    self.options = options
    library = try ScenarioLibrary(options)
    gate = try Gate(options.gate, library, isWhole: options.selectors.isEmpty)
    seed = options.seed ?? 0
    var selected = 0
    for scenario in library.scenarios { selected += try options.profiles(of: scenario).count }
    self.selected = selected
    progress = RunProgress(total: selected)
    try options.reports.prepare()
  }

  mutating func run() throws(Failure) -> ExitCode {
    for warning in gate.warnings {
      Console.message("kennel: warning: \(warning.entry.place): \(warning.message)\n")
    }
    if options.gate.jobs > 1, library.scenarios.count > 1 {
      try runInOthers()
    } else {
      try runHere()
    }
    progress.end()
    return try finish()
  }

  /// Runs everything in this process.
  private mutating func runHere() throws(Failure) {
    var session = try RunSession(options, library)
    if !session.isLive { try gate.requireNoFlaky() }
    Interrupt.begin()
    for scenario in library.scenarios where !gate.isClosed && !session.hasGivenUp {
      if Interrupt.hasCome() { break }
      progress.show(gate.records, next: scenario.id)
      let records = try session.records(of: scenario, options, seed: seed)
      try take(records)
    }
    hasGivenUp = session.hasGivenUp
  }

  /// Has several processes run everything, and takes what they tell in the order of the scenarios.
  private mutating func runInOthers() throws(Failure) {
    let count = min(options.gate.jobs, library.scenarios.count)
    if gate.hasFlaky, try !RunSession(options, library).isLive { try gate.requireNoFlaky() }
    Interrupt.begin()
    var crew = try RunCrew(count, words: options.words, scenarios: library.scenarios.count)
    while !gate.isClosed, let (index, records) = try crew.next() {
      try take(records)
      let next = index + 1
      if next < library.scenarios.count {
        progress.show(gate.records, next: library.scenarios[next].id)
      }
    }
    hasGivenUp = crew.hasGivenUp
  }

  /// Judges the runs of a scenario and prints what there is to say of them.
  private mutating func take(_ runs: [RunRecord]) throws(Failure) {
    let records = gate.take(runs)
    let text =
      options.format == .json ? records.map(\.line).joined() : RunRecord.text(of: records)
    if text.isEmpty { return }
    progress.end()
    try Console.output(text)
  }

  /// Writes the reports, and says what it all came to.
  private func finish() throws(Failure) -> ExitCode {
    let milliseconds = Double(Measurement.now - start) / 1_000_000
    let left = selected - gate.records.count
    let stop = stop(left: left)
    let summary = Summary(
      of: gate.records, left: left, stop: stop, hasList: gate.hasList, seed: seed,
      milliseconds: milliseconds)
    let header = RunHeader(
      kit: kitVersion, client: options.subject, seed: seed, start: startTime,
      milliseconds: milliseconds, left: left, stop: stop)
    try options.reports.write(gate.records, header, summary, warnings: gate.warnings)
    let annotations = options.reports.annotations(
      gate.records, stop: stop, warnings: gate.warnings)
    if options.format == .json {
      Console.message(annotations)
      try Console.output(summary.json)
    } else {
      try Console.output(annotations + summary.text(Console.palette))
    }
    if hasGivenUp {
      AdapterSession.sayFarewell(left: left, after: "scenarios")
    } else if left > 0 {
      Console.message("kennel: \(left == 1 ? "1 run was" : "\(left) runs were") not made\n")
    }
    if summary.isEmpty { Console.message("kennel: nothing was judged\n") }
    if left > 0, let signal = Interrupt.signal() { return ExitCode(signal: signal) }
    return gate.exitCode(isWhole: left == 0 || !hasGivenUp)
  }

  /// Why not everything was run although that was wanted, in a sentence without a full stop.
  private func stop(left: Int) -> String? {
    if left == 0 { return nil }
    let rest = left == 1 ? "1 run was not made" : "\(left) runs were not made"
    if let signal = Interrupt.signal() {
      return "stopped by \(Interrupt.name(of: signal)); \(rest)"
    }
    guard hasGivenUp else { return nil }
    return "given up, because the adapter came to a bad end in \(AdapterSession.limit) scenarios "
      + "one after another; \(rest)"
  }
}

extension RunSession {
  /// Runs a scenario in all profiles that are asked for, and keeps what reports need of it.
  mutating func records(
    of scenario: Scenario, _ options: RunOptions, seed: UInt64
  ) throws(Failure) -> [RunRecord] {
    var records: [RunRecord] = []
    for profile in try options.profiles(of: scenario) where !hasGivenUp {
      let start = Measurement.now
      let result = try run(scenario, in: profile, seed: seed)
      // Nobody can tell whether a run that was under way then was cut short.
      if Interrupt.hasCome() { break }
      let milliseconds = Double(Measurement.now - start) / 1_000_000
      var record = RunRecord(result, report, milliseconds: milliseconds)
      if options.reports.files[.html] != nil { record.details = RunDetails(of: result).json.text }
      records.append(record)
    }
    return records
  }
}

extension RunOptions {
  /// What is tested, for reports.
  var subject: String { adapter?.command.joined(separator: " ") ?? client ?? "reference" }
}
