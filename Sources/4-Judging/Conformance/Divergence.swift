public import ClientInterface
public import Document
public import Scenario
public import Trace
public import Tree
public import WireMonitor

/// A difference between what a scenario demands and what was observed.
public struct Divergence: Sendable {
  /// In what way demand and observation differ, with the evidence for it.
  public var kind: Kind
  /// The listener, call, client or server at which the difference appeared.
  public var subject: Subject
  /// The number of the step whose expectation failed, from 1.
  public var step: Int
  /// The file of that step, which for steps of a fragment is not the scenario's.
  public var file: String
  /// The expectation that failed, as closely as it is known.
  public var position: Position
  /// The rules that it is about; the first is the one that reports print.
  public var rules: [String]
  /// Whether a client that differs so is wrong.
  public var weight: Weight
  /// The event of the trace whose causes led here, or `nil` when nothing did.
  public var evidence: Int?
  /// The event in which the call was made, for divergences about a call.
  public var origin: Int?
  /// Both sides in order; empty where the sentence says everything.
  public var rows: [Row]
  /// How many events were expected and observed, for divergences in a list of events.
  public var counts: Counts?
  /// Which of several alternatives it is about: the one that came nearest.
  public var alternative: Alternative?

  /// Whether a client that differs so is wrong.
  public enum Weight: String, Hashable, Sendable {
    /// A rule that it must obey is broken.
    case failure
    /// No rule is broken but such as it should obey, or may.
    case advice
  }

  /// What distinguishes it from others of its kind, as words of its signature.
  package internal(set) var details: [String] = []

  /// One of the alternatives that an expectation allows, of which the run has to match one.
  public struct Alternative: Hashable, Sendable {
    /// From 1.
    public var number: Int
    /// How many alternatives the expectation has.
    public var count: Int
    /// Where the alternative is in the file of the step.
    public var position: Position

    /// The alternative `number`, counted from 1, of the `count` that an expectation has.
    public init(number: Int, of count: Int, at position: Position) {
      self.number = number
      self.count = count
      self.position = position
    }
  }

  /// The lengths of a list of events on both sides.
  public struct Counts: Hashable, Sendable {
    /// How many events were to come: those of the scenario, or those that the shadow raised.
    public var expected: Int
    /// How many events were observed.
    public var observed: Int
  }

  /// A divergence of which the step, the file and the rules are still to be filled in.
  public init(
    _ kind: Kind, of subject: Subject, at position: Position, evidence: Int? = nil,
    rows: [Row] = [], counts: Counts? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.position = position
    self.evidence = evidence
    self.rows = rows
    self.counts = counts
    step = 0
    file = ""
    rules = []
    weight = .failure
  }
}

extension Divergence {
  /// One line of expected and observed side by side. Numbers count from 1 on each side.
  public enum Row: Sendable {
    case same(Int, Entry)
    case expected(Int, Entry)
    case observed(Int, Entry)

    /// What a row shows: an event, the outcome of a call, or data, either as a scenario demands it
    /// or as it was observed.
    public enum Entry: Sendable {
      case expectedEvent(ExpectedEvent)
      case observation(Observation)
      case expectedOutcome(ExpectedOutcome)
      case outcome(Outcome)
      case pattern(Pattern)
      case node(Node)
    }
  }

  /// What kind of difference it is, with its evidence.
  public enum Kind: Sendable {
    /// An event did not come. With what the client raised in its place, if it went on.
    case missing(ExpectedEvent, next: Observation?)
    case unexpected(Observation, UnexpectedReason)
    /// Another event came than was expected.
    case replaced(ExpectedEvent, by: Observation)
    /// The event that was expected came, but not as expected.
    case different(ExpectedEvent, Observation, EventField)
    /// All events came, but one of them before another that should precede it.
    case misordered(Observation, before: ExpectedEvent)
    case orderBetween(OrderConstraint)
    /// The time between two events of a listener; the second has this number.
    case gap(number: Int, Interval, GapBound)

    case outcomeMissing(ExpectedOutcome)
    case outcomeUnexpected(Outcome)
    /// A call without a name did not succeed.
    case callFailed(Outcome)
    case outcomeDifferent(ExpectedOutcome, Outcome, OutcomeField)
    case completedTwice(Outcome)
    /// The process in which the call was made had been killed.
    case endedAfterKill(Outcome)
    /// The client named a listener or call that does not exist.
    case unknownLabel(String)
    /// The client threw an exception that was not caught.
    case uncaught(UncaughtException)

    /// The server's tree differs; the mismatch states where.
    case serverTree(PatternMismatch)
    case frames(FrameExpectation, count: Int)
    /// What a listener shows differs from what the server has; the mismatch states where.
    case notConverged(PatternMismatch)

    /// Nothing settles, because of who waits for what.
    case unsettled(UnsettledReason)
    case protocolBreach(WireFinding)
    /// Something that holds in every run did not; the text says what was observed and what should
    /// have been.
    case broken(Invariant, String)
    /// The reference client, given the same calls and messages, did something else: what it did is
    /// what is expected.
    indirect case shadow(Kind)
  }

  /// Why an event was not expected.
  public enum UnexpectedReason: Hashable, Sendable {
    /// The events before it were all that was expected.
    case nothingMore
    /// Others were expected here.
    case notHere
    /// Nothing was expected of this listener.
    case silent
    case afterRemoval(step: Int)
    case afterKill(step: Int)
    case afterCancel
    /// The listener was to receive one event.
    case onceAgain
  }

  /// In what an event differs.
  public enum EventField: Hashable, Sendable {
    case value(PatternMismatch)
    case previous
    /// A value event names another location than that of its listener.
    case pathKey(expected: Key?)
    case childOrder(expected: [Key], observed: [Key])
    case time(TimeBound, after: Interval)
  }

  /// In what the outcome of a call differs: how it ended, the key of a push, the inputs of a
  /// transaction's function, or the time it took.
  public enum OutcomeField: Hashable, Sendable {
    case end
    case key
    case inputs
    case time(TimeBound, after: Interval)
  }

  /// The bound that the time between two successive events of a listener breaks.
  public enum GapBound: Hashable, Sendable {
    case minimum(Interval)
    case maximum(Interval)
    /// This many times the gap before, which was so long.
    case growth(Double, previous: Interval)
  }
}

/// What a divergence is about.
public enum Subject: Hashable, Sendable {
  case listener(client: String, name: String, Operation.Target)
  case call(client: String, id: String, Operation)
  case client(String)
  case server
}

extension Subject {
  /// The location that the names in the subject's events are relative to; the root when there is
  /// none.
  public var path: Path {
    switch self {
    case let .listener(_, _, target): target.path
    case let .call(_, _, operation): operation.path ?? .root
    case .client, .server: .root
    }
  }

  /// `alice.feed`, `alice`, `server`.
  public var label: String {
    switch self {
    case let .listener(client, name, _): "\(client).\(name)"
    case let .call(client, id, _): "\(client).\(id)"
    case let .client(name): name
    case .server: "server"
    }
  }
}
