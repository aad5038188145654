public import ClientInterface
public import Document
public import RunModel
public import Scenario
public import Trace
public import Tree

/// A difference between what a scenario demands and what was observed.
public struct Divergence: Sendable {
  /// In what way demand and observation differ, with the evidence for it.
  public var kind: Kind
  /// The listener, call, client or server at which the difference appeared.
  public var subject: Subject
  /// The number of the step whose expectation failed, from 1.
  public var step = 0
  /// The file of that step, which for steps of a fragment is not the scenario's.
  public var file = ""
  /// The expectation that failed, as closely as it is known.
  public var position: Position
  /// The rules that it is about; the first is the one that reports print.
  public var rules: [String] = []
  /// Whether a client that differs so is wrong.
  public var weight = Weight.failure
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
  }

  /// The lengths of a list of events on both sides.
  public struct Counts: Hashable, Sendable {
    /// How many events were to come: those of the scenario, or those that the shadow raised.
    public var expected: Int
    /// How many events were observed.
    public var observed: Int
  }

  /// Whether a law of all runs was broken, not an expectation.
  package var isBrokenInvariant: Bool { if case .broken = kind { true } else { false } }

  /// A divergence of which the step, the file and the rules are still to be filled in.
  public init(
    _ kind: Kind, of subject: Subject, at position: Position, evidence: Int? = nil,
    rows: [Row] = [], counts: Counts? = nil
  ) {
    (self.kind, self.subject, self.position) = (kind, subject, position)
    (self.evidence, self.rows, self.counts) = (evidence, rows, counts)
  }
}

extension Divergence {
  /// One line of expected and observed side by side.
  public struct Row: Sendable {
    /// Which side has it.
    public var side: Side
    /// Counts from 1 on each side.
    public var number: Int
    /// What it shows.
    public var entry: Entry

    /// One of the sides, or both; the raw values are their names in reports for programs.
    public enum Side: String, Sendable {
      case same
      case expected
      case observed
    }

    /// An event, the outcome of a call, or data, as a scenario demands it; what was observed is as
    /// if exactly that were demanded.
    public enum Entry: Sendable {
      case event(ExpectedEvent)
      case outcome(ExpectedOutcome)
      case value(Pattern)
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

    /// A call came to something else than was expected of it; either may be no end.
    case call(CallDifference, ExpectedOutcome, Outcome)
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

  /// How what a call came to differs from what was expected.
  public enum CallDifference: Hashable, Sendable {
    /// It did not end.
    case missing
    case unexpected
    /// A call without a name did not succeed.
    case failed
    /// It ended otherwise.
    case end
    /// A push was answered with another key.
    case key
    /// The function of a transaction was called with something else.
    case inputs
    case time(TimeBound, after: Interval)
    /// It had ended before.
    case second
    /// The process in which the call was made had been killed.
    case afterKill
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

extension Divergence.Kind {
  /// The event that was expected and did not come, or not so, and the one that was observed and
  /// should not have been, or not so.
  var events: (expected: ExpectedEvent?, observed: Observation?) {
    switch self {
    case let .missing(event, _): (event, nil)
    case let .unexpected(observation, _): (nil, observation)
    case let .replaced(event, observation), let .different(event, observation, _),
      let .misordered(observation, event):
      (event, observation)
    default: (nil, nil)
    }
  }
}

// The one table of what can differ: a new kind gets its case and its row here, and its sentence where
// sentences are made.

extension Divergence {
  /// What is known of a divergence by its kind.
  package struct Traits {
    var name: String
    /// Rules that say what this kind of difference is about, where a scenario cites one of them.
    package var likely: [String] = []
    /// The rule that it is about whatever the scenario is about.
    package var certain: String?
    /// All rules that it is about, where those of the scenario have nothing to do with it.
    package var all: [String]?
    /// How wrong a client is, whatever the rules of the expectation bind that was not met.
    var weight: Weight?
    /// Which missing actions can be behind it; `nil` where something was done that should not be.
    package var reach: AbsenceReach?
    /// The kinds of event, of end and of message that it is about: words of its signature.
    package var words: [String] = []
    /// Whether a call was refused or should have been: then its arguments decide, and not what it
    /// listens to or what came before it.
    var isAboutArguments = false
    /// What should have been, as a sentence without its full stop; `nil` where only the reference
    /// client says it.
    package var ideal: String?
    /// The rule of an event that did not come.
    package var missingRule: String?
    /// The rule of a scenario that is made of it, where none is known by the above; `nil` likewise.
    package var rule: String?
  }

