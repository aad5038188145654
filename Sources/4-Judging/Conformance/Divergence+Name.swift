extension Divergence.Kind {
  /// The kind without its evidence: for programs that read reports, and to compare
  /// failures. Never changes.
  public var name: String {
    switch self {
    case .missing: "missing-event"
    case .unexpected: "unexpected-event"
    case .replaced: "other-event"
    case let .different(_, _, field): field.name
    case .misordered: "event-order"
    case .orderBetween: "order-between"
    case .gap: "gap"
    case .outcomeMissing: "missing-outcome"
    case .outcomeUnexpected: "unexpected-outcome"
    case .callFailed: "failed-call"
    case .outcomeDifferent: "different-outcome"
    case .completedTwice: "second-completion"
    case .endedAfterKill: "completion-after-kill"
    case .unknownLabel: "unknown-label"
    case .uncaught: "uncaught"
    case .serverTree: "server-tree"
    case .frames: "frames"
    case .notConverged: "not-converged"
    case .unsettled: "unsettled"
    case .protocolBreach: "protocol"
    case .broken: "invariant"
    case let .shadow(kind): "shadow-\(kind.name)"
    }
  }
}

extension Divergence.EventField {
  fileprivate var name: String {
    switch self {
    case .value: "event-value"
    case .previous: "event-previous"
    case .pathKey: "event-place"
    case .childOrder: "child-order"
    case .time: "event-time"
    }
  }
}
