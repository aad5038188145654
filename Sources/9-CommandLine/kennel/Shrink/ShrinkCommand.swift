import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Exploration
import Processes
import ReferenceClient
import Reports
import Rules
import Scenario
import Shrinking
import System

/// What `kennel shrink` was asked for.
struct ShrinkOptions {
  var run: SuspectOptions
  /// The file to write; nil for one in the folder `found`.
  var output: String?
}

/// Which client fails in which scenario, for commands that look at one failure.
struct SuspectOptions {
  var profile: String?
  var seed: UInt64?
  /// The client under test; nil means the reference client.
  var client: String?
  /// The program behind which the client is; nil for a client of the kit.
  var adapter: AdapterOptions?
  /// Whether clients are compared with a reference client that gets the same messages.
  var hasShadow: Bool
  var selector: String

  /// - Throws: `Failure.usage` for values that do not exist, and unless there is one scenario.
  init(_ arguments: Arguments) throws(Failure) {
    profile = try arguments.profiles().last
    seed = try arguments.seed()
    client = arguments.value(of: "client")
    adapter = try arguments.adapterOptions()
    hasShadow = arguments.contains("shadow")
    guard let selector = arguments.operands.first, arguments.operands.count == 1 else {
      let name = arguments.command.split(separator: " ").last ?? ""
      throw arguments.failure("\(name) needs one scenario")
    }
    self.selector = selector
  }

  static let options: [Grammar.Option] =
    [
      .init(
        name: "client", value: "NAME",
        summary: "The client that fails, instead of the reference client."),
      .init(
        name: "profile", value: "PROFILE",
        summary: "The profile in which it fails: wilddog-1, wilddog-2 or firebase."),
      .init(name: "seed", value: "N", summary: "The seed with which it fails."),
      .init(
        name: "shadow",
        summary: "Compare each client with a reference client that gets the same messages."),
    ] + AdapterOptions.grammar

  /// The rest of a command line that runs a scenario with these options.
  func words(in profile: Profile, needsShadow: Bool) -> [String] {
    ["--profile", profile.name, "--seed", String(seed ?? 0)] + (needsShadow ? ["--shadow"] : [])
      + (client.map { ["--client", $0] } ?? [])
      + (adapter.map { $0.words + ["--"] + $0.command } ?? [])
  }

  /// What runs the client that fails.
  ///
  /// - Throws: `Failure` when there is no such client.
  func runner() throws(Failure) -> ScenarioRunner {
    let subject = try ClientUnderTest(
      named: client, or: adapter, clock: "shrink, like why,")
    // A client that ends its process is looked at as often as one that does something wrong.
    subject.adapter?.givesUp = false
    var runner = subject.runner(seed: seed ?? 0)
    if hasShadow { runner.shadow = { ReferenceClient(profile: $0) } }
    return runner
  }
}

extension ShrinkOptions {
  init(_ arguments: Arguments) throws(Failure) {
    run = try SuspectOptions(arguments)
    output = arguments.value(of: "output")
  }

  static let grammar = Grammar(
    command: "kennel shrink", operands: "PATH|ID [-- COMMAND [ARGUMENT...]]",
    summary: """
      Makes a failing scenario small: looks for one that fails in the same way with as little as \
      possible in it, until nothing can be left out by itself any more, writes it with what the \
      reference client shows as its expectations, and runs it again in a second process.
      """,
    options: SuspectOptions.options + [
      .init(
        name: "output", value: "FILE", letter: "o",
        summary: """
          Write FILE instead of one that is named after the failure: in Scenarios/found within the \
          source tree, in found below the current directory anywhere else.
          """)
    ],
    notes: """
      Examples:
        kennel shrink results/found/inv-4-listener.yaml --seed 17 -o small.yaml
        kennel shrink limits/refill-after-foreign-removal --client no-refill
        kennel shrink limits/refill-after-foreign-removal -- python3 adapter.py

      \(ExitCode.help)
      """,
    takesAdapter: true)
}

