import AdapterProtocol
import AdapterSessions
import Conformance
import Glibc
package import Hunting
import ReferenceClient
import Scenario
package import System
import Workspace

/// The half of a campaign that a worker does.
package struct HuntWorker {
  private let hunter: Hunter
  private let confirmer: Confirmer
  private let effort: EffortLog
  private let watchdog: ParentWatchdog
  /// Whether a scenario takes seconds.
  private let isLive: Bool

  /// - Parameters:
  ///   - hunt: What is run, with which client, and against which server.
  ///   - corpus: What a guided campaign begins with.
  ///   - known: The causes of failures that are no news.
  /// - Throws: `Failure` when there is no such client, and when its program does not start.
  package init(
    _ hunt: HuntOptions, corpus: Corpus?,
    known: KnownCauses = KnownCauses()
  ) throws(Failure) {
    // An adapter stays on the processor of its worker, and workers need one each.
    let processor = getenv("KENNEL_WORKER").flatMap { Int(String(cString: $0)) }
    isLive = hunt.isLive
    watchdog = ParentWatchdog(length: 300 * UInt32(isLive ? HuntCampaign.Plan.liveShare : 1))
    if let processor, hunt.adapter != nil, !isLive { Processors.stay(on: processor) }
    let subject = try hunt.subject(hunt.adapter)
    hunter = try hunt.hunter(of: subject, corpus: corpus, known: known)
    // What fails on a real clock is confirmed by another server too.
    confirmer = Confirmer(hunt.settings, isLive ? nil : subject.adapter)
    effort = EffortLog(of: subject.adapter, confirmer)
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
    defer {
      watchdog.drop()
      if let effort = effort.read(after: job) { onProgress("effort \(effort.text)") }
    }
    switch job {
    case let .run(seeds):
      let record = hunter.run(seeds) { seed, _ in
        watchdog.renew()
        if isLive || seed.isMultiple(of: 64) { onProgress("alive") }
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
    case let .save(evidence):
      return Self.answer { () throws(Failure) in
        try hunter.save(evidence) { found, file throws(Failure) in
          onProgress("confirming")
          return try confirmer.confirmation(of: found, evidence, in: file)
        }
      }
    case let .draw(evidence):
      return Self.answer { () throws(Failure) in
        try hunter.draw(evidence)
        return true
      }
    }
  }

  /// Reports what is new about states, before the record of the seeds that reached them.
  private func reportCoverage(_ onProgress: (String) -> Void) {
    let states = hunter.takeStates()
    if !states.isEmpty { onProgress("states " + states.map(\.text).joined(separator: " ")) }
    let recipes = hunter.takeRecipes()
    if !recipes.isEmpty { onProgress("recipes " + recipes.map(\.text).joined(separator: " ")) }
  }

  /// Notifies those who wait that something was written, that there was nothing new to write, or why it
  /// could not be.
  private static func answer(_ body: () throws(Failure) -> Bool) -> String {
    do throws(Failure) {
      return try body() ? "saved" : "known"
    } catch {
      return "unsaved \(error)"
    }
  }
}

/// Ends this process when the one that started it is gone, though a client never comes back.
private struct ParentWatchdog {
  private let parent = getppid()
  /// How many seconds a seed may take at most; the parent has given up long before.
  let length: UInt32

  func renew() {
    if getppid() != parent { exit(ExitCode.notStarted.rawValue) }
    alarm(length)
  }

  func drop() { alarm(0) }
}

extension Hunter {
  /// Writes a failure made small, unless there is a file already that shows it by the same kinds of
  /// steps and with as few of them, or there are files enough.
  ///
  /// - Returns: Whether it was written.
  fileprivate func save(
    _ evidence: HuntJob.Evidence,
    confirm: (FoundFile, String) throws(Failure) -> Scenario.Find.Confirmation
  ) throws(Failure) -> Bool {
    let variants = ResultsFolder.variants(of: evidence.file)
    let shrunk = shrunk(
      evidence.seed, evidence.recipe, signature: evidence.signature, name: evidence.name,
      unless: { $0.file(among: variants) == nil })
    guard var found = shrunk, let file = found.file(among: variants) else { return false }
    found.program = programWord
    found.scenario.file = Files.name(of: file)
    try Files.makeDirectory(evidence.folder)
    let draft = Files.join(evidence.folder, ".\(getpid())-\(found.scenario.file)")
    try Files.write(found.text, to: draft, asResult: true)
    defer { unlink(draft) }
    let confirmation = try confirm(found, draft)
    found.scenario.find?.confirmation = confirmation
    try Files.replace(found.text, at: file)
    return true
  }

  fileprivate func draw(_ evidence: HuntJob.Evidence) throws(Failure) {
    if Files.exists(evidence.file) { return }
    var found = drawn(
      evidence.seed, evidence.recipe, signature: evidence.signature, name: evidence.name)
    found.program = programWord
    try Files.makeDirectory(evidence.folder)
    try Files.replace(found.text, at: evidence.file)
  }
}

/// Has what was made small run by a second process.
///
/// Of a client that can be reset that is one process for all; otherwise kit and client are fresh for
/// each.
final class Confirmer {
  private let settings: HuntSettings
  private let first: AdapterSession?
  /// The client of the second process, once there is one.
  private(set) var second: ClientUnderTest?

  init(_ settings: HuntSettings, _ first: AdapterSession?) {
    self.settings = settings
    self.first = first
  }

  /// Whether a second process sees the failure too.
  func confirmation(
    of found: FoundFile, _ evidence: HuntJob.Evidence, in file: String
  ) throws(Failure) -> Scenario.Find.Confirmation {
    let options = found.scenario.find?.options ?? []
    guard let first, first.hello.canReset, evidence.signature != HuntResults.mismatch else {
      let ending = try FinishedProcess(["run", file] + options).ending
      return ending == .exited(ExitCode.divergence.rawValue)
        ? .confirmed : .unconfirmed("it ended with \(ending)")
    }
    if second == nil { second = try settings.subject(first.options) }
    guard let subject = second else { throw .fault("there is no second process") }
    var settings = settings
    settings.hasShadow = options.contains("--shadow")
    let library = try ScenarioLibrary([file])
    try library.requireNoProblems()
    let hunter = try settings.hunter(of: subject, corpus: nil, known: KnownCauses())
    let verdicts = library.scenarios.map {
      hunter.run($0, seed: evidence.seed, evidence.recipe).verdict
    }
    return verdicts.contains { $0.count == .failed }
      ? .confirmed
      : .unconfirmed("it ended with \(verdicts.map(\.rawValue).joined(separator: ", "))")
  }
}

extension FoundFile {
  /// The file to be written: that of the same kinds of steps if it has more of them, else the first
  /// that is free; nil where there is none.
  package func file(among variants: [String]) -> String? {
    var free: String?
    for file in variants {
      guard let known = FoundFile(file: file) else {
        free = free ?? file
        continue
      }
      guard known.shape == shape || known.steps == .max else { continue }
      return known.steps <= steps ? nil : file
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

extension FoundFile {
  /// The scenario in a file; nil where there is none.
  package init?(file: String) {
    guard Files.exists(file), let text = try? Files.text(of: file) else { return nil }
    self.init(text: text)
  }
}

/// One thing that a worker does.
package enum HuntJob: Hashable {
  case run(ClosedRange<UInt64>)
  /// The same, printing each seed before it is run.
  case watch(ClosedRange<UInt64>)
  /// Prints the hash of a seed, to be compared with that of another process.
  case hash(UInt64, Recipe?)
  /// Writes the scenario of a seed that fails, made small.
  case save(Evidence)
  /// Writes it as it was drawn, without running it.
  case draw(Evidence)

  /// A failure, and the file that is to show it.
  package struct Evidence: Hashable {
    package var seed: UInt64
    package var signature: String
    package var file: String
    /// What was run for the seed; nil for what it draws.
    package var recipe: Recipe?

    package init(seed: UInt64, signature: String, file: String, recipe: Recipe? = nil) {
      self.seed = seed
      self.recipe = recipe
      self.signature = signature
      self.file = file
    }
  }

  /// What is run for its one seed; nil for what that draws.
  var recipe: Recipe? { if case let .hash(_, recipe) = self { recipe } else { nil } }

  /// What that is, in a word.
  var activity: String { if case .save = self { "shrinking" } else { "hunting" } }

  /// How many seeds it runs.
  var seeds: Int {
    switch self {
    case let .run(seeds), let .watch(seeds): Int(seeds.upperBound - seeds.lowerBound) + 1
    case .hash, .save, .draw: 0
    }
  }

  /// As a worker reads it.
  package var line: String {
    switch self {
    case let .run(seeds): "run \(SeedRanges.text(of: seeds))"
    case let .watch(seeds): "watch \(SeedRanges.text(of: seeds))"
    case let .hash(seed, recipe): "hash \(Self.word(seed, recipe))"
    case let .save(evidence): "save \(evidence.words)"
    case let .draw(evidence): "draw \(evidence.words)"
    }
  }

  /// A seed with what is run for it: `17`, or `17@` and a recipe.
  static func word(_ seed: UInt64, _ recipe: Recipe?) -> String {
    "\(seed)" + (recipe.map { "@" + $0.text } ?? "")
  }

  /// Reads a line; nil for one that is no job.
  package init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2 else { return nil }
    let parts = words[1].split(separator: "@", maxSplits: 1).map(String.init)
    guard let first = parts.first, let seeds = SeedRanges.range(from: first) else { return nil }
    let recipe = parts.count > 1 ? Recipe(text: parts[1]) : nil
    if parts.count > 1, recipe == nil { return nil }
    switch words[0] {
    case "run": self = .run(seeds)
    case "watch": self = .watch(seeds)
    case "hash": self = .hash(seeds.lowerBound, recipe)
    case "save", "draw":
      let parts = words.last?.split(separator: "\t", maxSplits: 1).map(String.init) ?? []
      guard words.count == 3, parts.count == 2 else { return nil }
      let evidence = Evidence(
        seed: seeds.lowerBound, signature: parts[0], file: parts[1], recipe: recipe)
      self = words[0] == "save" ? .save(evidence) : .draw(evidence)
    default: return nil
    }
  }
}

extension HuntJob.Evidence {
  fileprivate var words: String { "\(HuntJob.word(seed, recipe)) \(signature)\t\(file)" }
}

extension HuntJob {
  /// What a worker writes before it has done its job.
  enum Progress: Hashable {
    /// The worker works.
    case alive
    /// The seed that it begins, with what is run for it.
    case seed(UInt64, Recipe?)
    /// What is new about states.
    case states([StateTable.Entry])
    /// The recipes that reached a state first.
    case recipes([KeptRecipe])
    /// What is small now is run in a second process.
    case confirming
    /// What the last job has cost.
    case effort(ClientEffort)

    /// Reads a line; nil for any other one.
    init?(line: String) {
      let words = line.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
      switch words.first {
      case "alive": self = .alive
      case "confirming": self = .confirming
      case "effort": self = .effort(ClientEffort(words.dropFirst().map { Int64($0) ?? 0 }))
      case "seed":
        let parts = (words.last ?? "").split(separator: "@", maxSplits: 1).map(String.init)
        guard let seed = parts.first.flatMap({ UInt64($0) }) else { return nil }
        self = .seed(seed, parts.count > 1 ? Recipe(text: parts[1]) : nil)
      case "states": self = .states(words.dropFirst().compactMap { StateTable.Entry(text: $0) })
      case "recipes": self = .recipes(words.dropFirst().compactMap { KeptRecipe(text: $0) })
      default: return nil
      }
    }
  }
}

extension Worker<HuntJob> {
  /// Why it ended, in words; waits for its end.
  var reason: String {
    let (ending, errorOutput) = awaitEnd()
    if isHung { return "the client did not answer an input" }
    let lines = String(errorOutput.suffix(2000)).split(separator: "\n")
    let fatal = lines.first { $0.contains("Fatal error") || $0.hasPrefix("kennel:") }
    return "the process ended with \(ending)" + (fatal.map { ": \($0)" } ?? "")
  }
}
