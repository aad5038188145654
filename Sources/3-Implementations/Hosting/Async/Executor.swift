internal import ClientInterface
internal import Glibc
internal import Synchronization

/// Runs tasks one at a time on the kit's thread, in an order that a seed decides.
///
/// Any order of the tasks that are ready is one in which the threads of a real program could run
/// them, so a client must be right in all of them.
package final class Executor {
  package let tasks: Tasks
  let actors: Actors
  private let ready = Ready()
  private var random: RandomNumbers

  package init(seed: UInt64) {
    random = RandomNumbers(seed: seed)
    tasks = Tasks(ready)
    actors = Actors(ready)
  }

  /// How often something was to be run that did not come from handling an input.
  package var escapes: Int { ready.state.withLock { $0.escapes } }

  /// Does what belongs to one input. What comes from elsewhere, or meanwhile, has escaped.
  package func duringInput(_ work: () -> Void) {
    ready.state.withLock { $0.home = pthread_self() }
    work()
    ready.state.withLock { $0.home = nil }
  }

  /// Runs one of what is ready until it waits or ends; says `false` when nothing is.
  package func runOne() -> Bool {
    let count = ready.state.withLock { $0.jobs.count }
    guard count > 0 else { return false }
    let index = count == 1 ? 0 : Int(random.next() % UInt64(count))
    let next = ready.state.withLock { $0.jobs.remove(at: index) }
    if next.isOfActor {
      next.job.runSynchronously(on: actors.asUnownedSerialExecutor())
    } else {
      next.job.runSynchronously(on: tasks.asUnownedTaskExecutor())
    }
    return true
  }
}

extension Executor {
  /// What can be run. Shared with those that bring it, who may outlive the executor: what comes then
  /// stays here for ever.
  final class Ready: Sendable {
    struct State {
      var jobs: [(job: UnownedJob, isOfActor: Bool)] = []
      var escapes = 0
      /// The thread on which the client handles an input; `nil` while it does not.
      var home: pthread_t?
    }

    let state = Mutex(State())

    func add(_ job: UnownedJob, isOfActor: Bool) {
      state.withLock {
        $0.jobs.append((job, isOfActor))
        let isAtHome = $0.home.map { pthread_equal(pthread_self(), $0) != 0 } ?? false
        if !isAtHome { $0.escapes += 1 }
      }
    }
  }

  /// For tasks, and for actors without an executor of their own that these call.
  package final class Tasks: TaskExecutor {
    private let ready: Ready

    init(_ ready: Ready) { self.ready = ready }

    package func enqueue(_ job: consuming ExecutorJob) {
      ready.add(UnownedJob(job), isOfActor: false)
    }
  }

  /// For actors that name it as theirs.
  final class Actors: SerialExecutor {
    private let ready: Ready

    init(_ ready: Ready) { self.ready = ready }

    func enqueue(_ job: consuming ExecutorJob) { ready.add(UnownedJob(job), isOfActor: true) }
  }
}
