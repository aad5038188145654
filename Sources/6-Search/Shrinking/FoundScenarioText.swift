internal import ClientInterface
public import Conformance
internal import Scenario

/// The words of a scenario that was found.
public enum FoundScenarioText {
  /// What should have been, as a sentence without its full stop.
  public static func title(_ divergence: Divergence) -> String {
    if case let .broken(invariant, _) = divergence.kind {
      return String(invariant.sentence.dropLast())
    }
    return sentences[divergence.kind.name] ?? "It goes as with the reference client"
  }

  /// The rules that it is about, if that is known.
  public static func rules(_ divergence: Divergence) -> [String] {
    if case let .broken(invariant, _) = divergence.kind { return [invariant.rule] }
    let kind = divergence.kind
    return [kind.likely.first ?? kind.missing?.rule ?? rule[kind.name] ?? "EVT-23"]
  }

  /// A name for the file, after the signature.
  public static func fileName(_ signature: Signature) -> String {
    let bytes = signature.text.utf8.map { byte in
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let sentences = [
    "missing-event": "Nothing that happens is kept from a listener",
    "unexpected-event": "A listener receives only what has happened",
    "other-event": "A listener receives what has happened",
    "event-value": "An event brings the value that is there",
    "event-previous": "An event names the neighbour in the window after the change",
    "event-place": "A value event names its own location",
    "child-order": "A value lists its children in the order of the query",
    "event-order": "The events of a change come in their order",
    "missing-outcome": "A call that is answered ends",
    "unexpected-outcome": "No call ends before it is answered",
    "failed-call": "A call that the server accepts succeeds",
    "different-outcome": "A call ends as the server answered it",
    "second-completion": "A call ends once",
    "completion-after-kill": "No call of a dead process ends",
    "unknown-label": "Only listeners and calls that exist are called back",
    "server-tree": "What is written reaches the server",
    "frames": "Nothing is sent that is not needed, and all that is needed",
    "not-converged": "In the end everyone sees the same",
    "unsettled": "In the end nothing is left to do",
    "protocol": "A client keeps to the protocol",
  ]

  private static let rule = [
    "unexpected-event": "EVT-12", "event-previous": "EVT-10",
    "child-order": "SNP-3", "missing-outcome": "WRT-10", "unexpected-outcome": "WRT-10",
    "failed-call": "WRT-10", "different-outcome": "WRT-10", "second-completion": "WRT-10",
    "completion-after-kill": "OFF-9", "unknown-label": "OBS-6", "frames": "OFF-3",
    "protocol": "CON-12",
  ]
}

extension Divergence.Kind {
  /// The event that did not come.
  fileprivate var missing: ExpectedEvent.Kind? {
    switch self {
    case let .missing(event, _), let .replaced(event, _): event.kind
    case let .shadow(kind): kind.missing
    case .unexpected, .different, .misordered, .orderBetween, .gap, .outcomeMissing,
      .outcomeUnexpected, .outcomeDifferent, .completedTwice, .endedAfterKill, .callFailed,
      .unknownLabel, .uncaught, .serverTree, .frames, .notConverged, .unsettled, .protocolBreach,
      .broken:
      nil
    }
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
