import AdapterSessions
import ClientInterface
import Conformance
import KnownFailures
import Processes
import Reports
import Rules
import Scenario
import System
import Text
import Workspace

/// What decides whether a run is red: the verdicts, and the list of known failures.
struct CIGate {
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
  init(
    _ options: GateSettings, _ library: ScenarioLibrary, isWhole: Bool,
    of run: RunSettings = RunSettings()
  ) throws(Failure) {
    today = try options.today()
    maxFailures = options.maxFailures
    list = try options.list.map { file throws(Failure) in
      let subject = run.wordsOfClient.map(shellWord).joined(separator: " ")
      var list = try KnownFailures(
        file: file, text: Files.text(of: file),
        KnownFailuresReader.Context(library, isWhole, flaky: run.adapter != nil))
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
    throw .unusable(
      "\(entry.location): flaky is for clients on a real clock; that of this COMMAND is virtual, so the "
        + "same seed gives the same run every time; expected bug or wontfix")
  }

  /// The entries that are about to expire, of those that list one of these scenarios.
  func warnings(about scenarios: [String]) -> [KnownFailures.Warning] {
    (list?.warnings(on: today) ?? []).filter { $0.entry.lists(anyOf: scenarios) }
  }

  /// Whether so much has failed that nothing more is run.
  var isClosed: Bool { maxFailures.map { failures >= $0 } ?? false }

  /// Takes the runs of one scenario.
  ///
  /// - Returns: The same, with how they compare with the list; without those behind the last failure that
  ///   is waited for.
  mutating func take(_ runs: [RunRecord]) -> [RunRecord] {
    var taken: [RunRecord] = []
    for run in runs where !isClosed {
      var record = run
      if let list { record.knownStatus = list.knownStatus(of: record.runEnd, on: today) }
      if record.outcome == .failed { failures += 1 }
      taken.append(record)
    }
    records += taken
    return taken
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
    if !reading.problems.isEmpty {
      let count = reading.problems.count
      throw .mistakes(
        reading.problems.map { "\($0)" },
        "\(count) \(count == 1 ? "problem" : "problems") in \(file); nothing was run")
    }
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
  /// - Throws: `Failure` when files cannot be read.
  init(_ library: ScenarioLibrary, _ isWhole: Bool, flaky: Bool) throws(Failure) {
    var others: [Scenario] = []
    if !isWhole, (try? Home.find()) != nil { others = try ScenarioLibrary([]).all }
    let own = try ProjectFile.find()?.scenarios.filter { Files.exists($0) } ?? []
    if !own.isEmpty { others += try ScenarioLibrary(own).all }
    var known = Set(library.all.map(\.id))
    let scenarios = library.all + others.filter { known.insert($0.id).inserted }
    self.init(
      scenarios: scenarios.map { .init($0.id, in: $0.profiles.map(\.name)) },
      rules: library.rules.rules.map(\.id.description), allowsFlaky: flaky)
  }
}