extension ShrinkOptions: Command {
  /// Shrinks the selected scenario.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary([run.selector])
    let (scenario, suspect) = try run.suspect(in: library)
    let output = self.output
    let folder = try foundFolder()
    let place = output ?? Files.join(folder, "x.yaml")
    guard let shrunk = suspect.shrink(scenario, file: place) else {
      throw .fault("the failure of \(scenario.id) went away")
    }
    var small = shrunk.scenario
    let result = suspect.runner.run(small, in: suspect.profile)
    if result.signature != nil {
      let name = run.adapter?.command.joined(separator: " ") ?? run.client
      small.why = "\(name ?? "reference"): \(TextReport.sentence(of: result)).\n"
    }
    let words = run.words(in: suspect.profile, needsShadow: shrunk.needsShadow)
    let quoted = words.map(shellWord)
    let text = small.yaml(
      comment: """
        Made small by kennel shrink \(scenario.id) \(quoted.joined(separator: " "))
        Fails with \(shrunk.signature).
        """)
    let file: String
    if let output { file = output } else { file = try freeFile(for: shrunk.signature) }
    try Files.write(text, to: file)
    let command = ([programWord, "run", shellWord(Whereabouts.here.name(of: file))] + quoted)
      .joined(separator: " ")
    try Console.output(summary(of: shrunk, file, command) + "\n" + text)
    try confirm(file, words)
    Console.message("a second process confirms it\n")
    return .success
  }
}

private func summary(of shrunk: ShrunkFailure, _ file: String, _ command: String) -> String {
  let proof = shrunk.isMinimal ? "nothing can be left out by itself" : "not proven to be minimal"
  return """
    \(shrunk.signature)
    \(shrunk.stepsBefore) -> \(shrunk.stepsAfter) steps after \(shrunk.executions) runs; \(proof)
    \(file)
    \(command)

    """
}

/// Where scenarios that were made small go: into this project only when somebody works in it.
private func foundFolder() throws(Failure) -> String {
  let home = try Home.find()
  return home.isHere ? Files.join(home.scenarios, "found") : "found"
}

/// The first free name after a failure.
private func freeFile(for signature: Signature) throws(Failure) -> String {
  let folder = try foundFolder()
  try Files.makeDirectory(folder)
  let stem = Files.join(folder, Wording.fileName(signature))
  var number = 1
  while true {
    let file = number == 1 ? stem + ".yaml" : "\(stem)-\(number).yaml"
    if !Files.exists(file) { return file }
    number += 1
  }
}

/// Runs a scenario in another process, which must fail too.
///
/// - Throws: `Failure.fault` when it does not.
private func confirm(_ file: String, _ words: [String]) throws(Failure) {
  let process = try ChildProcess(ChildProcess.thisProgram, ["run", file] + words)
  process.closeInput()
  while process.isTalking { _ = Arrival.next(from: [process], within: nil) }
  let ending = process.wait()
  guard ending == .exited(ExitCode.divergence.rawValue) else {
    throw .fault("a second process does not confirm \(file): it ended with \(ending)")
  }
}

extension SuspectOptions {
  /// The one scenario, and the client in the profile in which it fails.
  ///
  /// - Throws: `Failure.unusable` when it does not fail.
  func suspect(
    in library: ScenarioLibrary, tryingOrders explorer: Explorer? = nil
  ) throws(Failure) -> (Scenario, Suspect) {
    try library.requireNoProblems()
    guard let scenario = library.scenarios.first, library.scenarios.count == 1 else {
      throw .unusable("\(selector) has \(library.scenarios.count) scenarios; expected one")
    }
    let runner = try runner()
    let reference = ScenarioRunner(seed: seed ?? 0) { ReferenceClient(profile: $1) }
    var verdicts: [String] = []
    for candidate in scenario.profiles where profile == nil || candidate.name == profile {
      let verdict = runner.run(scenario, in: candidate).verdict
      let fails =
        [.fail, .crash, .hang, .brokenProtocol].contains(verdict)
        || explorer?.explore(scenario, in: candidate).failure != nil
      if fails {
        return (scenario, Suspect(runner, reference: reference, profile: candidate))
      }
      verdicts.append("\(verdict.rawValue) in \(candidate.name)")
    }
    if verdicts.isEmpty { throw .unusable("\(scenario.id) is not for \(profile ?? "any profile")") }
    throw .unusable(
      "\(scenario.id) does not fail (\(verdicts.joined(separator: ", "))); "
        + "expected a scenario that does")
  }
}
