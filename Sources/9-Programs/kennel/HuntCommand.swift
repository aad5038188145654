import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Document
import Glibc
import Hunting
import Reports
import Runs
import System

/// The command `kennel hunt`.
struct HuntCommand: Command {
  var plan = HuntCampaign.Plan()
  var output: String?
  var resumes = false
  /// The causes of failures that are only counted.
  var known = KnownCauses()
  /// What a guided campaign begins with; nil for none.
  var corpus: Corpus?
  var coverage: String?
  var minimised: String?

  static var options: [Option<Self>] {
    HuntCampaign.Plan.options.within(\.plan) + [
      .flag(
        "resume", \.resumes,
        "Go on with the hunt in DIR, or in the last one below .kennel."),
      .value(
        "output", "DIR", \.output, .text, letter: "o",
        "Keep the results in DIR instead of the next of .kennel/hunt-1, hunt-2, ..."),
      .value(
        "coverage", "FILE", \.coverage, .text,
        "Write what was covered, and what was not, into FILE: as text, .json or .html."),
      .value(
        "minimise", "DIR", \.minimised, .text,
        """
        Do not hunt: keep the fewest recipes of the results, or of the corpus, in DIR that reach \
        the same, as the corpus of --output.
        """),
    ]
  }

  static let grammar = Grammar(
    command: "kennel hunt", operands: "[-- COMMAND [ARGUMENT...]]",
    summary: """
      Draws scenarios with faults at random, runs them until the seeds or the minutes are used \
      up, and reports violated invariants. Without --seeds and --minutes it runs for one minute.
      """,
    notes: """
      What is run follows from the seeds and the corpus alone, so it is the same on every machine. For each kind of failure the smallest \
      scenario that shows it is kept in found below DIR; 'kennel report merge' puts the results of several \
      machines together. Ctrl-C ends a hunt after what is under way; a second one ends it at once.

      Examples:
        kennel hunt --minutes 10
        kennel hunt --minutes 10 --blind
        kennel hunt --corpus corpus --coverage coverage.html
        kennel hunt --seeds 1..1000000 --output results
        kennel hunt --resume --output results --seeds 1..2000000
        kennel hunt --client value-first --minutes 0.1
        kennel hunt --minutes 1 -- python3 adapter.py
        kennel hunt --profile firebase --jobs 8 --server-command 'kennel serve --port {port}'
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try arguments.requireNoOperands()
    try arguments.read(Self.options.only("resume", "output"), into: &self)
    if resumes, ResultsFolder.hasCampaign(folder) {
      plan.hunt.resume(try ResultsFolder.settings(in: folder))
    } else if resumes, output == nil {
      throw .unusable(
        "there is no hunt below .kennel to go on with; 'kennel hunt' begins one, --output DIR names another"
      )
    }
    var arguments = arguments
    let adapter = plan.settings.adapter
    if arguments.adapter == nil, !adapter.isEmpty { arguments.adapter = adapter }
    if let adapter = try arguments.adapterOptions() { plan.hunt.take(adapter) }
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    corpus = try plan.hunt.settings.begin(with: plan.hunt.corpus)
    if plan.seeds == nil, plan.minutes == nil { plan.minutes = 1 }
    if let file = plan.hunt.known { known = try KnownCauses(file: file) }
    plan.hunt.settings.known = plan.hunt.known.map { _ in known.hash }
    if let problem = plan.hunt.problem { throw arguments.failure(problem) }
    if let coverage { try HuntResults.requireReplaceable(coverage) }
    output = folder
  }

  /// The directory for the results.
  private var folder: String { output ?? ResultsFolder.standard(resuming: resumes) }

  /// Runs a campaign.
  func perform() throws(Failure) -> ExitCode {
    if let minimised { return try minimise(minimised) }
    var trial = plan.adapter
    trial?.staysOnOneProcessor = false
    let hunter = try plan.hunt.hunter(of: try plan.hunt.subject(trial), known: known)
    let unproven =
      try plan.hunt.known.map { file throws(Failure) in
        try known.unproven(in: file, hunter)
      } ?? []
    for sentence in unproven { Console.message(sentence + "\n") }
    let (folder, records) = try ResultsFolder.open(
      self.folder, plan.settings, resuming: resumes)
    if let corpus, !resumes { try corpus.write(to: folder.corpusPath) }
    Interrupt.begin()
    var hunt = HuntCampaign(plan, folder, records)
    let before = hunt.results.seeds.count
    try follow(&hunt)
    let campaign = hunt.results
    let report = HuntReport(of: campaign, lacks: hunter.lacks, known: known) { finding in
      ResultsFolder.evidence(folder.file(of: finding.signature))
    }
    try Console.output(
      report.text(of: campaign.seeds.count - before, in: hunt.milliseconds))
    if let coverage { try campaign.writeCoverage(to: coverage) }
    if hunt.effort.scenarios > 0 { Console.message(hunt.effort.report) }
    Console.message("results in \(folder.path)\n")
    if hunt.wasStopped {
      Console.message("stopped; resume with: \(resumption)\n")
      if let signal = Interrupt.signal() { return ExitCode(signal: signal) }
    }
    guard campaign.findings.isEmpty, unproven.isEmpty else { return .divergence }
    guard campaign.skipped < campaign.seeds.count || campaign.seeds.isEmpty else {
      Console.message("kennel: nothing was judged\n")
      return .usage
    }
    return .success
  }
}

extension HuntCommand {
  /// Makes a corpus of what a campaign has kept.
  private func minimise(_ source: String) throws(Failure) -> ExitCode {
    let all = try Corpus(keptIn: source, plan.settings)
    let few = all.minimised()
    try few.write(to: folder)
    try Console.output("\(few.recipes.count) of \(all.recipes.count) recipes in \(folder)\n")
    return .success
  }

  /// Runs a campaign and reports its progress on standard error.
  private func follow(_ hunt: inout HuntCampaign) throws(Failure) {
    let progress = HuntProgress(
      goal: hunt.goal, minutes: plan.minutes, before: hunt.results.seeds.count)
    let start = Measurement.now
    var line = ProgressLine(every: 500, elsewhere: 10)
    try hunt.run(
      onProgress: {
        line.show(progress.text($0, after: Double(Measurement.now - start) / 1e9) + "   " + $1)
      },
      onStop: {
        line.end()
        Console.message("stopping; Ctrl-C again does not wait for what is under way\n")
      })
    line.end()
  }

  /// The command that goes on where this one was stopped.
  fileprivate var resumption: String {
    var command = self
    command.resumes = true
    let words = Self.options.only("resume", "output", "known", "seeds", "minutes").words(
      of: command)
    let program = plan.adapter.map { " " + $0.subject } ?? ""
    return "\(programWord) hunt \(words.map(shellWord).joined(separator: " "))\(program)"
  }
}

/// The command `kennel hunt-worker`: the process that does the work of a campaign. It is no
/// command for people, and no help mentions it.
struct WorkerCommand: Command {
  var hunt = HuntOptions()

  static var options: [Option<Self>] { HuntOptions.options.within(\.hunt) }

  static let grammar = Grammar(
    command: "kennel hunt-worker", operands: "",
    summary: "Does the work of a campaign, as 'kennel hunt' writes it to standard input.",
    takesAdapter: true)

  static let isListed = false

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let adapter = try arguments.adapterOptions() { hunt.take(adapter) }
  }

  /// Does what each line of standard input says, until its end.
  ///
  /// The process ends with its input: when the one that started it is killed, it does not go on.
  func perform() throws(Failure) -> ExitCode {
    let start = try hunt.corpus.map { corpus throws(Failure) in
      try Corpus(in: corpus, hunt.settings)
    }
    let known = try hunt.known.map { file throws(Failure) in try KnownCauses(file: file) }
    let worker = try HuntWorker(
      hunt, corpus: start, known: known ?? KnownCauses())
    while let line = readLine() {
      let answer = try worker.answer(to: line) { try? Console.output($0 + "\n") }
      try Console.output(answer + "\n")
    }
    return .success
  }
}
