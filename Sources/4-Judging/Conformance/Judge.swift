internal import ClientInterface
internal import Document
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// Compares all that was observed in a period with one expectation.
struct Judge {
  let expectation: Expectation
  let log: ObservationLog
  let state: RunEvaluation.SystemState
  /// What patterns have found out so far; gains what this expectation names.
  private(set) var bindings: Bindings
  private(set) var findings: [Divergence] = []
  /// Which of the alternatives held, by their positions.
  private(set) var held: [Int] = []

  /// All divergences, in the order in which they became apparent.
  mutating func divergences() -> [Divergence] {
    guard expectation.alternatives.isEmpty else { return nearestAlternative() }
    for var breach in log.period.breaches {
      breach.position = expectation.position
      findings.append(breach)
    }
    judgeListed()
    judgeUnlistedOutcomes()
    judgeOrder()
    judgeFrames()
    judgeServer()
    if expectation.isConverged { judgeConvergence() }
    return findings.enumerated()
      .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }
      .map(\.element)
  }

  /// Listeners and outcomes in the order of the file, so that a value has its name where the file
  /// uses it. Of a listener that is not listed nothing is expected.
  private mutating func judgeListed() {
    var outcomes = expectation.outcomes.sorted { $0.position < $1.position }[...]
    var listed: Set<ObservationLog.Name> = []
    for listener in expectation.listeners.sorted(by: { $0.position < $1.position }) {
      while let outcome = outcomes.first, outcome.position < listener.position {
        judge(outcome)
        outcomes.removeFirst()
      }
      guard let name = log.name(listener.listener.name, of: listener.client) else { continue }
      judge(listener.items, at: name, position: listener.position, gap: listener.gap)
      listed.insert(name)
    }
    for outcome in outcomes { judge(outcome) }
    for name in log.order where !listed.contains(name) {
      judge([], at: name, position: expectation.position)
    }
  }

  /// The divergences from the alternative that comes nearest; of equals the first counts.
  private mutating func nearestAlternative() -> [Divergence] {
    var nearest: (divergences: [Divergence], bindings: Bindings)?
    var leastDistance = Int.max
    for (index, alternative) in expectation.alternatives.enumerated() {
      var judge = Judge(expectation: alternative, log: log, state: state, bindings: bindings)
      let divergences = judge.divergences()
      if divergences.isEmpty { held.append(index) }
      let distance = divergences.reduce(0) { $0 + $1.distance }
      if distance < leastDistance {
        leastDistance = distance
        let location = Divergence.Alternative(
          number: index + 1, count: expectation.alternatives.count,
          position: alternative.position)
        nearest = (divergences.map { $0.within(location) }, judge.bindings)
      }
    }
    guard let nearest else { return [] }
    bindings = nearest.bindings
    return nearest.divergences
  }
}

// MARK: - Listeners

extension Judge {
  private mutating func judge(
    _ items: [ListenerExpectation.Item], at name: ObservationLog.Name, position: Position,
    gap: ListenerExpectation.Gap? = nil
  ) {
    let observed = log.observations(of: name)
    if items.isEmpty, observed.isEmpty { return }
    let target = log.listeners[name]?.target ?? Operation.Target(.root)
    let match = EventMatch(
      target: target, start: log.period.start,
      isOnce: log.listeners[name]?.registration.isOnce ?? false)
    let comparison = EventComparison(items, observed, match, &bindings)
    guard let difference = comparison.divergence() else {
      if let gap { judge(gap, observed, at: name, position: position) }
      return
    }
    var kind = difference.kind
    if case let .unexpected(observation, reason) = kind {
      kind = .unexpected(observation, unexpectedReason(observation, name, else: reason))
    }
    let (wanted, seen) = kind.events
    findings.append(
      Divergence(
        kind, of: log.subject(of: name), at: wanted?.position ?? position,
        evidence: seen?.sequence
          ?? log.lastArrival(at: name.client, about: target.path, in: state.trace)
          ?? log.lastWrite(about: target.path, in: state.trace),
        rows: difference.rows,
        counts: .init(expected: comparison.expected.count, observed: observed.count)))
  }

  /// Says more than "not expected" where the listener should not have received anything at all.
  private func unexpectedReason(
    _ observation: Observation, _ name: ObservationLog.Name,
    else reason: Divergence.UnexpectedReason
  ) -> Divergence.UnexpectedReason {
    guard let listener = log.listeners[name] else { return reason }
    switch (listener.state, observation.content) {
    case let (.removed(step), _): return .afterRemoval(step: step)
    case let (.killed(step, sequence), _):
      return observation.sequence > sequence ? .afterKill(step: step) : reason
    case (.cancelled, .event): return .afterCancel
    case (.cancelled, .cancelled), (.live, _):
      return listener.registration.isOnce && listener.eventCount > 1 ? .onceAgain : reason
    }
  }