  /// Which missing actions can explain a divergence: all, or only what the client should have sent or
  /// connected, since it shows itself what the application received instead.
  package enum AbsenceReach {
    case everything
    case exchange
  }
}

extension Divergence.Kind {
  /// The kind without its evidence: for programs that read reports, and to compare
  /// failures. Never changes.
  public var name: String { traits.name }

  /// The kind of difference, whether a scenario or the reference client shows it.
  package var base: Divergence.Kind { if case let .shadow(kind) = self { kind.base } else { self } }

  /// The row of the table.
  package var traits: Divergence.Traits {
    switch self {
    case let .missing(event, _):
      .init(
        name: "missing-event", likely: event.kind.rules.likely, certain: event.kind.rules.certain,
        reach: .everything, words: [event.kind.name],
        ideal: "Nothing that happens is kept from a listener", missingRule: event.kind.rules.own)
    case let .replaced(event, observation):
      .init(
        name: "other-event", likely: event.kind.rules.likely, certain: event.kind.rules.certain,
        reach: .exchange, words: [event.kind.name, "by", observation.kind.name],
        ideal: "A listener receives what has happened", missingRule: event.kind.rules.own)
    case let .unexpected(observation, reason):
      .init(
        name: "unexpected-event", likely: [reason.row.rule].compactMap(\.self),
        reach: reason.row.word == nil ? .exchange : nil,
        words: [observation.kind.name] + [reason.row.word].compactMap(\.self),
        ideal: "A listener receives only what has happened", rule: "EVT-12")
    case let .different(event, _, field):
      .init(
        name: field.row.name, likely: [field.row.rule].compactMap(\.self), reach: .exchange,
        words: [event.kind.name], ideal: field.row.ideal)
    case let .misordered(observation, event):
      .init(
        name: "event-order", likely: event.kind.rules(behind: observation.kind),
        words: [observation.kind.name, "before", event.kind.name],
        ideal: "The events of a change come in their order")
    case .orderBetween: .init(name: "order-between", likely: ["EVT-15", "EVT-17"])
    case .gap: .init(name: "gap")
    case let .call(difference, expected, observed): difference.traits(expected, observed)
    case .unknownLabel, .uncaught, .serverTree, .frames, .notConverged, .unsettled,
      .protocolBreach, .broken:
      runTraits
    case let .shadow(kind): kind.traits.ofShadow
    }
  }

  /// Of runs as a whole.
  private var runTraits: Divergence.Traits {
    switch self {
    case .unknownLabel:
      .init(
        name: "unknown-label", all: [], weight: .failure,
        ideal: "Only listeners and calls that exist are called back", rule: "OBS-6")
    case let .uncaught(exception):
      .init(
        name: "uncaught", all: ["ERR-14"], weight: .failure, words: exception.words)
    case .serverTree:
      .init(name: "server-tree", reach: .everything, ideal: "What is written reaches the server")
    case let .frames(expected, count):
      .init(
        name: "frames", reach: count < expected.count ? .everything : nil,
        words: [expected.kind, count < expected.count ? "few" : "many"],
        ideal: "Nothing is sent that is not needed, and all that is needed", rule: "OFF-3")
    case .notConverged:
      .init(name: "not-converged", reach: .everything, ideal: "In the end everyone sees the same")
    case let .unsettled(reason):
      // To ask for a keep-alive is what a client should do.
      .init(
        name: "unsettled", all: reason.isAboutSilence ? ["CON-19"] : [],
        weight: reason.isAboutSilence ? .advice : nil, reach: .everything,
        ideal: "In the end nothing is left to do")
    case let .protocolBreach(finding):
      .init(
        name: "protocol", all: [finding.rule], weight: .failure,
        words: [finding.check.id.lowercased()], ideal: "A client keeps to the protocol",
        rule: "CON-12")
    case let .broken(invariant, _):
      .init(
        name: "invariant", certain: invariant.rule, weight: .failure, reach: .everything,
        ideal: String(invariant.sentence.dropLast()), rule: invariant.rule)
    default: preconditionFailure("\(self) is about an event or a call")
    }
  }
}

extension Divergence.Traits {
  /// The same, where the reference client did otherwise and no scenario says what it is about.
  fileprivate var ofShadow: Divergence.Traits {
    .init(
      name: "shadow-" + name, likely: likely, certain: certain, reach: reach, words: words,
      isAboutArguments: isAboutArguments, missingRule: missingRule)
  }

