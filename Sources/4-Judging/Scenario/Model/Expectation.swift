public import ClientInterface
public import Document

/// Everything that may have been observed since the last expectation, or since the start.
///
/// What is not listed must not have happened: events of listeners that are not mentioned, outcomes
/// of named calls that are not mentioned.
public struct Expectation: Sendable {
  public var position: Position
  public var timing: Timing
  public var listeners: [ListenerExpectation] = []
  public var outcomes: [OutcomeExpectation] = []
  /// The server's whole tree in export format; `nil` when it is not compared.
  public var server: Pattern?
  public var frames: [FrameExpectation] = []
  public var order: [OrderConstraint] = []
  /// Whether every online client's complete views must equal the server's tree.
  public var isConverged = false
  /// When not empty, exactly what is in one of these was observed, and the fields above (which are
  /// what the alternatives have in common, and are repeated in each of them) are not to be looked
  /// at. An alternative has no alternatives.
  public var alternatives: [Expectation] = []

  public init(position: Position, timing: Timing) {
    self.position = position
    self.timing = timing
  }

  public enum Timing: Hashable, Sendable {
    /// After the simulation has settled.
    case settled
    /// At once; time does not move.
    case now
  }
}

/// The events of one listener, in their order.
public struct ListenerExpectation: Sendable {
  public var client: String
  public var listener: ListenerID
  public var position: Position
  public var items: [Item]
  /// How far apart in time the events are; `nil` when that is not compared.
  public var gap: Gap?

  public init(
    client: String, listener: ListenerID, position: Position, items: [Item], gap: Gap? = nil
  ) {
    self.client = client
    self.listener = listener
    self.position = position
    self.items = items
    self.gap = gap
  }

  public enum Item: Sendable {
    case event(ExpectedEvent)
    /// These events, in any order, before whatever follows.
    case unordered([ExpectedEvent])
  }

  /// Bounds on the time between each event and the next.
  public struct Gap: Hashable, Sendable {
    public var minimum: Interval?
    public var maximum: Interval?
    /// Each gap is at least this many times as long as the one before.
    public var growth: Double?

    public init(minimum: Interval?, maximum: Interval?, growth: Double?) {
      self.minimum = minimum
      self.maximum = maximum
      self.growth = growth
    }
  }
}

/// One call of a listener.
public struct ExpectedEvent: Sendable {
  public var position: Position
  public var kind: Kind
  /// The key of the child, matched as a string; `nil` for value events and cancellations.
  public var key: Pattern?
  /// In export format; `nil` when the value is not compared.
  public var value: Pattern?
  public var previous: Previous
  public var time: TimeBound?

  public init(
    position: Position, kind: Kind, key: Pattern? = nil, value: Pattern? = nil,
    previous: Previous = .unstated, time: TimeBound? = nil
  ) {
    self.position = position
    self.kind = kind
    self.key = key
    self.value = value
    self.previous = previous
    self.time = time
  }

  public enum Kind: Hashable, Sendable {
    case event(EventType)
    /// The server ended the listener.
    case cancelled(ErrorCode)
  }

  public enum Previous: Sendable {
    /// Not compared.
    case unstated
    case first
    /// Matched with the key as a string.
    case key(Pattern)
  }
}

/// When something was observed, measured from the previous expectation (or the first step).
public enum TimeBound: Hashable, Sendable {
  case at(Interval)
  case within(ClosedRange<Interval>)

  public func contains(_ interval: Interval) -> Bool {
    switch self {
    case let .at(moment): interval == moment
    case let .within(range): range.contains(interval)
    }
  }
}

/// How a named call ended.
public struct OutcomeExpectation: Sendable {
  public var client: String
  public var call: CallID
  public var position: Position
  public var outcome: ExpectedOutcome
  public var time: TimeBound?

  public init(
    client: String, call: CallID, position: Position, outcome: ExpectedOutcome,
    time: TimeBound? = nil
  ) {
    self.client = client
    self.call = call
    self.position = position
    self.outcome = outcome
    self.time = time
  }
}

public struct ExpectedOutcome: Sendable {
  /// How it completed; `nil` when it answered with a key and has not completed.
  public var end: End?
  /// Of a push: the new key, matched as a string. `nil` when it is not compared.
  public var key: Pattern?
  /// Of a transaction: what its function was called with, in application format. `nil` when that
  /// is not compared.
  public var inputs: [Pattern]?

  public init(end: End?, key: Pattern? = nil, inputs: [Pattern]? = nil) {
    self.end = end
    self.key = key
    self.inputs = inputs
  }

  public enum End: Sendable {
    case ok
    case error(ErrorCode)
    /// The call was refused at once, because of its arguments.
    case threw(ErrorCode)
    /// An inspection was answered; the answer is plain JSON, so lists and nulls count.
    case answered(Pattern)
    /// A transaction wrote, with this value in export format; `nil` when it is not compared.
    case committed(Pattern?)
    /// A transaction gave up by itself, at this value.
    case notCommitted(Pattern?)
  }
}

/// How many frames of a kind a client sent since the last expectation.
public struct FrameExpectation: Sendable {
  public var client: String
  /// One of `FrameExpectation.kinds`.
  public var kind: String
  public var count: Int
  public var position: Position

  public init(client: String, kind: String, count: Int, position: Position) {
    self.client = client
    self.kind = kind
    self.count = count
    self.position = position
  }

  /// What can be counted. Kinds that are not listed are not compared.
  public static let kinds = [
    "listen", "unlisten", "put", "merge", "on-disconnect-put", "on-disconnect-merge",
    "on-disconnect-cancel", "get", "stats", "auth", "unauth",
  ]
}

/// One observation comes before another.
public struct OrderConstraint: Hashable, Sendable {
  public var position: Position
  public var first: Moment
  public var second: Moment

  public init(position: Position, first: Moment, second: Moment) {
    self.position = position
    self.first = first
    self.second = second
  }

  /// What the expectation of which this is a part lists under a label.
  public struct Moment: Hashable, Sendable, CustomStringConvertible {
    public var client: String
    /// The label of a listener or of a call.
    public var label: String
    /// Which event of the listener, from 1; `nil` means all of them, or the outcome of a call.
    public var index: Int?

    public init(client: String, label: String, index: Int?) {
      self.client = client
      self.label = label
      self.index = index
    }

    public var description: String { "\(client).\(label)" + (index.map { "#\($0)" } ?? "") }
  }
}
