import AdapterSessions
import Document
import Glibc
import Reports
package import System
import Tree
import Workspace

/// Processes that share the scenarios of a run.
///
/// Each is this program with the same words, so that it selects the same scenarios in the same
/// order; it is sent the number of one after the other, and answers with what is kept of its runs.
struct RunWorkers {
  private var pool = WorkerPool<Int>()
  private let count: Int
  /// The next scenario that no worker runs yet, and the next that is waited for.
  private var begun = 0
  private var taken = 0
  private var done: [Int: [RunRecord]] = [:]
  /// Whether one of the processes has given up on its adapter.
  private(set) var hasGivenUp = false
  /// How the memory of one of their adapters has grown most, where that is much.
  private(set) var memoryGrowth: MemoryGrowth?
  /// How the client behind their adapters introduces itself; nil for other clients.
  private(set) var introduction: String?

  /// - Parameters:
  ///   - number: How many processes are started.
  ///   - words: The options and operands of the run.
  ///   - scenarios: How many scenarios it has.
  ///   - palette: How failures are painted.
  /// - Throws: `Failure.notStarted` when one does not start.
  init(
    _ number: Int, words: [String], scenarios: Int, _ palette: Palette
  ) throws(Failure) {
    count = scenarios
    let palette = palette == .colour ? "colour" : "plain"
    for index in 0..<number {
      pool.add(
        try Worker(
          ["run-worker"] + words, environment: ["KENNEL_WORKER": "\(index) \(palette)"]))
    }
  }

  /// The runs of the next scenario in order; nil after the last, when a process has given up, and
  /// when the end is requested.
  ///
  /// - Throws: `Failure` when a process ends before its work.
  mutating func next() throws(Failure) -> (index: Int, records: [RunRecord])? {
    while taken < count, !Interrupt.hasCome() {
      if let records = done.removeValue(forKey: taken) {
        taken += 1
        return (taken - 1, records)
      }
      if hasGivenUp && !pool.workers.contains(where: { $0.job == taken }) { break }
      for worker in pool.workers where worker.job == nil && begun < count && !hasGivenUp {
        worker.begin(begun, line: "\(begun)")
        begun += 1
      }
      for event in pool.events(within: 200) {
        switch event {
        case let .line(line, worker): try take(line, of: worker)
        case let .ended(worker): throw reason(worker)
        }
      }
    }
    if Interrupt.hasCome() { pool.dismiss() } else { pool.end() }
    return nil
  }

  private mutating func take(_ line: String, of worker: Worker<Int>) throws(Failure) {
    guard let index = worker.finishJob(), let json = try? JSON(parsing: line),
      let runs = json["runs"]?.elements
    else { throw .fault("a process of --jobs wrote \"\(line.prefix(200))\"") }
    let records = runs.compactMap { RunRecord(transfer: $0) }
    guard records.count == runs.count else {
      throw .fault("a process of --jobs wrote a run that cannot be read")
    }
    done[index] = records
    if json["hasGivenUp"]?.bool == true { hasGivenUp = true }
    memoryGrowth = .larger(memoryGrowth, json["memory"].flatMap { MemoryGrowth($0) })
    introduction = json["introduction"]?.string
  }

  /// Why a process ended.
  private func reason(_ worker: Worker<Int>) -> Failure {
    let (ending, errorOutput) = worker.awaitEnd()
    pool.end()
    let written = errorOutput.hasPrefix("kennel: ") ? String(errorOutput.dropFirst(8)) : errorOutput
    let text = written.hasSuffix("\n") ? String(written.dropLast()) : written
    switch ending {
    case .exited(ExitCode.notStarted.rawValue): return .notStarted(text)
    case .exited(ExitCode.usage.rawValue): return .unusable(text)
    case .exited, .killed:
      return .fault("a process of --jobs ended with \(ending)" + (text.isEmpty ? "" : ": \(text)"))
    }
  }
}

/// The half of a `RunWorkers` that one of its processes does.
package struct RunWorker {
  private let library: ScenarioLibrary
  private var session: RunSession

  /// - Parameter settings: What the crew runs.
  /// - Throws: `Failure` when something cannot be found or read, and when clients do not start.
  package init(_ settings: RunSettings) throws(Failure) {
    let words = getenv("KENNEL_WORKER").map { String(cString: $0) }?.split(separator: " ") ?? []
    Processors.stay(on: words.first.flatMap { Int($0) } ?? 0)
    library = try ScenarioLibrary(settings)
    session = try RunSession(
      settings, library, palette: words.last == "colour" ? .colour : .plain)
    // Other clients have no process that could be a fresh one.
    guard settings.adapter != nil else { return }
    let isWhole = settings.selectors.isEmpty
    session.isNew = try CIGate(settings.gate, library, isWhole: isWhole, of: settings).isNew
  }

  /// Runs a scenario.
  ///
  /// - Parameter line: Its number.
  /// - Returns: What is kept of the runs, as a line of JSON.
  /// - Throws: `Failure.fault` when there is no such scenario.
  package mutating func answer(to line: String) throws(Failure) -> String {
    guard let index = Int(line), library.scenarios.indices.contains(index) else {
      throw .fault("there is no scenario with the number \(line)")
    }
    let records = try session.records(of: library.scenarios[index])
    let answer: JSON = [
      "runs": .array(records.map(\.transfer)), "hasGivenUp": .bool(session.hasGivenUp),
      "memory": session.memoryGrowth?.json ?? .null,
      "introduction": .optional(session.introduction),
    ]
    return answer.text
  }
}
