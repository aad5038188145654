import CWebsockets
import Dispatch
import LiveServer
import Synchronization

/// Reads and writes large messages, one after the other, while the thread of a ``SocketLoop``
/// serves other clients.
final class LargeMessageThread {
  private let queue = DispatchQueue(label: "kennel.large-messages")
  private let outcomes = Outcomes()

  private final class Outcomes: Sendable {
    let finished = Mutex<[LargeWork.Outcome]>([])
  }

  /// Begins something.
  ///
  /// - Parameters:
  ///   - work: What is to be done, after what was begun before.
  ///   - context: What waits for events, and is woken up at the end; nil where nothing waits.
  func begin(_ work: LargeWork, waking context: OpaquePointer?) {
    // The one thing that libwebsockets allows another thread to do with it.
    nonisolated(unsafe) let context = context
    queue.async { [outcomes] in
      let outcome = work.outcome()
      outcomes.finished.withLock { $0.append(outcome) }
      if let context { lws_cancel_service(context) }
    }
  }

  /// Hands out what has come of it since this was asked last, in the order in which it was begun.
  func takeOutcomes(_ body: (LargeWork.Outcome) -> Void) {
    let taken = outcomes.finished.withLock { finished in
      defer { finished = [] }
      return finished
    }
    if taken.isEmpty { return }
    for outcome in taken { body(outcome) }
    // It takes time to give back the memory of large data, also of those that were overwritten.
    queue.async { withExtendedLifetime(taken) {} }
  }

  /// Waits until nothing is being done any more.
  func finish() { queue.sync {} }
}
