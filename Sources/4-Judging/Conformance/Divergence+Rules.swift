internal import ClientInterface
internal import Scenario
internal import Trace
internal import WireMonitor

extension Divergence.Kind {
  /// The rules that a scenario is evidence for, the one that this is about first, if that is known.
  ///
  /// What is looked at in every scenario has rules of its own, and says nothing of those of the
  /// scenario; what has no rule is about none.
  func sorted(_ rules: [String]) -> [String] {
    switch self {
    case let .broken(invariant, _):
      return [invariant.rule] + rules.filter { $0 != invariant.rule }
    case let .protocolBreach(breach): return [breach.rule]
    case .uncaught: return ["ERR-14"]
    case .unsettled: return isAboutSilence ? ["CON-19"] : []
    case .unknownLabel: return []
    default: break
    }
    // When a child moves is said in one rule, whatever else a scenario is about.
    let own = rules.first(where: likely.contains) ?? likely.first { $0 == "EVT-11" }
    return own.map { own in [own] + rules.filter { $0 != own } } ?? rules
  }

  /// Whether it is no more than that a client has not noticed that nothing reaches it any more: to ask for
  /// a keep-alive is what it should do (CON-19).
  var isAboutSilence: Bool {
    guard case let .unsettled(reason) = self else { return false }
    return reason.isAboutSilence
  }

  /// Whether an expectation was not met, of which the rules say how binding it is; everything else
  /// is wrong whatever a scenario is about.
  var isOfExpectation: Bool {
    switch self {
    case .broken, .protocolBreach, .unknownLabel, .uncaught: false
    case .missing, .unexpected, .replaced, .different, .misordered, .orderBetween, .gap,
      .outcomeMissing, .outcomeUnexpected, .callFailed, .outcomeDifferent, .completedTwice,
      .endedAfterKill, .unsettled, .serverTree, .frames, .notConverged, .shadow:
      true
    }
  }

  /// Rules that say what this kind of difference is about.
  package var likely: [String] {
    switch self {
    case let .misordered(observation, expected):
      guard case let .event(event) = observation.content else { return [] }
      if event.type == .value { return ["EVT-7"] }
      return expected.kind == .event(event.type) ? ["EVT-9"] : ["EVT-8"]
    case .different(_, _, .previous): return ["EVT-10"]
    case .different(_, _, .childOrder): return ["SNP-3"]
    case .unexpected(_, .afterRemoval): return ["OBS-6"]
    case .unexpected(_, .afterKill): return ["OFF-9"]
    case .orderBetween: return ["EVT-15", "EVT-17"]
    case let .shadow(kind): return kind.likely
    case let .missing(event, _), let .replaced(event, _):
      if case .cancelled = event.kind { return ["ACC-1", "ACC-5", "ACC-10", "ACC-15"] }
      return event.kind == .event(.childMoved) ? ["EVT-11", "PRI-11"] : []
    case .unexpected, .different, .gap, .outcomeMissing, .outcomeUnexpected, .callFailed,
      .outcomeDifferent, .completedTwice, .endedAfterKill, .unknownLabel, .uncaught, .serverTree,
      .frames, .notConverged, .unsettled, .protocolBreach, .broken:
      return []
    }
  }
}
