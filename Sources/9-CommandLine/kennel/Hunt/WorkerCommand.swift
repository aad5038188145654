import AdapterSessions
import Commands
import Conformance
import Glibc
import Hunting
import Processes
import Reports
import Scenario
import System

/// What `kennel hunt-worker` was asked for: the process that does the work of a campaign. It is no
/// command for people, and no help tells of it.
struct WorkerOptions {
  var settings: HuntSettings
  var adapter: AdapterOptions?

  init(_ arguments: Arguments) throws(Failure) {
    settings = HuntSettings()
    try settings.take(arguments)
    adapter = try settings.adapterOptions(arguments)
  }

  static let grammar = Grammar(
    command: "kennel hunt-worker", operands: "",
    summary: "Does the work of a campaign, as 'kennel hunt' tells it on standard input.",
    options: HuntOptions.settingOptions, notes: ExitCode.help, takesAdapter: true)
}

extension WorkerOptions: Command {
  static let isListed = false

  /// Does what each line of standard input says, until its end.
  ///
  /// The process ends with its input: when the one that started it is killed, it does not go on.
  func perform() throws(Failure) -> ExitCode {
    // An adapter stays on the processor of its worker, and workers need one each.
    let place = getenv("KENNEL_WORKER").flatMap { Int(String(cString: $0)) }
    if let place, adapter != nil { Processors.stay(on: place) }
    let hunter = try settings.hunter(adapter)
    let leash = Leash()
    while let line = readLine() {
      guard let job = Job(line: line) else {
        throw .fault("hunt-worker does not understand \"\(line)\"")
      }
      leash.renew()
      switch job {
      case let .run(seeds):
        try Console.output("record \(hunter.run(seeds) { _ in leash.renew() }.line)\n")
      case let .watch(seeds):
        // Whoever waits must know the seed when the process ends in the middle of it.
        let record = hunter.run(seeds) { seed in
          leash.renew()
          try? Console.output("seed \(seed)\n")
        }
        try Console.output("record \(record.line)\n")
      case let .hash(seed): try Console.output("hash \(hunter.hash(of: seed))\n")
      case let .save(evidence): try Console.output(answer { try hunter.save(evidence) })
      case let .draw(evidence): try Console.output(answer { try hunter.draw(evidence) })
      }
      leash.drop()
    }
    return .success
  }
}

/// Tells whoever waits that something was written, or why not.
private func answer(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "saved\n"
  } catch {
    return "unsaved \(error)\n"
  }
}

/// Ends this process when the one that started it is gone, though a client never comes back.
private struct Leash {
  private let parent = getppid()
  /// How many seconds a seed may take at most; whoever waits has lost patience long before.
  private static let length: UInt32 = 300

  func renew() {
    if getppid() != parent { exit(ExitCode.notStarted.rawValue) }
    alarm(Self.length)
  }

  func drop() { alarm(0) }
}

extension Hunter {
  /// Writes a failure made small, unless there is a file already that shows it with as few steps.
  fileprivate func save(_ evidence: Job.Evidence) throws(Failure) {
    var found = shrunk(evidence.seed, signature: evidence.signature, name: evidence.name)
    found.head.program = programWord
    let known = FoundFile.Head(file: evidence.file)?.extent.steps ?? .max
    if known <= found.head.extent.steps, Files.exists(evidence.file) { return }
    try Files.makeDirectory(evidence.folder)
    let draft = Files.join(evidence.folder, ".\(getpid())-\(evidence.name)")
    try Files.write(found.text, to: draft, asResult: true)
    defer { unlink(draft) }
    found.head.confirmation = try confirmation(of: found, draft)
    try Files.replace(found.text, at: evidence.file)
  }

  fileprivate func draw(_ evidence: Job.Evidence) throws(Failure) {
    if Files.exists(evidence.file) { return }
    var found = drawn(evidence.seed, signature: evidence.signature, name: evidence.name)
    found.head.program = programWord
    try Files.makeDirectory(evidence.folder)
    try Files.replace(found.text, at: evidence.file)
  }

  /// Whether a second process sees the failure too.
  private func confirmation(
    of found: FoundFile, _ file: String
  ) throws(Failure) -> FoundFile.Confirmation {
    let program = settings.adapter.isEmpty ? [] : ["--"] + settings.adapter
    let words = found.head.options.split(separator: " ").map(String.init).prefix { $0 != "--" }
    let process = try ChildProcess(ChildProcess.thisProgram, ["run", file] + words + program)
    process.closeInput()
    while process.isTalking { _ = Arrival.next(from: [process], within: nil) }
    let ending = process.wait()
    return ending == .exited(ExitCode.divergence.rawValue)
      ? .confirmed : .unconfirmed("it ended with \(ending)")
  }
}

extension Job.Evidence {
  fileprivate var name: String { String(file.split(separator: "/").last ?? "") }

  fileprivate var folder: String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }
}

extension FoundFile.Head {
  /// What stands above the scenario in a file; nil where there is none that a hunt has written.
  init?(file: String) {
    guard Files.exists(file), let text = try? Files.text(of: file) else { return nil }
    self.init(text: text)
  }
}
