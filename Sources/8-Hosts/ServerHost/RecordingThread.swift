import ClientInterface
import Dispatch
import Faults
import LiveServer
import Synchronization

/// Keeps recordings. What takes long is kept in a second thread, and so is what happens meanwhile,
/// in the same order; everything else is kept at once.
final class RecordingThread {
  /// More than that takes long, in bytes of text, and no more than that and one record waits: as data
  /// they take about ten times as much.
  private static let limit = (large: 1 << 16, waiting: 32 << 20)

  private let queue = DispatchQueue(label: "kennel.recordings")
  private let folder: RecordingFolder
  private let waiting = Waiting()

  private final class Waiting: Sendable {
    let bytes = Atomic(0)
  }

  init(_ folder: RecordingFolder) { self.folder = folder }

  func receive(_ record: Effect.Record, of connection: Int, at now: Instant) {
    perform(record.byteCount(upTo: Self.limit.waiting)) {
      $0.receive(record, of: connection, at: now)
    }
  }

  func receive(_ fault: IndexedFault, of client: String?, at now: Instant) {
    perform(0) { $0.receive(fault, of: client, at: now) }
  }

  /// Waits until everything is kept.
  func finish() { queue.sync {} }

  private func perform(_ bytes: Int, _ body: @escaping @Sendable (RecordingFolder) -> Void) {
    let before = waiting.bytes.load(ordering: .acquiring)
    if before == 0, bytes <= Self.limit.large { return body(folder) }
    let bytes = bytes + 1
    waiting.bytes.add(bytes, ordering: .relaxed)
    // It is the queue's as long as something waits.
    nonisolated(unsafe) let folder = folder
    queue.async { [waiting] in
      body(folder)
      waiting.bytes.subtract(bytes, ordering: .releasing)
    }
    if before > Self.limit.waiting { finish() }
  }
}
