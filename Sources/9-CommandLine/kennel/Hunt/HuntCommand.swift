import AdapterSessions
import Campaigns
import ClientInterface
import Commands
import Conformance
import Hunting
import Processes
import ReferenceClient
import Reports
import Rules
import Scenario
import System
import Text
import Tree

/// The command `kennel hunt`.
struct HuntCommand {
  var settings: HuntSettings
  /// The program behind which the client is; nil for a client of the kit.
  var adapter: AdapterOptions?
  /// The seeds to run; nil goes on from seed 1 for as long as there is time.
  var seeds: ClosedRange<UInt64>?
  /// After how many minutes no more seeds are begun; nil for no limit.
  var minutes: Double?
  var jobs: Int
  /// The directory for the results.
  var output: String
  var resumes: Bool
  var shrinks: Bool
  /// The kinds of failure that are known.
  var known = KnownSignatures()
  var stopsAtFirst: Bool
  /// What a guided campaign begins with; nil for none.
  var corpus: Corpus?
  /// The file for what was covered; nil for none.
  var coverage: String?
  /// The results of which a corpus is made, in place of a hunt; nil for a hunt.
  var minimised: String?

  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    if let operand = arguments.operands.first {
      throw arguments.failure("hunt takes no arguments, but was given \"\(operand)\"")
    }
    resumes = arguments.contains("resume")
    output = arguments.value(of: "output") ?? ResultsFolder.standard(resuming: resumes)
    settings =
      resumes && ResultsFolder.hasCampaign(output)
      ? try ResultsFolder.settings(in: output) : HuntSettings.standard
    try settings.take(arguments)
    corpus = try settings.begin(with: arguments.value(of: "corpus"))
    coverage = arguments.value(of: "coverage")
    minimised = arguments.value(of: "minimise")
    adapter = try settings.adapterOptions(arguments)
    seeds = try arguments.seedRange()
    minutes = try arguments.minutes()
    if seeds == nil, minutes == nil { minutes = 1 }
    jobs = try arguments.number(of: "jobs", from: 1, through: 1024) ?? Processors.count
    shrinks = !arguments.contains("no-shrink")
    stopsAtFirst = arguments.contains("fail-fast")
    if let file = arguments.value(of: "known") { known = try KnownSignatures(file: file) }
  }

  static let grammar = Grammar(
    command: "kennel hunt", operands: "[-- COMMAND [ARGUMENT...]]",
    summary: """
      Draws scenarios with faults at random, runs them until the seeds or the minutes are used \
      up, and reports violated invariants. Without --seeds and --minutes it runs for one minute.
      """,
    options: settingOptions + [
      .init(name: "seeds", value: "A..B", summary: "Run these seeds, each one scenario."),
      .init(name: "minutes", value: "M", summary: "Begin no more seeds after M minutes."),
      .init(
        name: "jobs", value: "N", summary: "Work in N processes instead of one for each core."),
      .init(
        name: "output", value: "DIR", letter: "o",
        summary: "Keep the results in DIR instead of the next of .kennel/hunt-1, hunt-2, ..."),
      .init(
        name: "resume",
        summary: "Go on with the campaign in DIR, or in the last one below .kennel."),
      .init(
        name: "known", value: "FILE",
        summary: "Do not fail for signatures in FILE, one a line; '# why' may follow."),
      .init(
        name: "fail-fast",
        summary: "Stop after the first failure that is not known."),
      .init(
        name: "no-shrink", summary: "Keep the scenarios that fail as they were drawn."),
      .init(
        name: "coverage", value: "FILE",
        summary: "Write what was covered, and what was not, into FILE: as text, .json or .html."),
      .init(
        name: "minimise", value: "DIR",
        summary: "Do not hunt: keep the fewest recipes of the results, or of the corpus, in DIR "
          + "that reach the same, as the corpus of --output."),
    ],
    notes: """
      What is run follows from the seeds and the corpus alone, so it is the same on every machine. For each kind of failure the smallest \
      scenario that shows it is kept in found below DIR; 'kennel merge' puts the results of several \
      machines together. Ctrl-C ends a hunt after what is under way; a second one ends it at once.

      Examples:
        kennel hunt --minutes 10
        kennel hunt --minutes 10 --blind
        kennel hunt --corpus corpus --coverage coverage.html
        kennel hunt --seeds 1..1000000 --output results
        kennel hunt --resume --output results --seeds 1..2000000
        kennel hunt --client value-first --minutes 0.1
        kennel hunt --minutes 1 -- python3 adapter.py

      \(ExitCode.help)
      """,
    takesAdapter: true)

  /// The options that select what is run, which workers get too.
  static var settingOptions: [Grammar.Option] {
    [
      .init(
        name: "size", value: "N",
        summary: "Draw scenarios of about N events instead of \(Generator.standardSize)."),
      .init(
        name: "profile", value: "PROFILE",
        summary: "Run for this profile only: wilddog-1, wilddog-2 or firebase."),
      .client,
      .init(
        name: "no-shadow",
        summary: "Do not compare with a reference client that gets the same messages."),
      .init(
        name: "blind",
        summary: "Draw every scenario by itself, whatever the earlier ones have reached."),
      .init(
        name: "corpus", value: "DIR",
        summary: "Begin with the recipes in DIR, as 'kennel hunt --minimise' makes them."),
      .init(
        name: "chunk", value: "N",
        summary: "Save results after every N scenarios, instead of after about 30,000 events."),
    ] + AdapterOptions.grammar.filter { $0.name == "timeout" }
  }
}

