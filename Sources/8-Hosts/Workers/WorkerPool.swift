import Glibc
import Processes

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
