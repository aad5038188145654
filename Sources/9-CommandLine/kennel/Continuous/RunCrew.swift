import Commands
import Document
import Glibc
import Processes
import Reports
import System
import Tree

/// Processes that share the scenarios of a run.
///
/// Each is this program with the same words, so that it selects the same scenarios in the same order;
/// it is told the number of one after the other, and answers with what is kept of its runs.
struct RunCrew {
  private var hands: [Hand]
  private let count: Int
  /// The next scenario that nobody runs yet, and the next that is waited for.
  private var begun = 0
  private var taken = 0
  private var done: [Int: [RunRecord]] = [:]
  /// Whether one of the processes has given up on its adapter.
  private(set) var hasGivenUp = false

  /// One process.
  private final class Hand {
    let process: ChildProcess
    var scenario: Int?
    var output: [UInt8] = []
    var complaints: [UInt8] = []

    init(_ process: ChildProcess) { self.process = process }
  }

  /// - Parameters:
  ///   - number: How many processes are started.
  ///   - words: The options and operands of the run.
  ///   - scenarios: How many scenarios it has.
  /// - Throws: `Failure.notStarted` when one does not start.
  init(_ number: Int, words: [String], scenarios: Int) throws(Failure) {
    count = scenarios
    hands = []
    let palette = Console.palette == .colour ? "colour" : "plain"
    for index in 0..<number {
      hands.append(
        Hand(
          try ChildProcess(
            ChildProcess.thisProgram, ["run-worker"] + words,
            environment: ["KENNEL_WORKER": "\(index) \(palette)"])))
    }
  }

  /// The runs of the next scenario in order; nil after the last, when a process has given up, and
  /// when somebody wants an end.
  ///
  /// - Throws: `Failure` when a process ends before its work.
  mutating func next() throws(Failure) -> (index: Int, records: [RunRecord])? {
    while taken < count, !Interrupt.hasCome() {
      if let records = done.removeValue(forKey: taken) {
        taken += 1
        return (taken - 1, records)
      }
      if hasGivenUp && !hands.contains(where: { $0.scenario == taken }) { break }
      for hand in hands where hand.scenario == nil && begun < count && !hasGivenUp {
        hand.scenario = begun
        _ = hand.process.write("\(begun)\n")
        begun += 1
      }
      let arrivals = Arrival.next(from: hands.map(\.process), within: 200)
      // Complaints first: they tell why the other stream ended.
      for stream in [ChildProcess.Stream.error, .output] {
        for arrival in arrivals where arrival.stream == stream {
          try take(arrival, of: hands[arrival.process])
        }
      }
    }
    if Interrupt.hasCome() { dismiss() }
    for hand in hands { hand.process.kill() }
    return nil
  }

  /// Asks the processes to end, which takes their adapters with them, and waits half a second.
  private func dismiss() {
    for hand in hands { hand.process.kill(SIGTERM) }
    for _ in 0..<50 where hands.contains(where: { !$0.process.hasEnded }) { usleep(10_000) }
  }

  private mutating func take(_ arrival: Arrival, of hand: Hand) throws(Failure) {
    if arrival.stream == .error {
      hand.complaints += arrival.bytes
      return
    }
    guard !arrival.bytes.isEmpty else { throw obituary(of: hand) }
    hand.output += arrival.bytes
    while let end = hand.output.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: hand.output[..<end], as: UTF8.self)
      hand.output.removeSubrange(...end)
      try take(line, of: hand)
    }
  }

  private mutating func take(_ line: String, of hand: Hand) throws(Failure) {
    guard let index = hand.scenario, let json = try? JSON(parsing: line),
      let runs = json["runs"]?.elements
    else { throw .fault("a process of --jobs said \"\(line.prefix(200))\"") }
    let records = runs.compactMap { RunRecord(transfer: $0) }
    guard records.count == runs.count else {
      throw .fault("a process of --jobs told a run that cannot be read")
    }
    hand.scenario = nil
    done[index] = records
    if json["hasGivenUp"]?.bool == true { hasGivenUp = true }
  }

  /// Why a process ended.
  private func obituary(of hand: Hand) -> Failure {
    while hand.process.isTalking {
      let arrivals = Arrival.next(from: [hand.process], within: 500)
      if arrivals.isEmpty { break }
      for arrival in arrivals where arrival.stream == .error { hand.complaints += arrival.bytes }
    }
    let ending = hand.process.wait()
    for other in hands { other.process.kill() }
    let words = String(decoding: hand.complaints, as: UTF8.self)
    let said = words.hasPrefix("kennel: ") ? String(words.dropFirst(8)) : words
    let text = said.hasSuffix("\n") ? String(said.dropLast()) : said
    switch ending {
    case .exited(ExitCode.notStarted.rawValue): return .notStarted(text)
    case .exited(ExitCode.usage.rawValue): return .unusable(text)
    case .exited, .killed:
      return .fault("a process of --jobs ended with \(ending)" + (text.isEmpty ? "" : ": \(text)"))
    }
  }
}
