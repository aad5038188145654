import ClientInterface
import Conformance
import Hunting
import ReferenceClient
import Report
import Rules
import Scenario

/// What `kennel hunt` was asked for.
struct HuntOptions {
  var settings: HuntSettings
  /// The seeds to run; nil goes on from seed 1 for as long as there is time.
  var seeds: ClosedRange<UInt64>?
  /// After how many minutes no more seeds are begun; nil for no limit.
  var minutes: Double?
  var jobs: Int
  /// The directory for the results; nil for the next one below .kennel.
  var output: String?
  var resumes: Bool
  var shrinks: Bool
}

extension HuntOptions {
  /// - Throws: `Failure.usage` for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    if let operand = arguments.operands.first {
      throw arguments.failure("hunt takes no arguments, but was given \"\(operand)\"")
    }
    settings = HuntSettings(
      size: try arguments.number(of: "size", from: 20, through: 100_000)
        ?? Generator.standardSize,
      profile: try arguments.profiles().last, client: arguments.value(of: "client"),
      hasShadow: !arguments.contains("no-shadow"))
    seeds = try arguments.seedRange()
    minutes = try arguments.minutes()
    if seeds == nil, minutes == nil { minutes = 1 }
    jobs = try arguments.number(of: "jobs", from: 1, through: 1024) ?? Processors.count
    output = arguments.value(of: "output")
    resumes = arguments.contains("resume")
    shrinks = !arguments.contains("no-shrink")
  }

  static let grammar = Grammar(
    command: "kennel hunt", operands: "",
    summary: """
      Runs scenarios that are drawn at random, with faults, until seeds or minutes are over, and \
      tells which invariants do not hold. Without --seeds and --minutes, for one minute.
      """,
    options: settingOptions + [
      .init(name: "seeds", value: "A..B", summary: "Run these seeds, each one scenario."),
      .init(name: "minutes", value: "M", summary: "Begin no more seeds after M minutes."),
      .init(
        name: "jobs", value: "N", summary: "Work in N processes instead of one for each core."),
      .init(
        name: "output", value: "DIR",
        summary: "Keep the results in DIR instead of the next of .kennel/hunt-1, hunt-2, ..."),
      .init(
        name: "resume",
        summary: "Go on with the campaign in DIR, or in the last one below .kennel."),
      shrinkOption,
    ],
    notes: """
      A seed means the same scenario on every machine. What was found is kept in found below DIR; \
      'kennel merge' puts the results of several machines together.

      Examples:
        kennel hunt --minutes 10
        kennel hunt --seeds 1..1000000 --output results
        kennel hunt --resume --output results --seeds 1..2000000

      \(ExitCode.help)
      """)

  /// The options that say what is run, which workers get too.
  static var settingOptions: [Grammar.Option] {
    [
      .init(
        name: "size", value: "N",
        summary: "Draw scenarios of about N events instead of \(Generator.standardSize)."),
      .init(
        name: "profile", value: "PROFILE",
        summary: "Run for this profile only: wilddog-1, wilddog-2 or firebase."),
      .init(
        name: "client", value: "NAME",
        summary: "Test the client NAME instead of the reference client."),
      .init(
        name: "no-shadow",
        summary: "Do not compare with the reference client that sees the same."),
    ]
  }
}

extension HuntOptions {
  /// What a worker is told on its command line.
  var workerWords: [String] { settings.words + (shrinks ? [] : ["--no-shrink"]) }

  static let shrinkOption = Grammar.Option(
    name: "no-shrink", summary: "Keep the scenarios that fail as they were drawn.")
}

extension HuntSettings {
  /// The same settings as words of a command line.
  var words: [String] {
    ["--size", String(size)] + (profile.map { ["--profile", $0] } ?? [])
      + (client.map { ["--client", $0] } ?? []) + (hasShadow ? [] : ["--no-shadow"])
  }

  /// What runs the scenarios.
  ///
  /// - Throws: `Failure.unusable` when there is no such client.
  func hunter() throws(Failure) -> Hunter {
    let subject = try ClientUnderTest(named: client)
    let hasShadow = hasShadow
    return Hunter(self) { seed in
      var runner = subject.runner(seed: seed)
      if hasShadow { runner.shadow = { ReferenceClient(profile: $0) } }
      return runner
    }
  }
}

/// Runs a campaign.
func run(_ options: HuntOptions) throws(Failure) -> ExitCode {
  _ = try options.settings.hunter()
  let path = options.output ?? ResultsFolder.standard(resuming: options.resumes)
  let (folder, records) = try ResultsFolder.open(
    path, options.settings, resuming: options.resumes)
  var coordinator = Coordinator(options, folder, records)
  try coordinator.run()
  let report = HuntReport(of: coordinator.campaign) { finding in
    let file = folder.file(of: finding.signature)
    guard Files.exists(file) else { return nil }
    return options.settings.command(for: file, seed: finding.first)
  }
  try Console.output(report.text(milliseconds: coordinator.milliseconds))
  Console.message("results in \(path)\n")
  return coordinator.campaign.findings.isEmpty ? .success : .divergence
}

extension HuntSettings {
  /// What shows again what a file shows that was saved for a seed.
  func command(for file: String, seed: UInt64) -> String {
    let client = client.map { " --client \($0)" } ?? ""
    let file = shellWord(Whereabouts.here.name(of: file))
    return "\(programName) run \(file) --profile \(profile(of: seed).name) --seed \(seed)\(client)"
  }
}
