public import ClientInterface
public import Document

/// Everything that may have been observed since the last expectation, or since the start.
///
/// What is not listed must not have happened: events of listeners that are not mentioned, outcomes
/// of named calls that are not mentioned.
public struct Expectation: Sendable {
  /// Where `expect` or `expect-now` is in the step's file; for an alternative, where that
  /// begins.
  public var position: Position
  /// Whether the run settles before anything is compared.
  public var timing: Timing
  /// The rules that it is evidence for; empty for all those of the scenario.
  public var rules: [Scenario.Citation] = []
  /// The listed listeners, in the order of the file; one that is missing must have received
  /// nothing.
  public var listeners: [ListenerExpectation] = []
  /// The listed outcomes of calls, in the order of the file; a named call that is missing must not
  /// have ended.
  public var outcomes: [OutcomeExpectation] = []
  /// The server's whole tree in export format; `nil` when it is not compared.
  public var server: Pattern?
  /// The frames that are counted, one entry for each client and kind; the others are not compared.
  public var frames: [FrameExpectation] = []
  /// The constraints on the order of what is listed; all of them must hold.
  public var order: [OrderConstraint] = []
  /// Whether every online client's complete views must equal the server's tree.
  public var isConverged = false
  /// When not empty, exactly what is in one of these was observed, and the fields above (which are
  /// what the alternatives have in common, and are repeated in each of them) are not to be looked
  /// at. An alternative has no alternatives.
  public var alternatives: [Expectation] = []

  /// Creates an expectation that lists nothing and compares neither the server's tree nor frames.
  public init(position: Position, timing: Timing) {
    self.position = position
    self.timing = timing
  }

  /// Whether it lists nothing, so that nothing may have happened.
  public var isEmpty: Bool {
    listeners.isEmpty && outcomes.isEmpty && server == nil && frames.isEmpty && order.isEmpty
      && !isConverged && alternatives.isEmpty
  }

  /// When the observations are compared.
  public enum Timing: Hashable, Sendable {
    /// After the simulation has settled.
    case settled
    /// At once; time does not move.
    case now
  }
}

/// The events of one listener, in their order.
public struct ListenerExpectation: Sendable {
  /// The name of the client that registered the listener, as in `Scenario.clients`.
  public var client: String
  /// The listener's label, as the step that registered it states it.
  public var listener: ListenerID
  /// Where the listener's entry is in the step's file.
  public var position: Position
  /// All events that must have been received, in this order; empty when there must be none.
  public var items: [Item]
  /// How far apart in time the events are; `nil` when that is not compared.
  public var gap: Gap?

  /// Creates an expectation that compares the times between events only if a gap is given.
  public init(
    client: String, listener: ListenerID, position: Position, items: [Item], gap: Gap? = nil
  ) {
    self.client = client
    self.listener = listener
    self.position = position
    self.items = items
    self.gap = gap
  }

  /// One event, or several events whose order is open.
  public enum Item: Sendable {
    case event(ExpectedEvent)
    /// These events, in any order, before whatever follows.
    case unordered([ExpectedEvent])
  }

  /// Bounds on the time between each event and the next.
  public struct Gap: Hashable, Sendable {
    /// The shortest permitted gap, itself included; `nil` for no lower bound.
    public var minimum: Interval?
    /// The longest permitted gap, itself included; `nil` for no upper bound.
    public var maximum: Interval?
    /// Each gap is at least this many times as long as the one before.
    public var growth: Double?

    /// Creates bounds of which each `nil` is not checked; `growth` is a factor above 0.
    public init(minimum: Interval?, maximum: Interval?, growth: Double?) {
      self.minimum = minimum
      self.maximum = maximum
      self.growth = growth
    }
  }
}

/// One call of a listener.
public struct ExpectedEvent: Sendable {
  /// Where the event is listed in the step's file.
  public var position: Position
  /// Whether an event of some type or a cancellation is expected.
  public var kind: Kind
  /// The key of the child, matched as a string; `nil` for value events and cancellations.
  public var key: Pattern?
  /// In export format; `nil` when the value is not compared.
  public var value: Pattern?
  /// What the previous key must be; scenario files state it for additions, changes and moves only.
  public var previous: Previous
  /// When the event must have arrived; `nil` when the time is not compared.
  public var time: TimeBound?

  /// Creates an expected event; whatever is left out is not compared.
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

  /// What a listener was called with: an event, or the news that it was cancelled.
  public enum Kind: Hashable, Sendable {
    case event(EventType)
    /// The server ended the listener.
    case cancelled(ErrorCode)
  }

  /// What is demanded of the previous key of a child event.
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

  /// Whether an interval since the previous expectation fits exactly, both ends of a range
  /// included.
  public func contains(_ interval: Interval) -> Bool {
    switch self {
    case let .at(moment): interval == moment
    case let .within(range): range.contains(interval)
    }
  }
}

/// How a named call ended.
public struct OutcomeExpectation: Sendable {
  /// The name of the client that made the call, as in `Scenario.clients`.
  public var client: String
  /// The label that the step gave the call.
  public var call: CallID
  /// Where the outcome is listed in the step's file.
  public var position: Position
  /// What must have been observed of the call since the last expectation.
  public var outcome: ExpectedOutcome
  /// When the call must have ended, or answered with a key; `nil` when the time is not compared.
  public var time: TimeBound?

  /// Creates an expected outcome of a named call, at any time unless a bound is given.
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

/// What is to be observed of one call: its end, and what it showed before that.
public struct ExpectedOutcome: Sendable {
  /// How it completed; `nil` when it answered with a key and has not completed.
  public var end: End?
  /// Of a push: the new key, matched as a string. `nil` when it is not compared.
  public var key: Pattern?
  /// Of a transaction: what its function was called with, in application format. `nil` when that
  /// is not compared.
  public var inputs: [Pattern]?

  /// Creates an outcome; a key or inputs that are left out are not compared.
  public init(end: End?, key: Pattern? = nil, inputs: [Pattern]? = nil) {
    self.end = end
    self.key = key
    self.inputs = inputs
  }

  /// The ways in which a call can end.
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
  /// The name of the client that sent the frames, as in `Scenario.clients`.
  public var client: String
  /// One of `FrameExpectation.kinds`.
  public var kind: String
  /// How many frames of the kind there must be, exactly; 0 for none.
  public var count: Int
  /// Where the kind is listed in the step's file.
  public var position: Position

  /// Creates an expected count; `kind` is not checked against `FrameExpectation.kinds`.
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
  /// Where the constraint is in the step's file; those of one chain `a < b < c` share it.
  public var position: Position
  /// What must come first; where it means several observations, all of them come before `second`.
  public var first: Moment
  /// What must come later; where it means several observations, all of them come after `first`.
  public var second: Moment

  /// Creates a constraint, which also holds when one of the moments was not observed.
  public init(position: Position, first: Moment, second: Moment) {
    self.position = position
    self.first = first
    self.second = second
  }

  /// What the expectation of which this is a part lists under a label.
  public struct Moment: Hashable, Sendable, CustomStringConvertible {
    /// The name of the client that made the observation, as in `Scenario.clients`.
    public var client: String
    /// The label of a listener or of a call.
    public var label: String
    /// Which event of the listener, from 1; `nil` means all of them, or the outcome of a call.
    public var index: Int?

    /// Creates a moment without checking that any expectation lists it.
    public init(client: String, label: String, index: Int?) {
      self.client = client
      self.label = label
      self.index = index
    }

    public var description: String { "\(client).\(label)" + (index.map { "#\($0)" } ?? "") }
  }
}
