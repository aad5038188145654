import AdapterSessions
import Conformance
package import Hunting
package import System
import Tree

/// Has workers run the seeds of a campaign and keeps what they find.
///
/// A worker that ends in the middle of some seeds does not end the campaign: another one runs them
/// again and prints each seed before it is run, so that the one with which it ends is known.
package struct HuntCampaign {
  private let plan: Plan
  private let folder: ResultsFolder
  /// What is known by now.
  package private(set) var results = HuntResults()
  private var pool = WorkerPool<HuntJob>()
  /// What must be done before more seeds are begun.
  private var retries: [HuntJob] = []
  /// The next seed that was not begun.
  private var next: UInt64?
  /// What the campaign had already when it began.
  private let known: SeedRanges
  /// Runs to be compared with those of another process than the one that reported them.
  private var samples: [(sample: ChunkRecord.Sample, process: Int32)] = []
  private let start = Measurement.now
  /// How many seeds are to be run; nil for as many as there is time for.
  package let goal: Int?
  /// How many workers in a row ended without having done anything.
  private var consecutiveStartFailures = 0
  /// For how many seeds of each signature it was tried to write a small scenario.
  private var tries: [String: Int] = [:]
  /// What each worker that prints its seeds runs for the last one; none for what that draws.
  private var underWay: [Int32: Recipe] = [:]
  /// The seeds of the states that each worker has reported last and that were news.
  private var firstSeeds: [Int32: Set<UInt64>] = [:]
  /// The workers that confirm what they have made small.
  private var confirming: Set<Int32> = []
  /// What it has cost to run a client in another program.
  package private(set) var effort = ClientEffort()
  /// Whether the campaign is asked to end before its time.
  package private(set) var wasStopped = false

  /// After how many jobs a process is replaced, so that another one can confirm what it reported.
  private static let jobsOfProcess = 64
  /// How many seeds of a signature are made small, as long as each shows something new. Those that come to
  /// the same kinds of steps show the same defect, and the smallest stays; others may show another one.
  private static let triesOfSignature = 4

  /// - Parameters:
  ///   - plan: What is run.
  ///   - folder: Keeps the results.
  ///   - records: What it has already.
  package init(_ plan: Plan, _ folder: ResultsFolder, _ records: [ChunkRecord]) {
    self.plan = plan
    self.folder = folder
    results.states = folder.states
    for record in records { results.add(record) }
    let known = results.seeds
    self.known = known
    next = plan.seeds?.lowerBound ?? 1
    goal = plan.seeds.map { known.missing(in: $0).count }
    for finding in results.findings where !Files.exists(folder.file(of: finding.signature)) {
      save(finding.signature, finding.shortest)
    }
  }

  /// For how long it has run.
  package var milliseconds: Int { Int((Measurement.now - start) / 1_000_000) }

  /// Runs until seeds or minutes are over, or the end is requested. A second wish for one does not
  /// wait for what is under way.
  ///
  /// - Parameters:
  ///   - onProgress: Is called several times a second, with what is known and what is being done.
  ///   - onStop: Is called when nothing more is begun.
  /// - Throws: `Failure` when results cannot be kept or workers do not start.
  package mutating func run(
    onProgress: (HuntResults, String) -> Void, onStop: () -> Void
  ) throws(Failure) {
    defer { for worker in pool.workers { worker.dismiss() } }
    while true {
      let now = Measurement.now
      if Interrupt.hasCome() {
        if wasStopped { break }
        stop()
        onStop()
      }
      try assign(at: now)
      if pool.isIdle { break }
      try listen()
      pool.clear(at: now)
      onProgress(results, activity)
    }
  }

  /// What workers do now, in words.
  private var activity: String {
    let activities = pool.workers.compactMap { worker in
      worker.job.map { confirming.contains(worker.process.id) ? "confirming" : $0.activity }
    }
    return ["hunting", "shrinking", "confirming"].filter(activities.contains).joined(
      separator: ", ")
  }

  /// Takes what workers say, for a while.
  private mutating func listen() throws(Failure) {
    var records: [ChunkRecord] = []
    for event in pool.events(within: 200) {
      switch event {
      case let .line(line, worker): try take(line, of: worker, &records)
      case let .ended(worker): try replaceEnded(worker, &records)
      }
    }
    try save(records)
  }

  /// Begins nothing any more. What is under way comes to its end.
  private mutating func stop() {
    wasStopped = true
    retries = []
    samples = []
  }

  /// Writes records down before they count.
  private mutating func save(_ records: [ChunkRecord]) throws(Failure) {
    try folder.append(records)
    for record in records {
      let isOwn = Set(record.finds.map(\.signature))
      for signature in results.add(record) where !isOwn.contains(signature) {
        if let finding = results[signature] { save(signature, finding.shortest) }
      }
      for find in record.finds { save(find.signature, find.shortest) }
    }
  }

  /// Has a seed that fails made small and written, unless that was done with others often enough, or
  /// the failure is known.
  private mutating func save(_ signature: String, _ run: ChunkRecord.Run) {
    let count = tries[signature, default: 0]
    guard count < Self.triesOfSignature, !wasStopped, !signature.hasPrefix(HuntResults.known),
      !signature.hasPrefix(HuntResults.advice)
    else { return }
    tries[signature] = count + 1
    let evidence = HuntJob.Evidence(
      seed: run.seed, signature: signature, file: folder.file(of: signature), recipe: run.recipe)
    // What ends the process would end this one too.
    let canBeRun =
      plan.adapter != nil
      || ![Self.crash, Self.hang, HuntResults.mismatch].contains(signature)
    retries.append(plan.shrinks && canBeRun ? .save(evidence) : .draw(evidence))
  }

  private static let crash = "crash"
  private static let hang = "hang"
}

