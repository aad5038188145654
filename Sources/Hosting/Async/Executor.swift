internal import ClientInterface
internal import Glibc
internal import Synchronization

/// Runs tasks one at a time on the kit's thread, in an order that a seed decides.
///
/// Any order of the tasks that are ready is one in which the threads of a real program could run
/// them, so a client must be right in all of them.
final class Executor: @unchecked Sendable {
  private struct Job {
    var job: UnownedJob
    var isOfActor: Bool
  }

  private struct Ready {
    var jobs: [Job] = []
    var escapes = 0
    /// The thread on which the client handles an input; `nil` while it does not.
    var home: pthread_t?
  }

  private let ready = Mutex(Ready())
  private var random: RandomNumbers
  private(set) lazy var tasks = Tasks(self)
  private(set) lazy var actors = Actors(self)

  init(seed: UInt64) { random = RandomNumbers(seed: seed) }

  /// How often something was to be run that did not come from handling an input.
  var escapes: Int { ready.withLock { $0.escapes } }

  private func add(_ job: UnownedJob, isOfActor: Bool) {
    ready.withLock {
      $0.jobs.append(Job(job: job, isOfActor: isOfActor))
      let isAtHome = $0.home.map { pthread_equal(pthread_self(), $0) != 0 } ?? false
      if !isAtHome { $0.escapes += 1 }
    }
  }

  /// Does what belongs to one input. What comes from elsewhere, or meanwhile, has escaped.
  func duringInput(_ work: () -> Void) {
    ready.withLock { $0.home = pthread_self() }
    work()
    ready.withLock { $0.home = nil }
  }

  /// Runs one of what is ready until it waits or ends; says `false` when nothing is.
  func runOne() -> Bool {
    let count = ready.withLock { $0.jobs.count }
    guard count > 0 else { return false }
    let index = count == 1 ? 0 : Int(random.next() % UInt64(count))
    let next = ready.withLock { $0.jobs.remove(at: index) }
    if next.isOfActor {
      next.job.runSynchronously(on: actors.asUnownedSerialExecutor())
    } else {
      next.job.runSynchronously(on: tasks.asUnownedTaskExecutor())
    }
    return true
  }
}

extension Executor {
  /// For tasks, and for actors without an executor of their own that these call.
  final class Tasks: TaskExecutor {
    private unowned let executor: Executor

    init(_ executor: Executor) { self.executor = executor }

    func enqueue(_ job: consuming ExecutorJob) {
      executor.add(UnownedJob(job), isOfActor: false)
    }
  }

  /// For actors that name it as theirs.
  final class Actors: SerialExecutor {
    private unowned let executor: Executor

    init(_ executor: Executor) { self.executor = executor }

    func enqueue(_ job: consuming ExecutorJob) {
      executor.add(UnownedJob(job), isOfActor: true)
    }
  }
}
