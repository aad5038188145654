import CWebsockets
import Dispatch
import LiveServer
import Synchronization

/// Reads and writes large messages, while the thread of a ``SocketLoop`` serves other clients.
///
/// One after the other, but what is short does not wait for what is long: the two have a thread each, and
/// that of the long gives way.
final class LargeMessageThread {
  private let queue = DispatchQueue(label: "kennel.large-messages", qos: .userInitiated)
  private let longQueue = DispatchQueue(label: "kennel.long-messages", qos: .utility)
  /// From how many bytes on work is long.
  private static let long = 1 << 19
  private let outcomes = Outcomes()

  private final class Outcomes: Sendable {
    let finished = Mutex<[LargeWork.Outcome]>([])
  }

  /// Begins something.
  ///
  /// - Parameters:
  ///   - work: What is to be done, after what was begun before and is as long.
  ///   - context: What waits for events, and is woken up at the end; nil where nothing waits.
  func begin(_ work: LargeWork, waking context: OpaquePointer?) {
    // The one thing that libwebsockets allows another thread to do with it.
    nonisolated(unsafe) let context = context
    let queue = work.isLarger(than: Self.long) ? longQueue : queue
    queue.async { [outcomes] in
      let outcome = work.outcome()
      outcomes.finished.withLock { $0.append(outcome) }
      if let context { lws_cancel_service(context) }
    }
  }

  /// Hands out what has come of it since this was asked last, in the order in which it was finished.
  func takeOutcomes(_ body: (LargeWork.Outcome) -> Void) {
    let taken = outcomes.finished.withLock { finished in
      defer { finished = [] }
      return finished
    }
    if taken.isEmpty { return }
    for outcome in taken { body(outcome) }
    // It takes time to give back the memory of large data, also of those that were overwritten.
    longQueue.async { withExtendedLifetime(taken) {} }
  }

  /// Waits until nothing is being done any more.
  func finish() {
    queue.sync {}
    longQueue.sync {}
  }
}
