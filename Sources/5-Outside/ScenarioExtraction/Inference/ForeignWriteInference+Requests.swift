internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Scenario
internal import Tree
internal import Wire

extension ForeignWriteInference {
  /// The server takes a message. What its client received until the answer is explained first.
  mutating func ask(_ index: Int, at time: Interval) {
    let sent = timeline.sent[index]
    let id = ReferenceServer.ConnectionID(sent.connection)
    guard case let .request(number, request) = sent.message else {
      var out: [ReferenceServer.Outgoing] = []
      server.receive(sent.message, from: id, at: epoch + time, into: &out)
      return take(out)
    }
    let answer = sent.answer.map { timeline.received[$0].message }
    var status: String?
    if case let .response(response)? = answer {
      status = response.status
      learnUser(of: request, response)
    }
    explainPushes(before: index, request, at: time)
    if let status { allowOrForbid(request, status, sent, at: time) }
    recordBase(of: request, index, status, at: time)
    var asked = sent.message
    if status == "ok", case let .put(path, node, _?) = request {
      // It was done, whatever is known here of what stood there.
      asked = .request(number, .put(path, node, hash: nil))
    }
    if request.changesData { remember(sent.event, time) }
    var out: [ReferenceServer.Outgoing] = []
    server.receive(asked, from: id, at: epoch + time, into: &out)
    take(out)
    matchReceived(of: sent.connection, through: sent.answer)
  }

  /// Takes who signs in for whom the answer names.
  private mutating func learnUser(of request: Request, _ response: ServerMessage.Response) {
    guard case let .authenticate(credential) = request, response.status == "ok",
      tokens[credential.token] == nil
    else { return }
    let user = response.payload["auth"]?["uid"]?.string ?? "user\(tokens.count + 1)"
    tokens[credential.token] = Scenario.Token(user: user)
    server.tokens[credential.token] = TokenClaims(user: user)
  }

  /// Compares whether it was allowed with what is known of rules, and learns rules.
  private mutating func allowOrForbid(
    _ request: Request, _ status: String, _ sent: Timeline.Sent, at time: Interval
  ) {
    guard var path = request.path, let access = request.access else { return }
    if path.key == .priority, let owner = path.parent { path = owner }
    if status == "ok" { return }
    var trial = server
    var out: [ReferenceServer.Outgoing] = []
    trial.receive(
      sent.message, from: ReferenceServer.ConnectionID(sent.connection), at: epoch + time,
      into: &out)
    let own = out.first { outgoing in
      if case .response = outgoing.message {
        outgoing.connection.number == sent.connection
      } else {
        false
      }
    }
    guard case let .response(response)? = own?.message, response.status != status else { return }
    let moment = underWay(sent, until: time)
    if status == "datastale" {
      record(.fault(.stale(writes: 1, .withheld)), at: moment, before: sent.event)
      server.refuseAsStale(next: 1, .withheld)
      return
    }
    let code = status == SecurityRule.permissionDenied ? nil : ErrorCode(status)
    let exemption = permissions.exemption(from: path, access, sent)
    let rule = SecurityRule(
      path, deny: [access], unless: exemption ?? .noUser, status: code)
    if exemption == nil {
      record(.fault(.reject(rule)), at: moment, before: sent.event)
    } else {
      security.append(rule)
    }
    server.deny(rule)
  }

  /// A moment before a message arrives at which its client shows nothing: that of its sending, or a
  /// later one where it was sent because of another message, whose events come at that instant.
  private func underWay(_ sent: Timeline.Sent, until arrival: Interval) -> Interval {
    let isAnswer = timeline.received.contains {
      $0.client == sent.client && $0.time == sent.time && $0.event < sent.event
    }
    guard isAnswer else { return sent.time }
    return Interval(nanoseconds: (sent.time.nanoseconds + arrival.nanoseconds) / 2)
  }

  /// Records what a conditional write was made from.
  private mutating func recordBase(
    of request: Request, _ index: Int, _ status: String?, at time: Interval
  ) {
    touched += request.path.map { [$0] } ?? []
    guard case let .put(path, _, hash?) = request else { return }
    if Self.has(server.tree[path], hash) {
      bases[index] = server.tree[path]
    } else if let last = versions.lastIndex(where: { Self.has($0.tree[path], hash) }) {
      bases[index] = versions[last].tree[path]
      // Versions are kept from before a change: this one was the last with that hash.
      if status == "datastale" { late[index] = versions[last] }
    } else if hash.isEmpty {
      bases[index] = .empty
    }
  }

  private static func has(_ node: Node, _ hash: String) -> Bool {
    hash.isEmpty ? node.isEmpty : node.hash == hash
  }
}

extension Request {
  /// What it needs the permission for.
  var access: SecurityRule.Access? {
    switch self {
    case .listen, .get: .read
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge: .write
    case .unlisten, .onDisconnectCancel, .stats, .authenticate, .unauthenticate: nil
    }
  }

  fileprivate var changesData: Bool {
    switch self {
    case .put, .merge: true
    default: false
    }
  }
}
