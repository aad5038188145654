internal import ClientInterface
internal import Scenario
internal import Trace
internal import WireMonitor

// The one table of what can differ: a new kind gets its case and its row here, and its sentence where
// sentences are made.

extension Divergence {
  /// What is known of a divergence by its kind.
  package struct Traits {
    var name: String
    /// Rules that say what this kind of difference is about, where a scenario cites one of them.
    package var likely: [String] = []
    var citation = Citation.scenario
    var gravity = Gravity.asItsRules
    /// Which missing actions can be behind it; `nil` where something was done that should not be.
    package var reach: AbsenceReach?
    /// The kinds of event, of end and of message that it is about: words of its signature.
    var words: [String] = []
    /// Whether a call was refused or should have been: then its arguments decide, and not what it
    /// listens to or what came before it.
    var isAboutArguments = false
    /// What should have been, as a sentence without its full stop.
    package var ideal = "It goes as with the reference client"
    /// The rule of an event that did not come.
    package var missingRule: String?
    /// The rule of a scenario that is made of it, where none is known by the above.
    package var rule = "EVT-23"
  }

  /// Which rules it is about: those of the scenario, a likely one first, one before them, or others.
  enum Citation {
    case scenario
    case before(String)
    case alone([String])
  }

  /// How wrong a client is: whatever a scenario is about; as the rules of the expectation bind that
  /// was not met; or never more than advised.
  enum Gravity {
    case always
    case asItsRules
    case advice
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
        name: "missing-event", likely: event.likelyRules, reach: .everything,
        words: [event.kind.name], ideal: "Nothing that happens is kept from a listener",
        missingRule: event.kind.rule)
    case let .replaced(event, observation):
      .init(
        name: "other-event", likely: event.likelyRules, reach: .exchange,
        words: [event.kind.name, "by", observation.kind.name],
        ideal: "A listener receives what has happened", missingRule: event.kind.rule)
    case let .unexpected(observation, reason):
      .init(
        name: "unexpected-event", likely: reason.row.likely, reach: reason.row.reach,
        words: [observation.kind.name] + reason.row.words,
        ideal: "A listener receives only what has happened", rule: "EVT-12")
    case let .different(event, _, field): field.traits(words: [event.kind.name])
    case let .misordered(observation, event):
      .init(
        name: "event-order", likely: event.likelyRules(after: observation),
        words: [observation.kind.name, "before", event.kind.name],
        ideal: "The events of a change come in their order")
    case .orderBetween: .init(name: "order-between", likely: ["EVT-15", "EVT-17"])
    case .gap: .init(name: "gap")
    case .outcomeMissing, .outcomeUnexpected, .callFailed, .outcomeDifferent, .completedTwice,
      .endedAfterKill:
      outcomeTraits
    case .unknownLabel, .uncaught, .serverTree, .frames, .notConverged, .unsettled,
      .protocolBreach, .broken:
      runTraits
    case let .shadow(kind): kind.traits.ofShadow
    }
  }

  /// Of calls, by how they ended.
  private var outcomeTraits: Divergence.Traits {
    switch self {
    case let .outcomeMissing(expected):
      .init(
        call: "missing-outcome", reach: .everything, expected.end?.names ?? [],
        expected.end?.isRefusal, "A call that is answered ends")
    case let .outcomeUnexpected(outcome):
      .init(
        call: "unexpected-outcome", outcome.end?.names ?? [], outcome.end?.isRefusal,
        "No call ends before it is answered")
    case let .callFailed(outcome):
      .init(
        call: "failed-call", reach: .exchange, outcome.end?.names ?? [], outcome.end?.isRefusal,
        "A call that the server accepts succeeds")
    case let .outcomeDifferent(expected, outcome, field):
      .init(
        call: "different-outcome", reach: .exchange,
        field.words + (expected.end?.names ?? ["key"]) + ["by"] + (outcome.end?.names ?? ["key"]),
        expected.end?.isRefusal == true || outcome.end?.isRefusal == true,
        "A call ends as the server answered it")
    case let .completedTwice(outcome):
      .init(call: "second-completion", outcome.end?.names ?? [], nil, "A call ends once")
    case let .endedAfterKill(outcome):
      .init(
        name: "completion-after-kill", words: outcome.end?.names ?? [],
        ideal: "No call of a dead process ends", rule: "OFF-9")
    default: preconditionFailure("\(self) is no outcome")
    }
  }

  /// Of runs as a whole.
  private var runTraits: Divergence.Traits {
    switch self {
    case .unknownLabel:
      .init(
        name: "unknown-label", citation: .alone([]), gravity: .always,
        ideal: "Only listeners and calls that exist are called back", rule: "OBS-6")
    case let .uncaught(exception):
      .init(
        name: "uncaught", citation: .alone(["ERR-14"]), gravity: .always, words: exception.words)
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
        name: "unsettled", citation: .alone(reason.isAboutSilence ? ["CON-19"] : []),
        gravity: reason.isAboutSilence ? .advice : .asItsRules, reach: .everything,
        ideal: "In the end nothing is left to do")
    case let .protocolBreach(finding):
      .init(
        name: "protocol", citation: .alone([finding.rule]), gravity: .always,
        words: [finding.check.id.lowercased()], ideal: "A client keeps to the protocol",
        rule: "CON-12")
    case let .broken(invariant, _):
      .init(
        name: "invariant", citation: .before(invariant.rule), gravity: .always,
        reach: .everything, ideal: String(invariant.sentence.dropLast()), rule: invariant.rule)
    default: preconditionFailure("\(self) is about an event or a call")
    }
  }
}

