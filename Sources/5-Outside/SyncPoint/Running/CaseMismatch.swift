public import ClientInterface
internal import Tree

/// In which way a step went wrong.
public struct CaseMismatch: Sendable {
  /// What is wrong with the events of the step.
  public enum Kind: Hashable, Sendable {
    /// Events are missing, or there are others.
    case events(missing: Int, unexpected: Int)
    /// All events are there, in an order that is not allowed: the first came before the second.
    case order(CaseStep.Event, before: CaseStep.Event)
    /// The client refused what the step asks for.
    case refused(ErrorCode)
  }

  /// One line of the comparison.
  public enum Row: Hashable, Sendable {
    case same(CaseStep.Event)
    case expected(CaseStep.Event)
    case observed(CaseStep.Event)
  }

  /// In which of the ways the step went wrong.
  public var kind: Kind
  /// The expected and the observed events side by side; only expected ones after a refusal.
  public var rows: [Row]
}

extension CaseMismatch {
  /// Compares what a step raised with what it must raise; `nil` when that agrees.
  ///
  /// Listening and its end are a conversation with one listener, so its events are compared one by
  /// one. Other steps reach many listeners; the order is then compared as far as it is specified:
  /// below before above (EVT-15), and by kind within a registration (EVT-8).
  init?(_ outcome: CaseDriver.Outcome, _ expected: [CaseStep.Event], of action: CaseStep.Action) {
    if let refusal = outcome.refusal {
      self.init(kind: .refused(refusal), rows: expected.map(Row.expected))
      return
    }
    let observed = outcome.events.map(\.event)
    if observed == expected { return nil }
    let rows = Self.rows(expected, observed)
    let missing = rows.count { if case .expected = $0 { true } else { false } }
    let unexpected = rows.count { if case .observed = $0 { true } else { false } }
    if missing + unexpected > 0 {
      self.init(kind: .events(missing: missing, unexpected: unexpected), rows: rows)
      return
    }
    guard let pair = Self.misorder(outcome.events, expected, action) else { return nil }
    self.init(
      kind: .order(pair.0, before: pair.1),
      rows: expected.map(Row.expected) + observed.map(Row.observed))
  }

  /// What was observed in its order, and behind each location what is missing there.
  private static func rows(_ expected: [CaseStep.Event], _ observed: [CaseStep.Event]) -> [Row] {
    var missing = expected
    var rows: [Row] = []
    for event in observed {
      if let index = missing.firstIndex(of: event) {
        missing.remove(at: index)
        rows.append(.same(event))
      } else {
        rows.append(.observed(event))
      }
    }
    for event in missing {
      let end = rows.lastIndex { $0.event.path == event.path && $0.event.type <= event.type }
      rows.insert(.expected(event), at: end.map { $0 + 1 } ?? rows.endIndex)
    }
    return rows
  }

  /// Two events that came in the wrong order.
  private static func misorder(
    _ observed: [CaseDriver.Observation], _ expected: [CaseStep.Event], _ action: CaseStep.Action
  ) -> (CaseStep.Event, CaseStep.Event)? {
    switch action {
    case .listen, .unlisten:
      return zip(observed, expected).first { $0.event != $1 }.map { ($0.event, $1) }
    case .serverUpdate, .serverMerge, .set, .update, .acknowledge, .suppressWarning: break
    }
    for (index, later) in observed.enumerated() {
      for earlier in observed[..<index] where comes(later, before: earlier) {
        return (earlier.event, later.event)
      }
    }
    return nil
  }

  private static func comes(_ a: CaseDriver.Observation, before b: CaseDriver.Observation) -> Bool {
    if a.listener == b.listener { return a.event.type < b.event.type }
    return a.event.path.count > b.event.path.count && a.event.path.starts(with: b.event.path)
  }
}

extension CaseMismatch.Row {
  /// The event of the row, whichever side it stands on.
  public var event: CaseStep.Event {
    switch self {
    case let .same(event), let .expected(event), let .observed(event): event
    }
  }
}
