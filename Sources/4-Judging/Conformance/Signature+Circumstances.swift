package import ClientInterface
internal import Trace
internal import Tree
internal import Wire

// What distinguishes two defects that break the same rule: what it is that was listened to or called,
// and what had just reached the client.

extension Subject {
  /// The kind of query, or the operation with the kind of function; empty for everything else.
  var circumstances: [String] {
    switch self {
    case let .listener(_, _, target): ["listener"] + target.query.circumstances
    case let .call(_, _, operation): operation.circumstances
    case .client, .server: []
    }
  }

  /// The operation alone; empty for what is no call.
  var call: [String] {
    if case let .call(_, _, operation) = self { [operation.name] } else { [] }
  }
}

extension ClientInterface.Operation {
  /// Its name, with the kind of its query or of its function.
  package var circumstances: [String] {
    if case let .transaction(_, function, _) = self { return [name, function.circumstance] }
    return [name] + (registration?.target.query.circumstances ?? [])
  }
}

extension Query {
  fileprivate var circumstances: [String] {
    if limit != nil { return ["limited"] }
    if start != nil || end != nil { return ["bounded"] }
    return ordering == .priority ? [] : ["ordered"]
  }
}

extension TransactionFunction {
  fileprivate var circumstance: String {
    switch self {
    case .increment, .set, .merge, .keep: "writing"
    case .setIfNull: "aborting-later"
    case .abort, .setThenAbort: "aborting"
    case .fail: "failing"
    case .setIfNullOrFail: "failing-later"
    }
  }
}

extension ScenarioResult {
  /// What the client had just been given when a law of all runs was broken: `on-data`. What an
  /// expectation is about stands in the scenario.
  func trigger(of divergence: Divergence) -> [String] {
    guard divergence.isOfEveryRun, !divergence.kind.isAboutArguments,
      let evidence = divergence.evidence
    else { return [] }
    for event in trace.causes(of: evidence).reversed() {
      if case let .input(_, input) = event.kind { return ["on-" + input.circumstance] }
    }
    return []
  }
}

extension Divergence {
  /// Whether it is about what holds in all runs.
  fileprivate var isOfEveryRun: Bool {
    if case .shadow = kind { true } else { isBrokenInvariant }
  }
}

extension ClientInput {
  fileprivate var circumstance: String {
    switch self {
    case .open: "start"
    case let .call(_, operation): operation.name
    case .opened, .refused, .closed, .close: "connection"
    case let .frame(message): message.circumstance
    case .timer: "timer"
    }
  }
}

extension ServerMessage {
  fileprivate var circumstance: String {
    switch self {
    case .put, .merge: "data"
    case let .response(response): response.status == "ok" ? "ok" : "refusal"
    case .revoked: "revocation"
    case .hello, .credentialRevoked, .shutdown, .reset: "connection"
    case .pong, .notice, .other: "notice"
    }
  }
}
