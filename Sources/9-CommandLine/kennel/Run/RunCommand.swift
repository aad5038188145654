import AdapterSessions
import ClientInterface
import Commands
import Conformance
import RealClock
import Reports
import Rules
import Scenario
import System
import Trace

/// What `kennel run` was asked for.
struct RunOptions {
  /// The profiles to run; empty means all that each scenario is for.
  var profiles: [String]

  /// The seed of the choices; nil means the benign order of everything.
  var seed: UInt64?

  /// The seeds with which each scenario is run; nil means the one above.
  var seeds: ClosedRange<UInt64>?

  var format: OutputFormat

  /// The client under test; nil means the reference client.
  var client: String?

  /// Whether each client is compared with the reference client that sees the same.
  var hasShadow: Bool

  /// The program behind which the client is; nil for a client of the kit.
  var adapter: AdapterOptions?

  /// How runs are made when its clients have a clock of their own.
  var live: LiveSettings

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

  /// Paths, ids and patterns of scenarios; empty means all of them.
  var selectors: [String]

  /// Which of these are meant.
  var selection: Selection

  /// When the run is red, and when it ends early.
  var gate: GateOptions

  /// The reports that are written.
  var reports: ReportOptions

  /// The command line, for other processes of this program.
  var words: [String]
}

extension RunOptions {
  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    profiles = try arguments.profiles()
    seed = try arguments.seed()
    seeds = try arguments.seedRange()
    format = try arguments.choice(of: "format", default: .text)
    client = arguments.value(of: "client")
    hasShadow = arguments.contains("shadow")
    adapter = try arguments.adapterOptions()
    live = try LiveSettings(arguments)
    recordings = arguments.value(of: "record")
    traces = arguments.value(of: "trace")
    isAudited = arguments.contains("audit")
    isMetamorphic = arguments.contains("metamorphic")
    showsAll = arguments.contains("all")
    selectors = arguments.operands
    selection = try arguments.selection()
    gate = try GateOptions(arguments)
    reports = try ReportOptions(arguments)
    words = arguments.words(in: Self.grammar)
    if seed != nil, seeds != nil { throw arguments.failure("--seed and --seeds are both given") }
    if isMetamorphic {
      let others = ["audit", "record", "seeds", "trace"].filter { arguments.contains($0) }
      for other in others.prefix(1) {
        throw arguments.failure("--\(other) and --metamorphic are both given; expected one of them")
      }
    }
    try checkOnce(arguments)
  }

  static let grammar = Grammar(
    command: "kennel run", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs scenarios against a client and reports where it diverges from the specification. Without \
      a PATH or ID, all scenarios run. With a COMMAND, the client is the one that this program \
      stands for; Specs/adapter-protocol.md tells how.
      """,
    options: [
      .init(
        name: "profile", value: "PROFILE",
        summary: "Run for this profile: wilddog-1, wilddog-2 or firebase. May be repeated."),
      .init(
        name: "seed", value: "N",
        summary:
          "Draw what the scenario leaves open, such as latencies, from seed N (0 if not given)."),
      .init(
        name: "seeds", value: "A..B",
        summary: """
          Run each scenario once with each of these seeds, and tell with which of them it fails and \
          how the first of them is run again.
          """),
      .init(
        name: "format", value: "FORMAT", summary: "Report as text (the default) or json.",
        choices: ["text", "json"]),
      .init(
        name: "client", value: "NAME",
        summary: "Test the client NAME instead of the reference client."),
      .init(
        name: "shadow",
        summary: "Compare each client with a reference client that gets the same messages."),
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
    ] + Selection.grammar + GateOptions.grammar + ReportOptions.grammar + AdapterOptions.grammar
      + LiveSettings.grammar,
    notes: """
      A PATH is a scenario file or a directory of them; an ID is a path below Scenarios without the \
      suffix, or the beginning of one. In a PATTERN, * stands for anything within one part of an ID, \
      ** for anything at all, and ? for one character. --tag, --rule and --needs narrow down what \
      was named. Specs/continuous-integration.md tells of reports and known failures.

      Examples:
        kennel run
        kennel run Scenarios/writes --profile firebase
        kennel run limits/refill-after-foreign-removal --seed 42
        kennel run races --seeds 1..1000 --client no-refill
        kennel run 'limits/*' --tag smoke --rule LIM-7
        kennel run --known known-failures.yaml --junit report.xml --jobs 4
        kennel run writes --profile firebase -- python3 adapter.py

      \(ExitCode.help)
      """,
    takesAdapter: true)
}

extension RunOptions {
  /// What is made for a run with one seed does not go together with several.
  private func checkOnce(_ arguments: Arguments) throws(Failure) {
    for mode in ["seeds", "metamorphic"] where arguments.contains(mode) {
      for option in GateOptions.grammar + ReportOptions.grammar
      where arguments.contains(option.name) {
        throw arguments.failure(
          "--\(option.name) and --\(mode) are both given; expected one of them")
      }
    }
  }

  /// What is asked for that only clients without a clock of their own can do; nil for nothing.
  var needsVirtualClock: String? {
    if isMetamorphic { return "run --metamorphic" }
    if isAudited { return "run --audit" }
    if hasShadow { return "run --shadow" }
    return seeds == nil ? nil : "run --seeds"
  }

  /// The profiles in which a scenario is run.
  func profiles(of scenario: Scenario) throws(Failure) -> [Profile] {
    if profiles.isEmpty { return scenario.profiles }
    return profiles.compactMap { Profile(named: $0) }
  }
}

/// The verdict of the run as a whole.
func exitCode(of results: [ScenarioResult]) -> ExitCode {
  let verdicts = Set(results.map(\.verdict))
  return exitCode(of: Verdict.allCases.filter(verdicts.contains))
}

/// The verdict of a run with these verdicts.
func exitCode(of verdicts: [Verdict]) -> ExitCode {
  if verdicts.contains(.kitError) { return .fault }
  if verdicts.contains(where: { $0.count == .failed }) { return .divergence }
  if verdicts.contains(.inconclusive) { return .inconclusive }
  return verdicts.contains(.pass) ? .success : .usage
}
