internal import ClientInterface

/// Something that will happen. Plain data: what a message says stays in its link.
struct ScheduledEvent: Hashable {
  var due: Interval
  /// The trace event that made it happen.
  ///
  /// One event schedules at most one thing, and later events have higher numbers. So this number
  /// also breaks ties: of what is due at the same time, what was caused first happens first.
  var cause: Int
  var client: Int32
  var kind: Kind

  enum Kind: Hashable {
    /// A message arrives, over the connection with this number.
    case toServer(Int32)
    case toClient(Int32)
    /// The network answers a client that asked for a connection.
    case attempt
    /// The server notices that the client closed the connection with this number.
    case leave(Int32)
    case timer
    /// The time for which an armed fault waits has passed; its mark has this number.
    case fault(Int32)
  }

  /// Whether this happens before `other`.
  func precedes(_ other: ScheduledEvent) -> Bool {
    due != other.due ? due < other.due : cause < other.cause
  }
}

/// Everything that will happen, as a binary heap ordered by due time and then by cause.
///
/// The order is total, so a run does not depend on the order in which things were scheduled.
/// Entries are not removed when they lose their meaning, for example when a timer is cancelled;
/// the code that takes one out checks whether it still holds.
struct EventQueue {
  private var heap: [ScheduledEvent] = []

  var first: ScheduledEvent? { heap.first }
  var count: Int { heap.count }

  /// - Complexity: O(log *n*).
  mutating func insert(_ scheduled: ScheduledEvent) {
    if heap.isEmpty { heap.reserveCapacity(16) }
    heap.append(scheduled)
    // In place: every access to the array itself would ask whether it is shared.
    heap.withUnsafeMutableBufferPointer { heap in
      var index = heap.count - 1
      while index > 0 {
        let parent = (index - 1) / 2
        guard scheduled.precedes(heap[parent]) else { break }
        heap[index] = heap[parent]
        index = parent
      }
      heap[index] = scheduled
    }
  }

  /// Takes out what happens first, or `nil` when nothing is left.
  ///
  /// - Complexity: O(log *n*).
  mutating func removeFirst() -> ScheduledEvent? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty { sink(last) }
    return first
  }

  /// Puts `scheduled` where the first one was and restores the order.
  private mutating func sink(_ scheduled: ScheduledEvent) {
    heap.withUnsafeMutableBufferPointer { heap in
      var index = 0
      while true {
        var child = 2 * index + 1
        guard child < heap.count else { break }
        if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
        guard heap[child].precedes(scheduled) else { break }
        heap[index] = heap[child]
        index = child
      }
      heap[index] = scheduled
    }
  }
}
