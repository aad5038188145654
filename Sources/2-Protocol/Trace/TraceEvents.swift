/// The events of a trace, in order.
///
/// They are kept in pages of one size. A copy of a trace shares all full pages with the original,
/// and a long trace grows without being moved.
public struct TraceEvents: RandomAccessCollection, Hashable, Sendable {
  private static let pageShift = 6
  private static let pageSize = 1 << pageShift

  private var pages: [[TraceEvent]] = []
  /// The page that is being filled.
  private var last: [TraceEvent] = []

  init() {}

  /// Always 0, even when there are no events.
  public var startIndex: Int { 0 }
  /// The number of events that are kept; 0 when only the hash is.
  public var endIndex: Int { pages.count << Self.pageShift + last.count }

  /// The event at this position, in O(1); traps where there is none.
  public subscript(position: Int) -> TraceEvent {
    let page = position >> Self.pageShift
    return page == pages.count
      ? last[position & (Self.pageSize - 1)] : pages[page][position & (Self.pageSize - 1)]
  }

  /// Shows the events from `position` on, in order, where they are: copying one takes longer than
  /// most readers need for it. The pointers are valid while `body` runs.
  public func forEach(from position: Int, _ body: (UnsafePointer<TraceEvent>) -> Void) {
    var page = position >> Self.pageShift
    var index = position & (Self.pageSize - 1)
    while page < pages.count {
      Self.show(pages[page], from: index, body)
      page += 1
      index = 0
    }
    Self.show(last, from: index, body)
  }

  private static func show(
    _ events: [TraceEvent], from first: Int, _ body: (UnsafePointer<TraceEvent>) -> Void
  ) {
    events.withUnsafeBufferPointer { events in
      guard let start = events.baseAddress, first < events.count else { return }
      for index in first..<events.count { body(start + index) }
    }
  }

  mutating func append(_ event: consuming TraceEvent) {
    if last.isEmpty { last.reserveCapacity(Self.pageSize) }
    last.append(event)
    if last.count == Self.pageSize {
      pages.append(last)
      last = []
    }
  }
}
