import ClientInterface
import Conformance
import Recordings
import Report
import Rules
import Scenario
import Simulator
import Trace
import Tree

/// What `kennel run` was asked for.
struct RunOptions {
  /// The profiles to run; empty means all that each scenario is for.
  var profiles: [String]

  /// The seed of the choices; nil means the benign order of everything.
  var seed: UInt64?

  var format: OutputFormat

  /// The client under test; nil means the reference client.
  var client: String?

  /// The directory for recordings of what each client saw and did; nil for none.
  var recordings: String?

  /// Whether scenarios are also run with changes that must not matter.
  var isMetamorphic: Bool

  /// The directory for a trace of each run; nil for none.
  var traces: String?

  /// Whether runs are compared with those of another process.
  var isAudited: Bool

  /// Whether every divergence is shown, or the first of each scenario only.
  var showsAll: Bool

  /// Paths and ids of scenarios; empty means all of them.
  var selectors: [String]
}

extension RunOptions {
  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    profiles = try arguments.profiles()
    seed = try arguments.seed()
    format = try arguments.choice(of: "format", default: .text)
    client = arguments.value(of: "client")
    recordings = arguments.value(of: "record")
    traces = arguments.value(of: "trace")
    isAudited = arguments.contains("audit")
    isMetamorphic = arguments.contains("metamorphic")
    showsAll = arguments.contains("all")
    selectors = arguments.operands
  }

  static let grammar = Grammar(
    command: "kennel run", operands: "[PATH|ID...]",
    summary: """
      Runs scenarios against a client and reports where it diverges from the specification. Without \
      a PATH or ID, all scenarios run.
      """,
    options: [
      .init(
        name: "profile", value: "PROFILE",
        summary: "Run for this profile: wilddog-1, wilddog-2 or firebase. May be repeated."),
      .init(
        name: "seed", value: "N", summary: "Draw message orders and faults from seed N."),
      .init(name: "format", value: "FORMAT", summary: "Report as text (the default) or json."),
      .init(
        name: "client", value: "NAME",
        summary: "Test the client NAME instead of the reference client."),
      .init(
        name: "record", value: "DIR",
        summary: "Write into DIR what each client saw and did, one recording a client and run."),
      .init(
        name: "metamorphic",
        summary: """
          Run each scenario again with changes that must not matter: deeper in the tree, with other \
          keys, with other clients and listeners, with reconnections while nothing is under way.
          """),
      .init(
        name: "trace", value: "DIR",
        summary: "Write into DIR everything that happened, one trace a run, for 'kennel replay'."),
      .init(
        name: "audit",
        summary: """
          Run everything in another process as well, and fail what went another way there: a client \
          that reads a clock, draws numbers of its own, or depends on the order of a set. \
          --client unordered and --client clock-reader are two such clients.
          """),
      .init(name: "all", summary: "Show all divergences of a scenario, not only the first."),
    ],
    notes: """
      A PATH is a scenario file or a directory of them; an ID is a path below Scenarios without the \
      suffix, or the beginning of one.

      Examples:
        kennel run
        kennel run Scenarios/writes --profile firebase
        kennel run limits/refill-after-foreign-removal --seed 42

      \(ExitCode.help)
      """)
}

/// Runs the selected scenarios, each in every profile that it names and that was asked for.
func run(_ options: RunOptions) throws(Failure) -> ExitCode {
  if options.isMetamorphic { return try runMetamorphic(options) }
  let subject = try ClientUnderTest(named: options.client)
  let library = try ScenarioLibrary(options.selectors)
  try library.requireNoProblems()
  let seed = options.seed ?? 0
  let start = Measurement.now
  let palette: Palette = Console.isTerminal && !Console.isColorless ? .colour : .plain
  var report = TextReport(
    rules: library.rules, palette: palette, extent: options.showsAll ? .all : .first)
  report.client = options.client
  report.isAudited = options.isAudited
  let runner = subject.runner(seed: seed)
  var audit = options.isAudited ? try Audit(options) : nil
  var results: [ScenarioResult] = []
  var traces = try options.traces.map { directory throws(Failure) in
    try TraceWriter(directory, client: options.client, library)
  }
  for scenario in library.scenarios {
    var inProfiles: [ScenarioResult] = []
    for profile in try options.profiles(of: scenario) {
      var result = runner.run(scenario, in: profile)
      try audit?.judge(&result)
      inProfiles.append(result)
    }
    try show(inProfiles, options.format, report)
    if let directory = options.recordings {
      for result in inProfiles { try record(result, in: directory) }
    }
    for result in inProfiles { try traces?.write(result) }
    for index in inProfiles.indices { inProfiles[index].trace.forgetEvents() }
    results += inProfiles
  }
  let milliseconds = Double(Measurement.now - start) / 1_000_000
  let summary = Summary(of: results, seed: seed, milliseconds: milliseconds)
  try Console.output(options.format == .json ? summary.json : summary.text(palette))
  if summary.isEmpty { Console.message("kennel: nothing was judged\n") }
  return exitCode(of: results)
}

/// Prints what is to be said of the runs of one scenario.
private func show(
  _ results: [ScenarioResult], _ format: OutputFormat, _ report: TextReport
) throws(Failure) {
  let text =
    format == .json
    ? results.map(JSONReport.line).joined() : report.text(of: results) + report.notes(on: results)
  if !text.isEmpty { try Console.output(text) }
}

extension RunOptions {
  /// The profiles in which a scenario is run.
  func profiles(of scenario: Scenario) throws(Failure) -> [Profile] {
    if profiles.isEmpty { return scenario.profiles }
    return profiles.compactMap { Profile(named: $0) }
  }
}

/// Writes the half that each client had in a run, in the format that `kennel replay` reads.
private func record(_ result: ScenarioResult, in directory: String) throws(Failure) {
  let id = result.scenario.id.map { $0 == "/" ? "_" : $0 }
  for (index, name) in result.scenario.clients.enumerated() {
    let text = Recording.text(
      of: ClientIndex(index), in: result.trace, name: name, profile: result.profile,
      seed: result.seed, epoch: Configuration.standardEpoch)
    let file = "\(String(id)).\(result.profile.name).\(name).jsonl"
    try Files.write(text, to: Files.join(directory, file))
  }
}

/// The verdict of the run as a whole.
func exitCode(of results: [ScenarioResult]) -> ExitCode {
  let verdicts = Set(results.map(\.verdict))
  if verdicts.contains(.kitError) { return .fault }
  if results.contains(where: { $0.verdict.count == .failed }) { return .divergence }
  if verdicts.contains(.inconclusive) { return .inconclusive }
  return verdicts.contains(.pass) ? .success : .usage
}
