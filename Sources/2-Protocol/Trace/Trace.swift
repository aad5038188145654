public import ClientInterface
public import Tree

/// Everything that happened in a run, in order, with its rolling hash.
///
/// The hash is computed from plain data, never from Swift's seeded hash values, so that two
/// processes that saw the same run agree. Each of its checkpoints covers everything before it: the
/// first one that differs between two runs says where they parted.
public struct Trace: Sendable {
  /// Whether the events stay, or only what they add to the hash.
  public enum Retention: Hashable, Sendable {
    case events
    /// For campaigns and measurements: nothing is kept, so nothing can be reported.
    case hashOnly
  }

  /// How many events lie between two checkpoints.
  public static let checkpointSpacing = 64

  /// What is kept of each event, for the whole run; with `hashOnly`, `events` stays empty.
  public let retention: Retention
  /// The events so far; empty when only the hash is kept.
  public private(set) var events = TraceEvents()
  /// How many events there were, kept or not.
  public private(set) var count = 0
  /// The hash of everything so far.
  public private(set) var hash = Fingerprint()
  /// The hash after 64 events, after 128, …
  public private(set) var checkpoints: [Fingerprint] = []

  /// Starts without events; those that are appended are kept unless only the hash is wanted.
  public init(retention: Retention = .events) {
    self.retention = retention
  }

  /// Adds an event.
  ///
  /// - Returns: Its sequence number, to name it as a cause later.
  @discardableResult
  public mutating func append(
    _ kind: consuming TraceEvent.Kind, cause: Int?, time: Interval, step: Int
  ) -> Int {
    let sequence = count
    count += 1
    hash.combine(kind, cause: cause, time: time, step: step)
    if count.isMultiple(of: Self.checkpointSpacing) { checkpoints.append(hash) }
    if retention == .events {
      events.append(
        TraceEvent(sequence: sequence, cause: cause, time: time, step: step, kind: kind))
    }
    return sequence
  }

  /// Lets go of the events; count, hash and checkpoints stay.
  public mutating func forgetEvents() { events = TraceEvents() }

  /// The events that led to the one with this sequence number, and that event itself, oldest first.
  ///
  /// Empty when the events are not kept.
  public func causes(of sequence: Int) -> [TraceEvent] {
    var slice: [TraceEvent] = []
    var next: Int? = sequence
    while let current = next, events.indices.contains(current) {
      slice.append(events[current])
      next = events[current].cause
    }
    return slice.reversed()
  }

  /// What a client was given last before the event with this sequence number, or in it.
  ///
  /// - Returns: `nil` where nothing led there that a client was given.
  package func lastInput(before sequence: Int) -> (event: TraceEvent, input: ClientInput)? {
    causes(of: sequence).reversed().lazy.compactMap { event in
      if case let .input(_, input) = event.kind { (event, input) } else { nil }
    }.first
  }
}

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
