internal import ClientInterface
internal import Document
internal import Scenario
internal import Tree

extension Registry {
  /// What a client does otherwise than its shadow as a divergence: what the shadow did is what was
  /// expected.
  func divergence(_ difference: ShadowDifference, at position: Position) -> Divergence {
    let name = Name(client: difference.client, label: difference.label)
    switch difference.about {
    case let .listener(expected, observed):
      return divergence(expected, observed, name, difference.evidence, position)
    case let .call(expected, observed):
      let kind = Divergence.Kind(expected: expected, observed: observed)
      var rows: [Divergence.Row] = []
      if let expected { rows.append(.expected(1, .expectedOutcome(ExpectedOutcome(expected)))) }
      if let observed { rows.append(.observed(1, .outcome(observed))) }
      var divergence = Divergence(
        .shadow(kind), of: callSubject(of: name), at: position, evidence: difference.evidence,
        rows: rows.count == 2 ? rows : [])
      divergence.origin = calls[name]?.sequence
      return divergence
    }
  }

  private func divergence(
    _ expected: [Observation], _ observed: [Observation], _ name: Name, _ evidence: Int,
    _ position: Position
  ) -> Divergence {
    let target = listeners[name]?.target ?? Operation.Target(.root)
    let events = expected.map { ExpectedEvent($0.content, at: position) }
    var bindings = Bindings()
    let comparison = EventComparison(
      events.map { .event($0) }, observed, EventMatch(target: target, start: .zero), &bindings)
    let found = comparison.divergence()
    // The two can differ in what no scenario can say, such as the priority of an order.
    let kind = found?.kind ?? observed.first.map { .unexpected($0, .notHere) }
    return Divergence(
      .shadow(kind ?? .unknownLabel(name.label)), of: subject(of: name), at: position,
      evidence: evidence, rows: found?.rows ?? [],
      counts: .init(expected: expected.count, observed: observed.count))
  }
}

extension Divergence.Kind {
  fileprivate init(expected: Outcome?, observed: Outcome?) {
    switch (expected, observed) {
    case let (expected?, observed?) where expected.end != nil && observed.end != nil:
      let isEnd = expected.inputs == observed.inputs
      self = .outcomeDifferent(ExpectedOutcome(expected), observed, isEnd ? .end : .inputs)
    case let (expected?, observed?) where expected.end == nil && observed.end == nil:
      self = .outcomeDifferent(ExpectedOutcome(expected), observed, .inputs)
    case let (_, observed?) where observed.end != nil: self = .outcomeUnexpected(observed)
    case let (expected?, _): self = .outcomeMissing(ExpectedOutcome(expected))
    case let (nil, observed): self = .outcomeUnexpected(observed ?? Outcome())
    }
  }
}

extension ExpectedEvent {
  /// Exactly this.
  fileprivate init(_ content: Observation.Content, at position: Position) {
    switch content {
    case let .cancelled(error): self.init(position: position, kind: .cancelled(error))
    case let .event(event):
      let previous: Previous =
        switch event.previous {
        case .none: .unstated
        case .first: .first
        case let .key(key): .key(.exactly(.string(key.string)))
        }
      self.init(
        position: position, kind: .event(event.type),
        key: event.type == .value ? nil : event.key.map { .exactly(.string($0.string)) },
        value: .exactly(event.value.json), previous: previous)
    }
  }
}

extension ExpectedOutcome {
  /// Exactly this.
  fileprivate init(_ outcome: Outcome) {
    self.init(
      end: outcome.end.map { End($0) }, key: nil,
      inputs: outcome.inputs.isEmpty ? nil : outcome.inputs.map { .exactly($0) })
  }
}

extension ExpectedOutcome.End {
  /// Exactly this.
  init(_ end: Outcome.End) {
    switch end {
    case let .threw(code): self = .threw(code)
    case let .answered(value): self = .answered(.exactly(value))
    case let .completed(completion):
      if let error = completion.error {
        self = .error(error)
      } else if let committed = completion.committed {
        let value = completion.value.map { Pattern.exactly($0.json) }
        self = committed ? .committed(value) : .notCommitted(value)
      } else {
        self = .ok
      }
    }
  }
}
