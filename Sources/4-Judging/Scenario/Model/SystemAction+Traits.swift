internal import ClientInterface
internal import Tree

// The questions that other code asks of what is done to the system: a row for each action.

extension SystemAction {
  public struct Traits: Hashable, Sendable {
    /// One word for it and its like, so that all of a family can be left out at once: what breaks
    /// connections goes together with what restores them.
    public var family: String
    /// Whether a scenario in which it changes nothing is worth nothing. What only restores, or only
    /// holds from now on, may be there to be safe.
    public var mustTakeEffect: Bool
    /// Whether what it does depends on which messages there are, or ends with the connection.
    public var dependsOnTraffic: Bool

    init(_ family: String, mustTakeEffect: Bool, dependsOnTraffic: Bool) {
      self.family = family
      self.mustTakeEffect = mustTakeEffect
      self.dependsOnTraffic = dependsOnTraffic
    }
  }
}

extension ProcessAction {
  /// The client whose process or machine it is.
  public var client: String {
    switch self {
    case let .kill(client), let .start(client, _), let .clock(client, _), let .storage(client, _):
      client
    }
  }

  var traits: SystemAction.Traits {
    switch self {
    case .kill: .init("process", mustTakeEffect: true, dependsOnTraffic: false)
    case .start: .init("process", mustTakeEffect: false, dependsOnTraffic: false)
    case let .clock(_, fault):
      .init(
        "clock", mustTakeEffect: fault != .skew(.zero) && fault != .drift(.zero),
        dependsOnTraffic: true)
    case let .storage(_, fault):
      .init("storage", mustTakeEffect: fault != .sound, dependsOnTraffic: true)
    }
  }
}

extension NetworkAction {
  /// The client whose connection it is; `nil` where it is every client's.
  public var client: String? {
    switch self {
    case let .latency(_, client): client
    case let .cut(client), let .drop(client), let .heal(client), let .refuse(client),
      let .stall(client, _), let .resume(client, _), let .halfOpen(client, _),
      let .closeAfter(client, _, _), let .loseAcknowledgement(client), let .lateClose(client, _):
      client
    }
  }

  var traits: SystemAction.Traits {
    switch self {
    case .cut: .init("network", mustTakeEffect: true, dependsOnTraffic: false)
    case .drop: .init("close", mustTakeEffect: true, dependsOnTraffic: false)
    case .heal, .refuse: .init("network", mustTakeEffect: false, dependsOnTraffic: false)
    case .latency: .init("latency", mustTakeEffect: false, dependsOnTraffic: false)
    case .stall: .init("stall", mustTakeEffect: true, dependsOnTraffic: true)
    case .resume: .init("stall", mustTakeEffect: false, dependsOnTraffic: true)
    case .halfOpen: .init("half-open", mustTakeEffect: true, dependsOnTraffic: true)
    case .closeAfter, .loseAcknowledgement, .lateClose:
      .init("close", mustTakeEffect: true, dependsOnTraffic: true)
    }
  }
}

extension ServerAction {
  /// The client that the server deals with; `nil` where it is no certain one.
  public var client: String? {
    switch self {
    case let .revokeCredential(client): client
    case let .redirect(client, _), let .shutdown(client): client
    case .set, .update, .remove, .reject, .revoke, .restart, .clock, .stale: nil
    }
  }

  /// The path that it is about; `nil` for what is about none.
  var path: Path? {
    switch self {
    case let .set(path, _), let .update(path, _), let .remove(path), let .revoke(path): path
    case let .reject(restriction): restriction.path
    case .revokeCredential, .restart, .redirect, .shutdown, .clock, .stale: nil
    }
  }

  var traits: SystemAction.Traits {
    switch self {
    case .set, .update, .remove:
      .init("server write", mustTakeEffect: false, dependsOnTraffic: false)
    case .reject: .init("reject", mustTakeEffect: false, dependsOnTraffic: false)
    case .revoke: .init("revoke", mustTakeEffect: false, dependsOnTraffic: false)
    case .revokeCredential: .init("revoke-auth", mustTakeEffect: false, dependsOnTraffic: false)
    case .restart: .init("restart", mustTakeEffect: true, dependsOnTraffic: true)
    case .redirect: .init("redirect", mustTakeEffect: true, dependsOnTraffic: true)
    case .shutdown: .init("shutdown", mustTakeEffect: true, dependsOnTraffic: true)
    case let .clock(skew):
      .init("server clock", mustTakeEffect: skew != .zero, dependsOnTraffic: true)
    case let .stale(writes, _): .init("stale", mustTakeEffect: writes > 0, dependsOnTraffic: true)
    }
  }
}