  /// The rules that it is about, of those that a scenario is evidence for; the most likely one first.
  func sorted(_ rules: [String]) -> [String] {
    if let all { return all }
    guard let own = rules.first(where: likely.contains) ?? certain else { return rules }
    return [own] + rules.filter { $0 != own }
  }
}

extension ExpectedEvent.Kind {
  /// The rule that says when it comes; others that say so too; and the one that does so whatever a
  /// scenario is about.
  fileprivate var rules: (own: String, likely: [String], certain: String?) {
    switch self {
    case .event(.value): ("EVT-3", [], nil)
    case .event(.childAdded): ("EVT-4", [], nil)
    case .event(.childChanged): ("EVT-5", [], nil)
    case .event(.childRemoved): ("EVT-6", [], nil)
    case .event(.childMoved): ("EVT-11", ["EVT-11", "PRI-11"], "EVT-11")
    case .cancelled: ("ACC-1", ["ACC-1", "ACC-5", "ACC-10", "ACC-15"], nil)
    }
  }

  /// Rules about it coming behind another one.
  fileprivate func rules(behind other: Self) -> [String] {
    guard case let .event(type) = other else { return [] }
    return type == .value ? ["EVT-7"] : [self == other ? "EVT-9" : "EVT-8"]
  }
}

extension Divergence.UnexpectedReason {
  /// The end of the sentence that says that an event was raised; the word for it in a signature; and
  /// the rule. Where in the list an event stands depends on what else is received: that is no word.
  package var row: (clause: String, word: String?, rule: String?) {
    switch self {
    case .nothingMore: (", but nothing more was expected", nil, nil)
    case .notHere: (", which was not expected here", nil, nil)
    case .silent: (", but nothing was expected of this listener", nil, nil)
    case let .afterRemoval(step):
      (" for a listener that was removed in step \(step)", "after-removal", "OBS-6")
    case let .afterKill(step):
      (" for a listener whose process was killed in step \(step)", "after-kill", "OFF-9")
    case .afterCancel: (" for a listener that was cancelled", "after-cancel", nil)
    case .onceAgain: (" for a listener that was to receive one event", "once-again", nil)
    }
  }
}

extension Divergence.CallDifference {
  fileprivate func traits(_ expected: ExpectedOutcome, _ observed: Outcome) -> Divergence.Traits {
    let ends = (expected.end, observed.end.map { ExpectedOutcome.End($0) })
    let (wanted, found) = (ends.0?.names, ends.1?.names)
    let (name, reach, ideal) = row
    var traits = Divergence.Traits(
      name: name, reach: reach, words: wanted ?? found ?? [],
      isAboutArguments: ends.0?.isRefusal == true || ends.1?.isRefusal == true, ideal: ideal,
      rule: "WRT-10")
    switch self {
    case .missing, .unexpected, .failed: break
    case .end, .key, .inputs, .time:
      traits.words = word + (wanted ?? ["key"]) + ["by"] + (found ?? ["key"])
    case .second: traits.isAboutArguments = false
    case .afterKill: (traits.isAboutArguments, traits.rule) = (false, "OFF-9")
    }
    return traits
  }

  private var word: [String] {
    switch self {
    case .key: ["key"]
    case .inputs: ["inputs"]
    case .time: ["time"]
    case .missing, .unexpected, .failed, .end, .second, .afterKill: []
    }
  }

  private var row: (name: String, reach: Divergence.AbsenceReach?, ideal: String) {
    switch self {
    case .missing: ("missing-outcome", .everything, "A call that is answered ends")
    case .unexpected: ("unexpected-outcome", nil, "No call ends before it is answered")
    case .failed: ("failed-call", .exchange, "A call that the server accepts succeeds")
    case .end, .key, .inputs, .time:
      ("different-outcome", .exchange, "A call ends as the server answered it")
    case .second: ("second-completion", nil, "A call ends once")
    case .afterKill: ("completion-after-kill", nil, "No call of a dead process ends")
    }
  }
}

extension Divergence.EventField {
  /// The name of the divergence, what should have been, and the rule.
  fileprivate var row: (name: String, ideal: String?, rule: String?) {
    switch self {
    case .value: ("event-value", "An event brings the value that is there", nil)
    case .previous:
      (
        "event-previous", "An event names the neighbour in the window after the change", "EVT-10"
      )
    case .pathKey: ("event-place", "A value event names its own location", nil)
    case .childOrder:
      ("child-order", "A value lists its children in the order of the query", "SNP-3")
    case .time: ("event-time", nil, nil)
    }
  }
}

extension Subject {
  /// The client that it is about; `nil` for the server.
  package var clientName: String? {
    switch self {
    case let .listener(client, _, _), let .call(client, _, _), let .client(client): client
    case .server: nil
    }
  }

  /// Whether it is this listener or this call.
  package func isAbout(_ recipient: Recipient) -> Bool {
    switch (self, recipient) {
    case let (.listener(_, name, _), .listener(listener)): name == listener.name
    case let (.call(_, id, _), .call(call)): id == call.name
    case (_, _): false
    }
  }
}
