import AdapterSessions
import Hunting
package import System
import Tree

/// What it has cost to hunt with a client in another program.
///
/// All times are processor time: machines are busy, and kit and client take turns.
package struct ClientEffort: Hashable, Sendable {
  /// How many scenarios were drawn and run.
  package private(set) var scenarios = 0
  /// How often the program was asked something for them, and to check that runs can be repeated.
  private var roundTrips = 0
  /// How long the kit had a processor for them, and how long the program, in nanoseconds.
  private var kit: Int64 = 0
  private var client: Int64 = 0
  /// How much of the program's time passed before it had introduced itself.
  private var start: Int64 = 0
  /// How long both had one to make small what fails, and to confirm it.
  private var shrinking: Int64 = 0

  package init() {}

  /// Reads what `text` writes; what is missing is 0.
  init(_ numbers: [Int64]) {
    let all = numbers + Array(repeating: 0, count: 6)
    (scenarios, roundTrips) = (Int(all[0]), Int(all[1]))
    (kit, client, start, shrinking) = (all[2], all[3], all[4], all[5])
  }

  private var numbers: [Int64] {
    [Int64(scenarios), Int64(roundTrips), kit, client, start, shrinking]
  }

  /// Numbers, as one process tells another.
  var text: String { numbers.map { "\($0)" }.joined(separator: " ") }

  mutating func add(_ other: ClientEffort) { self = Self(zip(numbers, other.numbers).map(+)) }

  /// Two lines for people.
  package var report: String {
    let seconds = Double(kit + client + shrinking) / 1e9
    let rate = canonicalText(of: (Double(scenarios) / max(seconds, 0.001) * 10).rounded() / 10)
    return """
      \(rate) scenarios a second of processor time, \
      \(roundTrips / max(scenarios, 1)) round trips each; of hunting the kit took \(Self.share(kit, of: kit + client)),
      the start of the program \(Self.share(start, of: kit + client)); shrinking and \
      confirming took \(Self.share(shrinking, of: kit + client + shrinking)) of the whole

      """
  }

  private static func share(_ part: Int64, of whole: Int64) -> String {
    "\(Int((100 * Double(part) / Double(max(whole, 1))).rounded())) %"
  }

  /// What has passed between two readings, for a job.
  fileprivate init(from first: Reading, to second: Reading, for job: HuntJob) {
    let (kit, client) = (second.kit - first.kit, second.client - first.client)
    if case .save = job {
      shrinking = kit + client
      return
    }
    (scenarios, roundTrips) = (job.seeds, second.roundTrips - first.roundTrips)
    (self.kit, self.client, start) = (kit, client, second.start - first.start)
  }

  /// How much had been spent at a time.
  fileprivate struct Reading {
    var kit: Int64 = 0
    var client: Int64 = 0
    var start: Int64 = 0
    var roundTrips = 0
  }
}

/// Reads after each job what it has cost. What passed before the first job belongs to that.
final class EffortLog {
  private let adapter: AdapterSession?
  private let confirmer: Confirmer
  private var last = ClientEffort.Reading()

  init(of adapter: AdapterSession?, _ confirmer: Confirmer) {
    self.adapter = adapter
    self.confirmer = confirmer
  }

  /// What has been spent since the last job; nil where the client is no other program.
  func read(after job: HuntJob) -> ClientEffort? {
    guard let adapter else { return nil }
    let sessions = [adapter, confirmer.second?.adapter].compactMap { $0 }
    let now = ClientEffort.Reading(
      kit: Measurement.ownProcessorTime,
      client: sessions.reduce(Measurement.endedProcessorTime) { $0 + $1.processorTime },
      start: adapter.startTime, roundTrips: adapter.roundTrips)
    defer { last = now }
    return ClientEffort(from: last, to: now, for: job)
  }
}

extension ClientEffort {
  /// Hunts with a client in another program, in this process, and makes small what fails.
  ///
  /// - Parameters:
  ///   - hunt: What is run, and with which program.
  ///   - seeds: The scenarios.
  ///   - folder: Where the scenarios that fail are kept.
  /// - Returns: What that has cost.
  /// - Throws: `Failure` when the program does not start, or nothing can be kept.
  package static func measured(
    _ hunt: HuntOptions, _ seeds: ClosedRange<UInt64>, keptIn folder: String
  ) throws(Failure) -> ClientEffort {
    let worker = try HuntWorker(hunt, corpus: nil)
    var effort = ClientEffort()
    func answer(_ job: HuntJob) throws(Failure) -> String {
      try worker.answer(to: job.line) { line in
        if case let .effort(part)? = HuntJob.Progress(line: line) { effort.add(part) }
      }
    }
    let line = try answer(.run(seeds))
    let finds = ChunkRecord(line: String(line.dropFirst(7)))?.finds ?? []
    for find in finds where !find.signature.hasPrefix(HuntResults.advice) {
      let (signature, run) = (find.signature, find.shortest)
      let file = Files.join(folder, "\(run.seed).yaml")
      _ = try answer(
        .save(.init(seed: run.seed, signature: signature, file: file, recipe: run.recipe)))
    }
    return effort
  }
}