// What is done next, and by whom.

extension HuntCampaign {
  private mutating func assign(at now: Int64) throws(Failure) {
    if wasStopped { return }
    while pool.workers.count < plan.jobs, hasWork(at: now) {
      pool.add(try makeWorker(pool.workers.count))
      try assignOne(pool.workers.count - 1, at: now)
    }
    for index in pool.workers.indices where pool.workers[index].job == nil {
      try assignOne(index, at: now)
    }
  }

  private func hasWork(at now: Int64) -> Bool {
    !retries.isEmpty || !samples.isEmpty || nextChunk(at: now) != nil
  }

  private mutating func assignOne(_ index: Int, at now: Int64) throws(Failure) {
    let worker = pool.workers[index]
    if worker.process.ending != nil { return }
    if let job = retries.first {
      retries.removeFirst()
      begin(job, worker, at: now)
    } else if let position = samples.firstIndex(where: { $0.process != worker.process.id }) {
      let sample = samples[position].sample
      begin(.hash(sample.seed, sample.recipe), worker, at: now)
    } else if let chunk = nextChunk(at: now), worker.done < Self.jobsOfProcess {
      next = chunk.upperBound == .max ? nil : chunk.upperBound + 1
      begin(.run(chunk), worker, at: now)
    } else if !samples.isEmpty || nextChunk(at: now) != nil {
      pool.retire(index)
      pool.replace(index, by: try makeWorker(index))
      try assignOne(index, at: now)
    }
  }

  private func begin(_ job: HuntJob, _ worker: Worker<HuntJob>, at now: Int64) {
    // To make a scenario small takes hundreds of runs, of which a worker does not speak.
    let seconds: Int64 = if case .save = job { 290 } else { 60 }
    worker.begin(job, line: job.line, before: now + plan.timeout(seconds))
  }

  private func makeWorker(_ index: Int) throws(Failure) -> Worker<HuntJob> {
    var hunt = plan.hunt
    hunt.corpus = hunt.settings.corpus.map { _ in folder.corpusPath }
    return try Worker(
      ["hunt-worker"] + hunt.words, environment: ["KENNEL_WORKER": String(index)])
  }

  /// The next seeds to run; `nil` when all have been begun, or there is no more time.
  private func nextChunk(at now: Int64) -> ClosedRange<UInt64>? {
    if wasStopped || plan.stopsAtFirst && !results.findings.isEmpty { return nil }
    if let minutes = plan.minutes, Double(now - start) > minutes * 60e9 { return nil }
    let last = plan.seeds?.upperBound ?? .max
    guard let next, next <= last else { return nil }
    let rest = known.missing(in: next...last)
    guard let range = rest.ranges.first else { return nil }
    return plan.settings.chunk(from: range.lowerBound, through: range.upperBound)
  }
}

// What workers say, and what it means that one is silent for ever.

