import Commands
import Conformance
import Hunting
import Processes
import System
import Tree

/// Has workers run the seeds of a campaign and keeps what they find.
///
/// A worker that ends in the middle of some seeds does not end the campaign: another one runs them
/// again and tells each seed before it is run, so that the one with which it ends is known.
struct Coordinator {
  private let options: HuntOptions
  private let folder: ResultsFolder
  private(set) var campaign = HuntResults()
  private var workers: [Worker] = []
  /// What must be done before more seeds are begun.
  private var urgent: [Job] = []
  /// The next seed that nobody has begun.
  private var next: UInt64?
  /// What the campaign had already when it began.
  private let known: SeedRanges
  /// Runs to be compared with those of another process than the one that told them.
  private var samples: [(sample: ChunkRecord.Sample, process: Int32)] = []
  private let start = Measurement.now
  private var progress: Progress
  /// How many workers in a row ended without having done anything.
  private var stillbirths = 0
  /// For how many seeds of each signature it was tried to write a small scenario.
  private var tries: [String: Int] = [:]
  /// Whether somebody wants the campaign to end before its time.
  private(set) var wasStopped = false

  /// After how many jobs a process is replaced, so that another one can confirm what it told.
  private static let jobsOfProcess = 64
  /// How many seeds of a signature are made small, to keep the smallest. Each was shorter than those
  /// before it.
  private static let triesOfSignature = 3

  init(_ options: HuntOptions, _ folder: ResultsFolder, _ records: [ChunkRecord]) {
    self.options = options
    self.folder = folder
    for record in records { campaign.add(record) }
    let known = campaign.seeds
    self.known = known
    next = options.seeds?.lowerBound ?? 1
    let goal = options.seeds.map { known.missing(in: $0).count }
    progress = Progress(goal: goal, minutes: options.minutes)
    for finding in campaign.findings where !Files.exists(folder.file(of: finding.signature)) {
      save(finding)
    }
  }

  var milliseconds: Int { Int((Measurement.now - start) / 1_000_000) }

  mutating func run() throws(Failure) {
    defer { for worker in workers { worker.dismiss() } }
    while true {
      let now = Measurement.now
      if Interrupt.hasCome() {
        if wasStopped { break }
        stop()
      }
      try assign(at: now)
      if workers.allSatisfy({ $0.job == nil }) { break }
      try listen()
      for worker in workers where worker.deadline < now { worker.giveUp() }
      workers.removeAll { $0.process.ending != nil }
      progress.show(campaign, at: Measurement.now)
    }
    progress.end()
  }

  /// Takes what workers say, for a while.
  private mutating func listen() throws(Failure) {
    var records: [ChunkRecord] = []
    for arrival in Arrival.next(from: workers.map(\.process), within: 200) {
      let worker = workers[arrival.process]
      if arrival.stream == .error {
        worker.takeComplaint(arrival.bytes)
        continue
      }
      for line in worker.take(arrival.bytes, at: Measurement.now) {
        try take(line, of: worker, &records)
      }
      if arrival.bytes.isEmpty { try bury(worker, &records) }
    }
    try keep(records)
  }

  /// Begins nothing any more. What is under way comes to its end.
  private mutating func stop() {
    wasStopped = true
    urgent = []
    samples = []
    progress.end()
    Console.message("stopping; Ctrl-C again does not wait for what is under way\n")
  }

  /// Writes records down before they count.
  private mutating func keep(_ records: [ChunkRecord]) throws(Failure) {
    try folder.append(records)
    for record in records {
      for signature in campaign.add(record) {
        if let finding = campaign[signature] { save(finding) }
      }
    }
  }

  /// Has the shortest run of a failure made small and written, unless that was done with others often
  /// enough.
  private mutating func save(_ finding: HuntResults.Finding) {
    let count = tries[finding.signature, default: 0]
    guard count < Self.triesOfSignature, !wasStopped else { return }
    tries[finding.signature] = count + 1
    let evidence = Job.Evidence(
      seed: finding.shortest.seed, signature: finding.signature,
      file: folder.file(of: finding.signature))
    // What ends the process would end this one too.
    let canBeRun =
      options.adapter != nil
      || ![Self.crash, Self.hang, HuntResults.mismatch].contains(finding.signature)
    urgent.append(options.shrinks && canBeRun ? .save(evidence) : .draw(evidence))
  }

  private static let crash = "crash"
  private static let hang = "hang"
}

// What is done next, and by whom.