extension Divergence.Traits {
  fileprivate init(
    call name: String, reach: Divergence.AbsenceReach? = nil, _ words: [String],
    _ isRefusal: Bool?, _ ideal: String
  ) {
    self.init(
      name: name, reach: reach, words: words, isAboutArguments: isRefusal ?? false, ideal: ideal,
      rule: "WRT-10")
  }

  /// The same, where the reference client did otherwise and no scenario says what it is about.
  fileprivate var ofShadow: Divergence.Traits {
    .init(
      name: "shadow-" + name, likely: likely, reach: reach, words: words,
      isAboutArguments: isAboutArguments, missingRule: missingRule)
  }

  /// The rules that a scenario is evidence for, the one that this is about first, if that is known.
  func sorted(_ rules: [String]) -> [String] {
    switch citation {
    case let .alone(own): return own
    case let .before(own): return [own] + rules.filter { $0 != own }
    case .scenario:
      // When a child moves is said in one rule, whatever else a scenario is about.
      let own = rules.first(where: likely.contains) ?? likely.first { $0 == "EVT-11" }
      return own.map { own in [own] + rules.filter { $0 != own } } ?? rules
    }
  }

  /// How much a client is wrong; excused is what binds no client, or follows something allowed.
  func weight(isExcused: Bool) -> Divergence.Weight {
    switch gravity {
    case .always: .failure
    case .asItsRules: isExcused ? .advice : .failure
    case .advice: .advice
    }
  }
}

extension ExpectedEvent {
  fileprivate var likelyRules: [String] {
    switch kind {
    case .cancelled: ["ACC-1", "ACC-5", "ACC-10", "ACC-15"]
    case .event(.childMoved): ["EVT-11", "PRI-11"]
    case .event: []
    }
  }

  fileprivate func likelyRules(after observation: Observation) -> [String] {
    guard case let .event(event) = observation.content else { return [] }
    if event.type == .value { return ["EVT-7"] }
    return kind == .event(event.type) ? ["EVT-9"] : ["EVT-8"]
  }
}

extension ExpectedEvent.Kind {
  /// The rule that says when it comes.
  fileprivate var rule: String {
    switch self {
    case .event(.value): "EVT-3"
    case .event(.childAdded): "EVT-4"
    case .event(.childChanged): "EVT-5"
    case .event(.childRemoved): "EVT-6"
    case .event(.childMoved): "EVT-11"
    case .cancelled: "ACC-1"
    }
  }
}

extension Divergence.UnexpectedReason {
  /// Where in the list an event stands depends on what else is received: that is no word.
  fileprivate var row: (likely: [String], reach: Divergence.AbsenceReach?, words: [String]) {
    switch self {
    case .nothingMore, .notHere, .silent: ([], .exchange, [])
    case .afterRemoval: (["OBS-6"], nil, ["after-removal"])
    case .afterKill: (["OFF-9"], nil, ["after-kill"])
    case .afterCancel: ([], nil, ["after-cancel"])
    case .onceAgain: ([], nil, ["once-again"])
    }
  }
}

extension Divergence.EventField {
  fileprivate func traits(words: [String]) -> Divergence.Traits {
    switch self {
    case .value:
      .init(
        name: "event-value", reach: .exchange, words: words,
        ideal: "An event brings the value that is there")
    case .previous:
      .init(
        name: "event-previous", likely: ["EVT-10"], reach: .exchange, words: words,
        ideal: "An event names the neighbour in the window after the change", rule: "EVT-10")
    case .pathKey:
      .init(
        name: "event-place", reach: .exchange, words: words,
        ideal: "A value event names its own location")
    case .childOrder:
      .init(
        name: "child-order", likely: ["SNP-3"], reach: .exchange, words: words,
        ideal: "A value lists its children in the order of the query", rule: "SNP-3")
    case .time: .init(name: "event-time", reach: .exchange, words: words)
    }
  }
}