extension HuntCampaign {
  private mutating func take(
    _ line: String, of worker: Worker<HuntJob>, _ records: inout [ChunkRecord]
  ) throws(Failure) {
    if try takeProgress(line, of: worker) { return }
    let job = worker.finishJob()
    confirming.remove(worker.process.id)
    consecutiveStartFailures = 0
    if line.hasPrefix("record "), let record = ChunkRecord(line: String(line.dropFirst(7))) {
      samples += record.samples.map { ($0, worker.process.id) }
      records.append(record)
    } else if line.hasPrefix("hash "), case let .hash(seed, _)? = job {
      compare(seed, String(line.dropFirst(5)), &records)
    } else if line.hasPrefix("unsaved ") {
      throw .unsaved(String(line.dropFirst(8)))
    } else if line == "known", case let .save(evidence)? = job {
      tries[evidence.signature] = Self.triesOfSignature
    } else if line != "saved" {
      throw .fault("a worker wrote \"\(line)\"")
    }
  }

  /// Takes a line that a worker writes before it has done its job.
  ///
  /// - Returns: Whether it is one.
  private mutating func takeProgress(
    _ line: String, of worker: Worker<HuntJob>
  ) throws(Failure) -> Bool {
    switch HuntJob.Progress(line: line) {
    case let .seed(seed, recipe)?:
      worker.advance(to: seed, before: Measurement.now + plan.timeout(20))
      underWay[worker.process.id] = recipe
    case .alive?: worker.advance(to: 0, before: Measurement.now + plan.timeout(60))
    case let .states(states)?:
      let news = states.filter { results.states.add($0) }
      firstSeeds[worker.process.id] = Set(news.flatMap(\.seeds))
      try folder.append(news)
    case let .recipes(recipes)?:
      // What only its process had not reached is of no use, and each process begins with nothing.
      let seeds = firstSeeds.removeValue(forKey: worker.process.id) ?? []
      if plan.settings.isGuided { try folder.append(recipes.filter { seeds.contains($0.seed) }) }
    case .confirming?: confirming.insert(worker.process.id)
    case let .effort(effort)?: self.effort.add(effort)
    case nil: return false
    }
    return true
  }

  private mutating func compare(_ seed: UInt64, _ hash: String, _ records: inout [ChunkRecord]) {
    guard let position = samples.firstIndex(where: { $0.sample.seed == seed }) else { return }
    let expected = samples.remove(at: position).sample.hash.description
    guard hash != expected else { return }
    var record = ChunkRecord(seeds: seed...seed)
    record.add(
      HuntResults.mismatch, seed,
      "the trace had the hash \(expected) in one process and \(hash) in another")
    records.append(record)
  }

  /// A worker has ended: what it did is done again, or is known to be what ended it.
  private mutating func replaceEnded(
    _ worker: Worker<HuntJob>, _ records: inout [ChunkRecord]
  ) throws(Failure) {
    let reason = worker.reason
    consecutiveStartFailures = worker.done == 0 ? consecutiveStartFailures + 1 : 0
    if consecutiveStartFailures > 20 { throw .notStarted("workers end at once: \(reason)") }
    switch worker.job {
    case nil: break
    case let .run(seeds)?: retries.insert(.watch(seeds), at: 0)
    case let .watch(seeds)?:
      guard let seed = worker.position else { return retries.insert(.watch(seeds), at: 0) }
      consecutiveStartFailures = 0
      records.append(crash(seed, worker, reason))
      if seed < seeds.upperBound { retries.insert(.watch((seed + 1)...seeds.upperBound), at: 0) }
      if seed > seeds.lowerBound { retries.insert(.run(seeds.lowerBound...(seed - 1)), at: 0) }
    case let .hash(seed, _)?:
      samples.removeAll { $0.sample.seed == seed }
      records.append(crash(seed, worker, reason))
    case let .save(evidence)?: retries.append(.draw(evidence))
    case .draw?: break
    }
  }

  private func crash(
    _ seed: UInt64, _ worker: Worker<HuntJob>, _ reason: String
  ) -> ChunkRecord {
    var record = ChunkRecord(seeds: seed...seed)
    let recipe = worker.job?.recipe ?? underWay[worker.process.id]
    record.add(worker.isHung ? Self.hang : Self.crash, seed, reason, recipe: recipe)
    return record
  }
}