extension HuntSettings {
  /// Takes what the command line says; the rest stays.
  ///
  /// - Throws: `Failure.usage` for values that do not exist.
  mutating func take(_ arguments: Arguments) throws(Failure) {
    if arguments.contains("blind") { isGuided = false }
    let isQuick = isGuided && arguments.adapter == nil
    // A chunk is not to take long: what is under way is waited for.
    if !isQuick, chunkLength == Self.guidedChunk { chunkLength /= 4 }
    if let size = try arguments.number(of: "size", from: 20, through: 100_000) {
      let old = self
      self = HuntSettings(size: size, profile: profile, client: client, hasShadow: hasShadow)
      (adapter, isGuided, corpus) = (old.adapter, old.isGuided, old.corpus)
      if isQuick { chunkLength *= 4 }
    }
    if let chunk = try arguments.number(of: "chunk", from: 1, through: 1_000_000) {
      chunkLength = chunk
    }
    if let profile = try arguments.profiles().last { self.profile = profile }
    if let client = arguments.value(of: "client") { self.client = client }
    if arguments.contains("no-shadow") { hasShadow = false }
    if let words = arguments.adapter, !words.isEmpty { adapter = words }
  }

  /// The program behind which the client is, with what the command line says about it; nil for a
  /// client of the kit.
  func adapterOptions(_ arguments: Arguments) throws(Failure) -> AdapterOptions? {
    var arguments = arguments
    if arguments.adapter == nil, !adapter.isEmpty { arguments.adapter = adapter }
    return try arguments.adapterOptions()
  }
}

extension HuntCommand: Command {
  /// Runs a campaign.
  func perform() throws(Failure) -> ExitCode {
    if let minimised { return try minimise(minimised) }
    var trial = adapter
    trial?.staysOnOneProcessor = false
    let lacks = try settings.hunter(trial).lacks
    let (folder, records) = try ResultsFolder.open(
      output, settings, resuming: resumes)
    if let corpus, !resumes { try corpus.write(to: folder.corpusPath) }
    Interrupt.begin()
    var plan = HuntCampaign.Plan(
      settings: settings, adapter: adapter, seeds: seeds, minutes: minutes, jobs: jobs,
      shrinks: shrinks, known: known)
    plan.stopsAtFirst = stopsAtFirst
    var hunt = HuntCampaign(plan, folder, records)
    let before = hunt.results.seeds.count
    try follow(&hunt)
    let campaign = hunt.results
    let report = HuntReport(of: campaign, lacks: lacks, known: known) { finding in
      ResultsFolder.evidence(folder.file(of: finding.signature))
    }
    try Console.output(
      report.text(of: campaign.seeds.count - before, in: hunt.milliseconds))
    if let coverage { try campaign.writeCoverage(to: coverage) }
    Console.message("results in \(output)\n")
    if hunt.wasStopped {
      Console.message("stopped; resume with: \(resumption)\n")
      if let signal = Interrupt.signal() { return ExitCode(signal: signal) }
    }
    if campaign.findings.contains(where: { !known.contains($0.signature) }) { return .divergence }
    guard campaign.skipped < campaign.seeds.count || campaign.seeds.isEmpty else {
      Console.message("kennel: nothing was judged\n")
      return .usage
    }
    return .success
  }
}

extension HuntCommand {
  /// Makes a corpus of what a campaign has kept.
  private func minimise(_ folder: String) throws(Failure) -> ExitCode {
    let all = try Corpus(keptIn: folder, settings)
    let few = all.minimised()
    try few.write(to: output)
    try Console.output("\(few.recipes.count) of \(all.recipes.count) recipes in \(output)\n")
    return .success
  }

  /// Runs a campaign and reports its progress on standard error.
  private func follow(_ hunt: inout HuntCampaign) throws(Failure) {
    let progress = HuntProgress(
      goal: hunt.goal, minutes: minutes, before: hunt.results.seeds.count)
    let start = Measurement.now
    var line = ProgressLine(every: 500, elsewhere: 10)
    try hunt.run(
      onProgress: {
        line.show(progress.text($0, after: Double(Measurement.now - start) / 1e9))
      },
      onStop: {
        line.end()
        Console.message("stopping; Ctrl-C again does not wait for what is under way\n")
      })
    line.end()
  }

  /// The command that goes on where this one was stopped.
  fileprivate var resumption: String {
    let goal =
      seeds.map { " --seeds \(SeedRanges.text(of: $0))" }
      ?? minutes.map { " --minutes \(canonicalText(of: $0))" } ?? ""
    let program = adapter.map { " " + $0.subject } ?? ""
    return "\(programWord) hunt --resume --output \(shellWord(output))\(goal)\(program)"
  }
}