extension Coordinator {
  private mutating func assign(at now: Int64) throws(Failure) {
    if wasStopped { return }
    while workers.count < options.jobs, hasWork(at: now) {
      workers.append(try Worker(options.settings, options.adapter, place: workers.count))
      try assignOne(workers.count - 1, at: now)
    }
    for index in workers.indices where workers[index].job == nil {
      try assignOne(index, at: now)
    }
  }

  private func hasWork(at now: Int64) -> Bool {
    !urgent.isEmpty || !samples.isEmpty || nextChunk(at: now) != nil
  }

  private mutating func assignOne(_ index: Int, at now: Int64) throws(Failure) {
    let worker = workers[index]
    if worker.process.ending != nil { return }
    if let job = urgent.first {
      urgent.removeFirst()
      worker.begin(job, at: now)
    } else if let place = samples.firstIndex(where: { $0.process != worker.process.id }) {
      worker.begin(.hash(samples[place].sample.seed), at: now)
    } else if let chunk = nextChunk(at: now), worker.done < Self.jobsOfProcess {
      next = chunk.upperBound == .max ? nil : chunk.upperBound + 1
      worker.begin(.run(chunk), at: now)
    } else if !samples.isEmpty || nextChunk(at: now) != nil {
      worker.process.closeInput()
      _ = worker.process.wait()
      workers[index] = try Worker(options.settings, options.adapter, place: index)
      try assignOne(index, at: now)
    }
  }

  /// The next seeds to run; `nil` when all have been begun, or there is no more time.
  private func nextChunk(at now: Int64) -> ClosedRange<UInt64>? {
    if wasStopped { return nil }
    if let minutes = options.minutes, Double(now - start) > minutes * 60e9 { return nil }
    let last = options.seeds?.upperBound ?? .max
    guard let next, next <= last else { return nil }
    let rest = known.missing(in: next...last)
    guard let range = rest.ranges.first else { return nil }
    return options.settings.chunk(from: range.lowerBound, through: range.upperBound)
  }
}

// What workers say, and what it means that one is silent for ever.

extension Coordinator {
  private mutating func take(
    _ line: String, of worker: Worker, _ records: inout [ChunkRecord]
  ) throws(Failure) {
    let job = worker.finishJob()
    stillbirths = 0
    if line.hasPrefix("record "), let record = ChunkRecord(line: String(line.dropFirst(7))) {
      samples += record.samples.map { ($0, worker.process.id) }
      records.append(record)
    } else if line.hasPrefix("hash "), case let .hash(seed)? = job {
      compare(seed, String(line.dropFirst(5)), &records)
    } else if line.hasPrefix("unsaved ") {
      throw .unsaved(String(line.dropFirst(8)))
    } else if line != "saved" {
      throw .fault("a worker said \"\(line)\"")
    }
  }

  private mutating func compare(_ seed: UInt64, _ hash: String, _ records: inout [ChunkRecord]) {
    guard let place = samples.firstIndex(where: { $0.sample.seed == seed }) else { return }
    let expected = samples.remove(at: place).sample.hash.description
    guard hash != expected else { return }
    var record = ChunkRecord(seeds: seed...seed)
    record.add(
      HuntResults.mismatch, seed,
      "the trace came to \(expected) in one process and to \(hash) in another")
    records.append(record)
  }

  /// A worker has ended: what it did is done again, or is known to be what ended it.
  private mutating func bury(_ worker: Worker, _ records: inout [ChunkRecord]) throws(Failure) {
    let reason = worker.obituary()
    stillbirths = worker.done == 0 ? stillbirths + 1 : 0
    if stillbirths > 20 { throw .notStarted("workers end at once: \(reason)") }
    switch worker.job {
    case nil: break
    case let .run(seeds)?: urgent.insert(.watch(seeds), at: 0)
    case let .watch(seeds)?:
      guard let seed = worker.seed else { return urgent.insert(.watch(seeds), at: 0) }
      stillbirths = 0
      records.append(crash(seed, worker, reason))
      if seed < seeds.upperBound { urgent.insert(.watch((seed + 1)...seeds.upperBound), at: 0) }
      if seed > seeds.lowerBound { urgent.insert(.run(seeds.lowerBound...(seed - 1)), at: 0) }
    case let .hash(seed)?:
      samples.removeAll { $0.sample.seed == seed }
      records.append(crash(seed, worker, reason))
    case let .save(evidence)?: urgent.append(.draw(evidence))
    case .draw?: break
    }
  }

  private func crash(_ seed: UInt64, _ worker: Worker, _ reason: String) -> ChunkRecord {
    var record = ChunkRecord(seeds: seed...seed)
    record.add(worker.isHung ? Self.hang : Self.crash, seed, reason)
    return record
  }
}