  private mutating func judge(
    _ gap: ListenerExpectation.Gap, _ observed: [Observation], at name: ObservationLog.Name,
    position: Position
  ) {
    var previous: Interval?
    for (index, pair) in zip(observed, observed.dropFirst()).enumerated() {
      let length = pair.1.time - pair.0.time
      if let bound = gap.violated(by: length, after: previous) {
        return findings.append(
          Divergence(
            .gap(number: index + 2, length, bound), of: log.subject(of: name), at: position,
            evidence: pair.1.sequence))
      }
      previous = length
    }
  }

  /// Constraints on what did not happen hold: that it is missing is a divergence of its own.
  private mutating func judgeOrder() {
    for constraint in expectation.order {
      let first = sequences(of: constraint.first)
      let second = sequences(of: constraint.second)
      guard let last = first.max(), let next = second.min(), last > next else { continue }
      findings.append(
        Divergence(
          .orderBetween(constraint), of: .client(constraint.second.client),
          at: constraint.position, evidence: next))
    }
  }

  private func sequences(of moment: OrderConstraint.Moment) -> [Int] {
    guard let name = log.name(moment.label, of: moment.client) else { return [] }
    let events = log.observations(of: name).map(\.sequence)
    let ends = log.period.outcomes.filter { $0.name == name }.map(\.outcome.sequence)
    let all = events.isEmpty ? ends : events
    guard let index = moment.index else { return all }
    return all.indices.contains(index - 1) ? [all[index - 1]] : []
  }
}

extension ListenerExpectation.Gap {
  fileprivate func violated(
    by length: Interval, after previous: Interval?
  ) -> Divergence.GapBound? {
    if let minimum, length < minimum { return .minimum(minimum) }
    if let maximum, length > maximum { return .maximum(maximum) }
    if let growth, let previous,
      Double(length.nanoseconds) < growth * Double(previous.nanoseconds)
    {
      return .growth(growth, previous: previous)
    }
    return nil
  }
}

// MARK: - Outcomes

extension Judge {
  private mutating func judge(_ expected: OutcomeExpectation) {
    guard let name = log.name(expected.call.name, of: expected.client) else { return }
    let ended = log.period.outcomes.last {
      $0.name == name && !$0.isRepeated && !$0.isLate
    }?.outcome
    guard let observed = ended ?? answer(expected.outcome, name) else {
      return findings.append(
        log.divergence(
          .call(.missing, expected.outcome, Outcome()), ofCall: name, at: expected.position,
          evidence: log.lastArrival(at: name.client, in: state.trace)))
    }
    guard let difference = difference(expected, observed) else { return }
    findings.append(
      log.divergence(
        .call(difference, expected.outcome, observed), ofCall: name, at: expected.position,
        evidence: observed.sequence,
        rows: .pair(.outcome(expected.outcome), .outcome(ExpectedOutcome(observed)))))
  }

  /// What the call has come to without an end, when no end is expected.
  private func answer(_ expected: ExpectedOutcome, _ name: ObservationLog.Name) -> Outcome? {
    guard expected.end == nil, let outcome = log.calls[name]?.outcome, outcome.end == nil,
      outcome.key != nil || !outcome.inputs.isEmpty
    else { return nil }
    return outcome
  }

  private mutating func difference(
    _ expected: OutcomeExpectation, _ observed: Outcome
  ) -> Divergence.CallDifference? {
    let outcome = expected.outcome
    if !matches(outcome.end, observed.end) { return .end }
    if let pattern = outcome.key {
      guard let key = observed.key, pattern.matches(key, bindings: &bindings) else { return .key }
    }
    if let inputs = outcome.inputs {
      let isGiven = observed.wasGiven(inputs.count) {
        inputs[$0].matches($1, bindings: &bindings)
      }
      if !isGiven { return .inputs }
    }
    let passed = observed.time - log.period.start
    if let bound = expected.time, !bound.contains(passed) { return .time(bound, after: passed) }
    return nil
  }

