import Glibc

/// Processes that share some work.
package struct WorkerPool<Job> {
  /// What has come from a worker.
  package enum Event {
    /// A line of its standard output.
    case line(String, Worker<Job>)
    /// The end of its standard output, which it has closed or ended with.
    case ended(Worker<Job>)
  }

  package private(set) var workers: [Worker<Job>] = []

  package init() {}

  /// Adds a worker.
  package mutating func add(_ worker: Worker<Job>) { workers.append(worker) }

  /// Asks a worker to end by ending its input, and waits until it has.
  package func retire(_ index: Int) {
    workers[index].process.closeInput()
    _ = workers[index].process.wait()
  }

  /// Puts a worker in place of one that has ended.
  package mutating func replace(_ index: Int, by worker: Worker<Job>) { workers[index] = worker }

  /// Whether no worker has a job.
  package var isIdle: Bool { workers.allSatisfy { $0.job == nil } }

  /// Waits until something comes from a worker.
  ///
  /// What workers write on standard error is kept for when they end.
  ///
  /// - Parameter milliseconds: For how long; nil waits for any time.
  /// - Returns: What came, in the order of the workers; nothing after that time, and when all have
  ///   ended.
  package func events(within milliseconds: Int?) -> [Event] {
    let arrivals = ProcessOutput.next(from: workers.map(\.process), within: milliseconds)
    // Complaints first: they explain why the other stream ended.
    for arrival in arrivals where arrival.stream == .error {
      workers[arrival.process].take(errorOutput: arrival.bytes)
    }
    var events: [Event] = []
    for arrival in arrivals where arrival.stream == .output {
      let worker = workers[arrival.process]
      events += worker.take(output: arrival.bytes).map { .line($0, worker) }
      if arrival.bytes.isEmpty { events.append(.ended(worker)) }
    }
    return events
  }

  /// Gives up on the workers whose deadline is over, and forgets those that were waited for.
  package mutating func clear(at now: Int64) {
    for worker in workers where worker.deadline < now { worker.giveUp() }
    workers.removeAll { $0.process.ending != nil }
  }

  /// Asks all workers to end, which takes what they have started with them, and waits half a second
  /// before it ends them.
  package func dismiss() {
    for worker in workers { worker.process.kill(SIGTERM) }
    for _ in 0..<50 where workers.contains(where: { !$0.process.hasEnded }) { usleep(10_000) }
    end()
  }

  /// Ends all workers at once.
  package func end() {
    for worker in workers { worker.process.kill() }
  }
}

/// A process that does jobs for this one, and what it is doing.
///
/// It reads jobs on standard input, a line each, and answers each with a line on standard output.
package final class Worker<Job> {
  package let process: ChildProcess
  /// What it does; nil while it waits.
  package private(set) var job: Job?
  /// How far it says that it is within its job, where it says so.
  package private(set) var position: UInt64?
  /// When it must have written something, on the clock of `Measurement`.
  package private(set) var deadline: Int64 = .max
  /// Whether it was ended because it was silent for too long.
  package private(set) var isHung = false
  /// How many jobs it has done.
  package private(set) var done = 0
  /// What it wrote on its standard error.
  private var errorOutput: [UInt8] = []
  private var output = LineBuffer()

  /// How much of what it wrote on its standard error is kept: the last of it, in bytes.
  private static var errorOutputLimit: Int { 1 << 16 }

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - words: What follows the name of the program.
  ///   - environment: Variables that it gets besides those of this process.
  ///   - program: The program; this one if not given.
  /// - Throws: `Failure.notStarted` when it does not start.
  package init(
    _ words: [String], environment: [String: String] = [:],
    program: String = ChildProcess.thisProgram
  ) throws(Failure) {
    process = try ChildProcess(program, words, environment: environment)
  }

  /// Gives it a job.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - line: What it reads, without the line break.
  ///   - deadline: When it must have written something.
  package func begin(_ job: Job, line: String, before deadline: Int64 = .max) {
    self.job = job
    self.deadline = deadline
    position = nil
    // One that has ended is noticed when its output ends.
    _ = process.write(line + "\n")
  }

  /// Records how far it is within its job.
  package func advance(to position: UInt64, before deadline: Int64) {
    self.position = position
    self.deadline = deadline
  }

  /// Takes note that it has done its job.
  ///
  /// - Returns: The job; nil when it had none.
  package func finishJob() -> Job? {
    defer {
      job = nil
      deadline = .max
    }
    done += 1
    return job
  }

  /// Ends it because it was silent for too long.
  package func giveUp() {
    isHung = true
    dismiss()
  }

  /// Ends it. It is asked first, because a program that it has started ends with it only then.
  package func dismiss() {
    process.kill(SIGTERM)
    for _ in 0..<100 where !process.hasEnded { usleep(1000) }
    process.kill()
  }

  /// Waits for its end, and takes what it still writes on its standard error.
  ///
  /// - Returns: How it ended, and the last of what it wrote there.
  package func awaitEnd() -> (ending: ChildProcess.Ending, errorOutput: String) {
    while process.hasOpenStreams {
      let arrivals = ProcessOutput.next(from: [process], within: 500)
      if arrivals.isEmpty { break }
      for arrival in arrivals where arrival.stream == .error { take(errorOutput: arrival.bytes) }
    }
    return (process.wait(), String(decoding: errorOutput, as: UTF8.self))
  }

  func take(errorOutput bytes: [UInt8]) {
    errorOutput = (errorOutput + bytes).suffix(Self.errorOutputLimit)
  }

  /// Takes what it wrote on its standard output.
  ///
  /// - Returns: The lines that are complete now.
  func take(output bytes: [UInt8]) -> [String] { output.take(bytes) }
}

/// Lines of text that arrive in parts.
struct LineBuffer {
  private var rest: [UInt8] = []

  /// Takes in some bytes and hands out the lines that are complete now.
  mutating func take(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: rest, as: UTF8.self))
        rest.removeAll(keepingCapacity: true)
      } else {
        rest.append(byte)
      }
    }
    return lines
  }
}
