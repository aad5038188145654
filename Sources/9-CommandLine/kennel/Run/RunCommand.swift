import AdapterSessions
import Commands
import Conformance
import RealClock
import Reports
import Runs
import Scenario
import System
import Workspace

/// The command `kennel run`.
struct RunCommand {
  var settings: RunSettings
  var format: OutputFormat
  /// The command line without `--watch`, to be run again after each change; nil to run once.
  var watched: [String]?

  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    settings = try RunSettings(arguments)
    format = try arguments.choice(of: "format", default: .text)
    if arguments.contains("watch") {
      watched = ["run"] + settings.words.filter { $0 != "--watch" }
    }
  }

  static let grammar = Grammar(
    command: "kennel run", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs scenarios against a client and reports where it diverges from the specification. Without \
      a PATH or ID, all scenarios run. With a COMMAND, that program drives the client under test; \
      Specs/adapter-protocol.md describes how.
      """,
    options: [
      .profile,
      .init(
        name: "seed", value: "N",
        summary:
          "Draw what the scenario leaves open, such as latencies, from seed N (0 if not given)."),
      .init(
        name: "seeds", value: "A..B",
        summary: """
          Run each scenario once with each of these seeds. Report the seeds with which it fails, \
          and the command that repeats the first failure.
          """),
      .format,
      .client,
      .init(
        name: "shadow",
        summary: "Compare each client with a reference client that gets the same messages."),
      .init(
        name: "record", value: "DIR",
        summary: "Write a recording of each client of each run into DIR."),
      .init(
        name: "metamorphic",
        summary: """
          Run each scenario again with changes that must not matter: deeper in the tree, with other \
          keys, with other clients and listeners, with reconnections while nothing is under way.
          """),
      .init(
        name: "trace", value: "DIR",
        summary: "Write a trace of each run into DIR, for 'kennel replay'."),
      .init(
        name: "audit",
        summary: """
          Run everything again in a second process, and fail runs that differ. This finds clients \
          that read a clock, draw their own random numbers, or depend on the order of a set. \
          --client unordered and --client clock-reader are two such clients.
          """),
      .init(
        name: "strict",
        summary: "Treat violations of SHOULD and MAY rules as failures too."),
      .init(
        name: "all",
        summary: """
          Show all divergences of every failed scenario, instead of the first one for each cause \
          and a list of the rest.
          """),
      .init(
        name: "verbose", letter: "v", summary: "Show the messages of every run that fails, as JSON."
      ),
      .init(name: "slowest", value: "N", summary: "List the N runs that took longest."),
      .init(
        name: "watch",
        summary: "Run again when a scenario, or a file beside those of the COMMAND, changes."),
      .init(
        name: "last-failed",
        summary: "Only scenarios that failed when they were last run from this directory."),
      .init(
        name: "shard", value: "K/N",
        summary: """
          Run only part K of N, for N machines; 'kennel merge' combines their reports.
          """),
    ] + ScenarioSelection.grammar + GateSettings.grammar + ReportFiles.grammar
      + AdapterOptions.grammar
      + RealClockSettings.grammar,
    notes: """
      A PATH is a scenario file or a directory of them; an ID is a path below Scenarios without the \
      suffix, or the beginning of one. In a PATTERN, * matches anything within one part of an ID, \
      ** for anything at all, and ? for one character. --tag, --rule and --needs restrict the \
      selection further. Specs/guides/continuous-integration.md describes reports and known failures.

      Examples:
        kennel run
        kennel run Scenarios/writes --profile firebase
        kennel run limits/refill-after-foreign-removal --seed 42
        kennel run races --seeds 1..1000 --client no-refill
        kennel run 'limits/*' --tag smoke --rule LIM-7
        kennel run --last-failed --watch -- python3 adapter.py
        kennel run --exclude 'limits/*' --shard 1/4 --jsonl part-1.jsonl
        kennel run --known known-failures.yaml --junit report.xml --jobs 4
        kennel run writes --profile firebase -- python3 adapter.py

      \(ExitCode.help)
      """,
    takesAdapter: true)
}

extension RunSettings {
  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    self.init(gate: try GateSettings(arguments))
    profiles = try arguments.profiles()
    seed = try arguments.seed()
    seeds = try arguments.seedRange()
    client = arguments.value(of: "client")
    hasShadow = arguments.contains("shadow")
    adapter = try arguments.adapterOptions()
    live = try RealClockSettings(arguments)
    recordings = arguments.value(of: "record")
    traces = arguments.value(of: "trace")
    isAudited = arguments.contains("audit")
    isMetamorphic = arguments.contains("metamorphic")
    isStrict = arguments.contains("strict")
    showsAll = arguments.contains("all")
    showsWire = arguments.contains("verbose")
    slowest = try arguments.count(of: "slowest") ?? 0
    keepsGoing = arguments.contains("keep-going")
    onlyLastFailed = arguments.contains("last-failed")
    notesFailures = true
    shard = try arguments.shard()
    selectors = arguments.operands
    selection = try arguments.selection()
    reports = try ReportFiles(arguments)
    words = arguments.words(in: RunCommand.grammar)
    if seed != nil, seeds != nil { throw arguments.failure("--seed and --seeds are both given") }
    if isMetamorphic {
      let others = ["audit", "record", "seeds", "trace"].filter { arguments.contains($0) }
      for other in others.prefix(1) {
        throw arguments.failure("--\(other) and --metamorphic are both given; expected one of them")
      }
    }
    try checkOnce(arguments)
  }
}

extension Arguments {
  /// The part that `--shard` names, or nil.
  fileprivate func shard() throws(Failure) -> Shard? {
    guard let text = value(of: "shard") else { return nil }
    if let shard = Shard(text) { return shard }
    throw failure("--shard needs a part and their number such as 1/4, not \"\(text)\"")
  }
}

extension RunSettings {
  /// What is made for a run with one seed does not go together with several.
  private func checkOnce(_ arguments: Arguments) throws(Failure) {
    for mode in ["seeds", "metamorphic"] where arguments.contains(mode) {
      for option in GateSettings.grammar + ReportFiles.grammar
      where arguments.contains(option.name) {
        throw arguments.failure(
          "--\(option.name) and --\(mode) are both given; expected one of them")
      }
    }
  }
}