  private mutating func matches(_ expected: ExpectedOutcome.End?, _ observed: Outcome.End?) -> Bool
  {
    switch (expected, observed) {
    case (nil, nil): true
    case let (.threw(expected)?, .threw(code)?): expected == code
    case let (.answered(pattern)?, .answered(answer)?):
      pattern.matches(answer: answer, bindings: &bindings)
    case let (.ok?, .completed(completion)?):
      completion.error == nil && completion.committed != false
    case let (.error(code)?, .completed(completion)?): completion.error == code
    case let (.committed(value)?, .completed(completion)?):
      completion.error == nil && completion.committed == true && matches(value, completion.value)
    case let (.notCommitted(value)?, .completed(completion)?):
      completion.error == nil && completion.committed == false && matches(value, completion.value)
    case (_, _): false
    }
  }

  private mutating func matches(_ pattern: Pattern?, _ value: Node?) -> Bool {
    guard let pattern else { return true }
    return pattern.mismatch(with: value ?? .empty, bindings: &bindings) == nil
  }

  private mutating func judgeUnlistedOutcomes() {
    let listed = Set(expectation.outcomes.compactMap { log.name($0.call.name, of: $0.client) })
    for ending in log.period.outcomes {
      guard let call = log.calls[ending.name] else { continue }
      let difference: Divergence.CallDifference
      if ending.isRepeated {
        difference = .second
      } else if ending.isLate {
        difference = .afterKill
      } else if listed.contains(ending.name) || (ending.outcome.isSuccess && !call.mustBeListed) {
        continue
      } else {
        difference = call.isNamed ? .unexpected : .failed
      }
      findings.append(
        log.divergence(
          .call(difference, ExpectedOutcome(end: nil), ending.outcome), ofCall: ending.name,
          at: expectation.position, evidence: ending.outcome.sequence))
    }
  }
}

// MARK: - The run

extension Judge {
  private mutating func judgeServer() {
    guard let pattern = expectation.server,
      let mismatch = pattern.mismatch(with: state.server, bindings: &bindings)
    else { return }
    findings.append(
      Divergence(
        .serverTree(mismatch), of: .server, at: expectation.position,
        evidence: log.lastWrite(about: mismatch.path, in: state.trace)
          ?? log.lastWrite(in: state.trace),
        rows: .pair(.value(pattern), .value(.exactly(state.server.json)))))
  }

  private mutating func judgeFrames() {
    for frame in expectation.frames {
      let sent = log.frames(like: frame, in: state.trace)
      guard sent.count != frame.count else { continue }
      let arrival = log.index(of: frame.client).flatMap { log.lastArrival(at: $0, in: state.trace) }
      findings.append(
        Divergence(
          .frames(frame, count: sent.count), of: .client(frame.client), at: frame.position,
          evidence: sent.count > frame.count ? sent.last : arrival))
    }
  }

  private mutating func judgeConvergence() {
    for name in log.order where state.online.contains(name.client) {
      guard let listener = log.listeners[name], listener.state == .live,
        !listener.registration.isOnce, !listener.target.query.filters, listener.showsEverything,
        let view = listener.view,
        listener.target.path.keys.first != .info
      else { continue }
      var server = state.server[listener.target.path]
      if !listener.registration.events.contains(.value) { server = Node(server.children) }
      guard
        let mismatch = Pattern.exactly(server.json).mismatch(with: view, bindings: &bindings)
      else { continue }
      findings.append(
        Divergence(
          .notConverged(mismatch), of: log.subject(of: name), at: expectation.position,
          evidence: log.lastArrival(at: name.client, about: listener.target.path, in: state.trace),
          rows: .pair(.value(.exactly(server.json)), .value(.exactly(view.json)))))
    }
  }
}

extension [Divergence.Row] {
  /// What was expected and what was observed, one of each.
  static func pair(_ expected: Divergence.Row.Entry, _ observed: Divergence.Row.Entry) -> Self {
    [
      .init(side: .expected, number: 1, entry: expected),
      .init(side: .observed, number: 1, entry: observed),
    ]
  }
}

extension Divergence {
  /// The event of the trace at which it became apparent. What did not happen is apparent at the
  /// end, and there a call that did not end comes first, because what else is missing often follows
  /// from it.
  fileprivate var moment: Int {
    switch kind {
    case .call(.missing, _, _): .max - 1
    case .missing, .serverTree, .frames, .notConverged: .max
    default: evidence ?? .max
    }
  }

  /// How far apart both sides are: the lines that differ, pairs of them counted once, and at least
  /// one.
  fileprivate var distance: Int {
    max(1, rows.count { $0.side == .expected }, rows.count { $0.side == .observed })
  }

  /// The divergence as one from an alternative, unless it lies in an alternative of that one.
  fileprivate func within(_ alternative: Alternative) -> Divergence {
    var divergence = self
    divergence.alternative = self.alternative ?? alternative
    return divergence
  }
}
