public import ClientInterface
internal import Faults
public import Tree
internal import Wire

// What the rules of the database forbid. They are evaluated when a request arrives, and again for
// listens when a user signs in or out (ACC-17), and when the rules are replaced (SEC-8).

extension ReferenceServer {
  /// The status by which reading is refused; `nil` when it is allowed (SEC-2).
  func refusal(
    of path: Path, _ query: Query?, for index: Int, at now: Instant
  ) -> String? {
    let user = connections[index].user(at: now)
    if let status = refusal(of: .read, at: path, for: user) { return status }
    guard let rules else { return nil }
    let request = connections[index].ruleRequest(at: now)
    return rules.allowRead(of: path, query, in: tree, for: request)
      ? nil : SecurityRule.permissionDenied
  }

  /// The status by which a write is refused; `nil` when it is allowed (SEC-3). Server values count
  /// as what they would become.
  func refusal(of write: Write, by index: Int, at now: Instant) -> String? {
    let user = connections[index].user(at: now)
    if let status = refusal(of: write, for: user) { return status }
    guard let rules else { return nil }
    let resolved = write.resolved(time: now.milliseconds, in: tree)
    let isAllowed = rules.allowWrite(
      to: resolved.paths, from: tree, to: resolved.applied(to: tree),
      for: connections[index].ruleRequest(at: now))
    return isAllowed ? nil : SecurityRule.permissionDenied
  }

  /// Replaces the rules, and ends the listens that the new ones do not allow (SEC-8), but for those
  /// of `administrators`, to whom no rule applies.
  public mutating func replaceRules(
    with rules: SecurityRules, administrators: Set<ConnectionID>, at now: Instant,
    into out: inout [Outgoing]
  ) {
    self.rules = rules
    time = now
    for index in connections.indices where !administrators.contains(connections[index].id) {
      endForbiddenListens(of: index, for: connections[index].user(at: now), into: &out)
    }
  }

  /// Whether a query of a location needs an index that the rules do not state (SEC-6).
  public func lacksIndex(_ path: Path, _ query: Query) -> Bool {
    rules.map { !$0.isIndexed(path, by: query.ordering) } ?? false
  }
}

extension ServerSession {
  /// Who asks, as rules see it.
  fileprivate func ruleRequest(at now: Instant) -> RuleRequest {
    guard let pass = credential?.pass, pass.isValid(at: now) else {
      return RuleRequest(auth: .null, time: now.milliseconds)
    }
    return RuleRequest(auth: pass.auth, time: now.milliseconds)
  }
}

extension TokenClaims {
  /// What rules see as `auth`.
  fileprivate var auth: JSON {
    let uid = JSON.string(user)
    let known = claims.members?.isEmpty == false
    let provider = claims["firebase"]?["sign_in_provider"] ?? claims["provider_id"] ?? "custom"
    return ["uid": uid, "provider": provider, "token": known ? claims : ["sub": uid, "uid": uid]]
  }
}
