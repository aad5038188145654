import AdapterSessions
import Glibc
import Hunting
import Processes
import System

/// A process that works for a campaign, and what it is doing.
final class Worker {
  let process: ChildProcess
  /// What it does; `nil` while it waits.
  private(set) var job: Job?
  /// The seed that it runs, where it tells.
  private(set) var seed: UInt64?
  /// When it must have said something.
  private(set) var deadline: Int64 = .max
  /// Whether it was ended because it said nothing for too long.
  private(set) var isHung = false
  /// How many jobs it has done.
  private(set) var done = 0
  private var line: [UInt8] = []
  private var complaint: [UInt8] = []

  /// How long it may be silent, in nanoseconds: with many seeds, and with one.
  private let patience: (chunk: Int64, seed: Int64)

  /// - Parameters:
  ///   - settings: What it runs.
  ///   - adapter: The program behind which the client is; nil for a client of the kit.
  ///   - place: Its number among the workers, from 0.
  /// - Throws: `Failure.notStarted` when it does not start.
  init(_ settings: HuntSettings, _ adapter: AdapterOptions?, place: Int) throws(Failure) {
    let program = adapter.map { $0.words + ["--"] + $0.command } ?? []
    process = try ChildProcess(
      ChildProcess.thisProgram, ["hunt-worker"] + settings.words + program,
      environment: ["KENNEL_WORKER": String(place)])
    let length = Int64(1 + settings.size / 10_000)
    patience = (60_000_000_000 * length, 20_000_000_000 * length)
  }

  func begin(_ job: Job, at now: Int64) {
    self.job = job
    seed = nil
    deadline = now + patience.chunk
    // One that has ended is noticed when its output ends.
    _ = process.write(job.line)
  }

  /// Takes what it wrote on its standard output.
  ///
  /// - Returns: The lines that are complete now, but for those that only tell a seed.
  func take(_ bytes: [UInt8], at now: Int64) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      line.removeAll(keepingCapacity: true)
      if text.hasPrefix("seed "), let number = UInt64(text.dropFirst(5)) {
        seed = number
        deadline = now + patience.seed
      } else {
        lines.append(text)
      }
    }
    return lines
  }

  /// Keeps the last of what it wrote on its standard error: why it ended, when it ends.
  func takeComplaint(_ bytes: [UInt8]) {
    complaint = (complaint + bytes).suffix(2000)
  }

  func finishJob() -> Job? {
    defer {
      job = nil
      deadline = .max
    }
    done += 1
    return job
  }

  func giveUp() {
    isHung = true
    dismiss()
  }

  /// Ends it. It is asked first, because a program that it has started ends with it only then.
  func dismiss() {
    process.kill(SIGTERM)
    for _ in 0..<100 where !process.hasEnded { usleep(1000) }
    process.kill()
  }

  /// Why it ended, in words.
  func obituary() -> String {
    let ending = process.wait()
    if isHung { return "the client did not answer an input" }
    let lines = String(decoding: complaint, as: UTF8.self).split(separator: "\n")
    let fatal = lines.first { $0.contains("Fatal error") || $0.hasPrefix("kennel:") }
    return "the process ended with \(ending)" + (fatal.map { ": \($0)" } ?? "")
  }
}
