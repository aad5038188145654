package import AdapterSessions
import Conformance
import Glibc
package import Hunting
import Processes
import ReferenceClient
import Scenario
package import System
import Workers

/// The half of a campaign that a worker does.
package struct HuntWorker {
  private let hunter: Hunter
  private let watchdog = ParentWatchdog()

  /// - Parameters:
  ///   - settings: What is run.
  ///   - adapter: The program behind which the client is; nil for a client of the kit.
  ///   - corpus: What a guided campaign begins with.
  /// - Throws: `Failure` when there is no such client, and when its program does not start.
  package init(
    _ settings: HuntSettings, _ adapter: AdapterOptions?, corpus: Corpus?
  ) throws(Failure) {
    // An adapter stays on the processor of its worker, and workers need one each.
    let processor = getenv("KENNEL_WORKER").flatMap { Int(String(cString: $0)) }
    if let processor, adapter != nil { Processors.stay(on: processor) }
    hunter = try settings.hunter(adapter, corpus: corpus)
  }

  /// Does a job.
  ///
  /// - Parameters:
  ///   - line: The job, as `HuntJob.line` writes it.
  ///   - onProgress: Takes lines that report how far it is.
  /// - Returns: The line that answers.
  /// - Throws: `Failure.fault` for a line that is no job.
  package func answer(to line: String, onProgress: (String) -> Void) throws(Failure) -> String {
    guard let job = HuntJob(line: line) else {
      throw .fault("hunt-worker does not understand \"\(line)\"")
    }
    watchdog.renew()
    defer { watchdog.drop() }
    switch job {
    case let .run(seeds):
      let record = hunter.run(seeds) { seed, _ in
        watchdog.renew()
        if seed.isMultiple(of: 64) { onProgress("alive") }
      }
      reportCoverage(onProgress)
      return "record \(record.line)"
    case let .watch(seeds):
      // The parent must know the seed when the process ends in the middle of it.
      let record = hunter.run(seeds) { seed, recipe in
        watchdog.renew()
        onProgress("seed \(HuntJob.word(seed, recipe))")
      }
      reportCoverage(onProgress)
      return "record \(record.line)"
    case let .hash(seed, recipe): return "hash \(hunter.hash(of: seed, recipe))"
    case let .save(evidence): return Self.answer { () throws(Failure) in try hunter.save(evidence) }
    case let .draw(evidence): return Self.answer { () throws(Failure) in try hunter.draw(evidence) }
    }
  }

  /// Reports what is new about states, before the record of the seeds that reached them.
  private func reportCoverage(_ onProgress: (String) -> Void) {
    let states = hunter.takeStates()
    if !states.isEmpty { onProgress("states " + states.map(\.text).joined(separator: " ")) }
    let recipes = hunter.takeRecipes()
    if !recipes.isEmpty { onProgress("recipes " + recipes.map(\.text).joined(separator: " ")) }
  }

  /// Notifies those who wait that something was written, or why not.
  private static func answer(_ body: () throws(Failure) -> Void) -> String {
    do throws(Failure) {
      try body()
      return "saved"
    } catch {
      return "unsaved \(error)"
    }
  }
}

/// Ends this process when the one that started it is gone, though a client never comes back.
private struct ParentWatchdog {
  private let parent = getppid()
  /// How many seconds a seed may take at most; the parent has given up long before.
  private static let length: UInt32 = 300

  func renew() {
    if getppid() != parent { exit(ExitCode.notStarted.rawValue) }
    alarm(Self.length)
  }

  func drop() { alarm(0) }
}

extension Hunter {
  /// Writes a failure made small, unless there is a file already that shows it by the same kinds of
  /// steps and with as few of them, or there are files enough.
  fileprivate func save(_ evidence: HuntJob.Evidence) throws(Failure) {
    var found = shrunk(
      evidence.seed, evidence.recipe, signature: evidence.signature, name: evidence.name)
    found.head.program = programWord
    guard let file = found.file(among: ResultsFolder.variants(of: evidence.file)) else { return }
    (found.head.name, found.scenario.file) = (Files.name(of: file), Files.name(of: file))
    try Files.makeDirectory(evidence.folder)
    let draft = Files.join(evidence.folder, ".\(getpid())-\(found.head.name)")
    try Files.write(found.text, to: draft, asResult: true)
    defer { unlink(draft) }
    found.head.confirmation = try confirmation(of: found, draft)
    try Files.replace(found.text, at: file)
  }

  fileprivate func draw(_ evidence: HuntJob.Evidence) throws(Failure) {
    if Files.exists(evidence.file) { return }
    var found = drawn(
      evidence.seed, evidence.recipe, signature: evidence.signature, name: evidence.name)
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
    let ending = try FinishedProcess(["run", file] + words + program).ending
    return ending == .exited(ExitCode.divergence.rawValue)
      ? .confirmed : .unconfirmed("it ended with \(ending)")
  }
}

extension FoundFile {
  /// The file to be written: that of the same kinds of steps if it has more of them, else the first
  /// that is free; nil where there is none.
  package func file(among variants: [String]) -> String? {
    var free: String?
    for file in variants {
      guard let known = Head(file: file) else {
        free = free ?? file
        continue
      }
      guard known.shape == head.shape || known.extent == .asDrawn else { continue }
      return known.extent.steps <= head.extent.steps ? nil : file
    }
    return free
  }
}

extension HuntJob.Evidence {
  fileprivate var name: String { Files.name(of: file) }

  fileprivate var folder: String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
  }
}

extension FoundFile.Head {
  /// What is above the scenario in a file; nil where there is none that a hunt has written.
  package init?(file: String) {
    guard Files.exists(file), let text = try? Files.text(of: file) else { return nil }
    self.init(text: text)
  }
}
