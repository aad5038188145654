internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Scenario
internal import Trace
internal import TraceFiles
internal import Tree
internal import Wire

/// Finds out what happened at the server without the clients of a session: a reference server is
/// asked what they asked, and what it does not contain was done by others.
struct ForeignWriteInference {
  /// A value that was there, and until when.
  typealias Version = (tree: Node, event: Int, time: Interval)

  private typealias Deed = (inout ReferenceServer, inout [ReferenceServer.Outgoing]) -> Void

  private let timeline: Timeline
  private let epoch: Instant
  /// Whether what is at a location that was not asked for is known.
  private let knowsData: Bool
  private(set) var server: ReferenceServer
  /// The scenario without its steps: the server's tree at the beginning, rules and tokens.
  private(set) var scenario: Scenario
  /// How far the session has been followed: the server's time, and the event that it has come to.
  private var time = Interval.zero
  private var event = 0
  /// What was done at the server, as far as it is inferred.
  private(set) var lines: [ScriptLine] = []
  /// What the data were that a conditional write was made from, by its event.
  private(set) var bases: [Int: Node] = [:]
  /// The conditional writes that did not know of the newest data: since when.
  private(set) var late: [Int: Version] = [:]
  /// What clients would receive without having asked, by connection, and that they did not yet.
  private var predicted: [Int: [ServerMessage]] = [:]
  /// By connection, what it received and is not explained yet.
  private var unexplained: [Int: ArraySlice<Int>] = [:]
  /// Where something is known of.
  private var touched: [Path] = []
  private var versions: [Version] = []
  /// What came into a window and was not known before: it may have been there all the time.
  private var hidden: Node
  /// How many windows did not show what is taken for being there.
  private var contradictions = 0

  /// Goes through a session; more than once where windows show what had been hidden. Of the scenario,
  /// rules and tokens are known before, and perhaps the data.
  init(_ timeline: Timeline, _ scenario: Scenario, knowsData: Bool) {
    func inference(hidden: Node) -> ForeignWriteInference {
      ForeignWriteInference(timeline, scenario, knowsData: knowsData, hidden: hidden)
    }
    var best = inference(hidden: .empty)
    var seed = Node.empty
    for _ in 0..<4 where best.hidden != seed {
      seed = best.hidden
      let other = inference(hidden: seed)
      guard other.effort < best.effort else { break }
      best = other
    }
    self = best
  }

  /// What was done at the server as the session contains it.
  var knownLines: [ScriptLine] {
    timeline.moments.compactMap { moment in
      moment.foreignWrite.map { ScriptLine(.fault(.write($0)), at: moment, isKnown: true) }
    }
  }

  /// How much had to be made up: an explanation with less is the better one.
  private var effort: Int { lines.count + contradictions }

  private init(_ timeline: Timeline, _ scenario: Scenario, knowsData: Bool, hidden: Node) {
    let (profile, epoch) = (timeline.session.file.header.profile, timeline.session.epoch)
    (self.timeline, self.scenario, self.epoch) = (timeline, scenario, epoch)
    (self.knowsData, self.hidden) = (knowsData, hidden)
    if !knowsData { self.scenario.data = hidden }
    server = ReferenceServer(
      data: self.scenario.data, security: scenario.security,
      tokens: scenario.tokens.mapValues { token in
        TokenClaims(user: token.user, expiry: token.lifetime.map { epoch + $0 })
      }, dialect: profile.dialect, host: "kennel.test", ranges: profile.ranges)
    for (index, moment) in timeline.moments.enumerated() where moment.received != nil {
      unexplained[moment.connection, default: []].append(index)
    }
    run()
  }
}

// MARK: - The session as the server saw it

extension ForeignWriteInference {
  private mutating func run() {
    for (time, index) in turns() {
      let moment = timeline.moments[index]
      let (connection, now) = (moment.connection, epoch + time)
      (self.time, event) = (time, moment.event)
      if let write = moment.foreignWrite {
        self.write(.init(write), time, event)
        continue
      }
      switch moment.kind {
      case .input(_, .opened): serve { $0.open(.init(connection), at: now, into: &$1) }
      case let .output(_, .send(message)): take(message, moment)
      default:
        explainRest(of: connection)
        remember(event, time)
        serve { $0.close(.init(connection), at: now, into: &$1) }
      }
    }
    time = timeline.moments.last?.time ?? .zero
    event = timeline.session.file.trace.count
    for connection in unexplained.keys.sorted() { explainRest(of: connection) }
  }

  /// The moments that the server notices, when it does; of connections their begin and their end.
  private func turns() -> [(time: Interval, index: Int)] {
    timeline.moments.enumerated().compactMap { index, moment in
      switch moment.kind {
      case .output(_, .send): moment.arrival.map { ($0, index) }
      case .output(_, .disconnect) where moment.isEnd:
        (moment.time + timeline.latencies[moment.client].lowerBound, index)
      case .input(_, .opened), .serverWrite, .serverUpdate: (moment.time, index)
      case .input where moment.isEnd: (moment.time, index)
      default: nil
      }
    }.sorted { $0 < $1 }
  }

  /// Has the server do something. What it sends is waited for.
  @discardableResult
  private mutating func serve(_ deed: Deed) -> [ReferenceServer.Outgoing] {
    var out: [ReferenceServer.Outgoing] = []
    deed(&server, &out)
    for outgoing in out where outgoing.message.isPush {
      predicted[outgoing.connection.number, default: []].append(outgoing.message)
    }
    return out
  }

  /// What the server would send over a connection if it did something.
  private func trial(over connection: Int, _ deed: Deed) -> [ServerMessage] {
    var trial = server
    var out: [ReferenceServer.Outgoing] = []
    deed(&trial, &out)
    return out.filter { $0.connection.number == connection }.map(\.message)
  }

  private mutating func record(_ fault: NamedFault, at time: Interval, before event: Int) {
    // What clients showed until then comes before it, also what came after the message that it
    // explains.
    let event = max(event, timeline.firstEvent(from: time) ?? 0)
    lines.append(ScriptLine(time: time, event: event, action: .fault(fault)))
  }

  /// Remembers what the data were before they change.
  private mutating func remember(_ event: Int, _ time: Interval) {
    versions.append((server.tree, event, time))
    if versions.count > 200 { versions.removeFirst(100) }
  }

  @discardableResult
  private mutating func write(
    _ write: ReferenceServer.Write, _ time: Interval, _ event: Int
  ) -> [ReferenceServer.Outgoing] {
    remember(event, time)
    touched += write.paths
    let now = epoch + time
    return serve { $0.write(write, at: now, into: &$1) }
  }
}

// MARK: - Requests

extension ForeignWriteInference {
  /// The server takes a message. What its client received until the answer is explained first.
  private mutating func take(_ message: ClientMessage, _ sent: Timeline.Moment) {
    let now = epoch + time
    let serving: Deed = { $0.receive(message, from: .init(sent.connection), at: now, into: &$1) }
    guard case let .request(number, request) = message else {
      serve(serving)
      return
    }
    let response = timeline.response(to: sent)
    if let credential = request.credential, let response {
      learn(credential.token, from: response, to: sent)
    }
    explainPushes(before: sent, request, serving)
    if let got = request.got, let response, response.status == "ok" {
      explain(response, to: sent, of: got.path, got.query, serving)
    }
    if let response { allowOrForbid(request, response.status, sent, serving) }
    recordBase(of: request, response?.status)
    if request.changesData { remember(event, time) }
    if response?.status == "ok", case let .put(path, node, _?) = request {
      // It was done, whatever is known here of what stood there.
      let done = ClientMessage.request(number, .put(path, node, hash: nil))
      serve { $0.receive(done, from: .init(sent.connection), at: now, into: &$1) }
    } else {
      serve(serving)
    }
    guard let answer = sent.counterpart else { return }
    follow(sent.connection, before: answer + 1) { _, _, _ in true }
    // What it would have sent and no client received is of no use any more.
    predicted[sent.connection] = nil
  }

  /// Learns from the answer to a credential for whom it is, and until when: until the end of the last
  /// connection, where it was good before.
  private mutating func learn(
    _ token: String, from response: ServerMessage.Response, to sent: Timeline.Moment
  ) {
    let known = scenario.tokens[token]
    var expiry: Interval?
    switch response.status {
    case "ok" where known == nil: break
    case "expired_token" where known == nil: expiry = .zero
    case "expired_token" where known?.lifetime == nil:
      let ends = timeline.moments.filter {
        $0.client == sent.client && $0.isEnd && $0.event < sent.event
      }
      expiry = .milliseconds(Int((ends.last?.time ?? time).milliseconds.rounded(.up)))
    default: return
    }
    // Who signs in for whom the answer names.
    let user = known?.user ?? response.user ?? "user\(scenario.tokens.count + 1)"
    scenario.tokens[token] = Scenario.Token(user: user, lifetime: expiry)
    server.tokens[token] = TokenClaims(user: user, expiry: expiry.map { epoch + $0 })
  }

  /// Compares whether it was allowed with what is known of rules, and learns rules.
  private mutating func allowOrForbid(
    _ request: Request, _ status: String, _ sent: Timeline.Moment, _ serving: Deed
  ) {
    guard status != "ok", var path = request.path, let access = request.access else { return }
    if path.key == .priority, let owner = path.parent { path = owner }
    let own = trial(over: sent.connection, serving).compactMap { message in
      if case let .response(response) = message { response.status } else { nil }
    }
    guard let own = own.first, own != status else { return }
    // A moment before it arrives at which its client shows nothing: that of its sending, or a later one
    // where it was sent because of another message, whose events come at that instant.
    let isAnswer = timeline.moments.contains {
      $0.client == sent.client && $0.time == sent.time && $0.event < sent.event
        && $0.received != nil
    }
    let moment =
      isAnswer
      ? Interval(nanoseconds: (sent.time.nanoseconds + time.nanoseconds) / 2) : sent.time
    if status == "datastale" {
      record(.stale(writes: 1, .withheld), at: moment, before: sent.event)
      server.refuseAsStale(next: 1, .withheld)
      return
    }
    let exemption = exemption(from: path, access, sent)
    let rule = SecurityRule(
      path, deny: [access], unless: exemption ?? .noUser,
      status: status == SecurityRule.permissionDenied ? nil : ErrorCode(status))
    if exemption == nil {
      record(.reject(rule), at: moment, before: sent.event)
    } else {
      scenario.security.append(rule)
    }
    server.deny(rule)
  }

  /// Whom a rule spares by which a request was refused; `nil` when the rule cannot have held from
  /// the beginning, because the same user was allowed the same at another time.
  private func exemption(
    from path: Path, _ access: SecurityRule.Access, _ refused: Timeline.Moment
  ) -> SecurityRule.Exemption? {
    var signedIn: [Int: String] = [:]
    var user: String?
    var allowed: Set<String?> = []
    for sent in timeline.moments {
      guard let request = sent.request, let response = timeline.response(to: sent) else { continue }
      let isDone = response.status == "ok"
      if sent.event == refused.event { user = signedIn[sent.connection] }
      if case .authenticate = request {
        signedIn[sent.connection] = isDone ? response.user ?? "user" : nil
      } else if case .unauthenticate = request {
        signedIn[sent.connection] = nil
      } else if isDone, request.access == access, request.path?.starts(with: path) == true {
        allowed.insert(signedIn[sent.connection])
      }
    }
    if allowed.isEmpty { return .noUser }
    if allowed.contains(nil) || allowed.contains(user) { return nil }
    if allowed.count == 1, case let name?? = allowed.first { return .user(name) }
    return user == nil ? .authenticated : nil
  }

  /// Records what a conditional write was made from.
  private mutating func recordBase(of request: Request, _ status: String?) {
    if let path = request.path { touched.append(path) }
    guard case let .put(path, _, hash?) = request else { return }
    func has(_ node: Node) -> Bool { hash.isEmpty ? node.isEmpty : node.hash == hash }
    if has(server.tree[path]) {
      bases[event] = server.tree[path]
    } else if let last = versions.last(where: { has($0.tree[path]) }) {
      bases[event] = last.tree[path]
      // Versions are kept from before a change: this one was the last with that hash.
      if status == "datastale" { late[event] = last }
    } else if hash.isEmpty {
      bases[event] = .empty
    }
  }
}

// MARK: - What clients received without having asked

extension ForeignWriteInference {
  /// Explains what a client received before the answer to a request by what others did.
  private mutating func explainPushes(
    before sent: Timeline.Moment, _ request: Request, _ serving: Deed
  ) {
    guard let answer = sent.counterpart else { return }
    follow(sent.connection, before: answer) { inference, received, message in
      let own = inference.trial(over: sent.connection, serving)
      if own.contains(where: { $0.isSame(as: message) }) { return false }
      if let listen = request.asListen, inference.learn(message, by: listen) { return false }
      inference.explain(message, received)
      return true
    }
  }

  /// Explains what a single read has found, where the server has something else: it was there from the
  /// beginning, or was written before the read.
  private mutating func explain(
    _ answer: ServerMessage.Response, to sent: Timeline.Moment, of path: Path, _ query: Query,
    _ serving: Deed
  ) {
    let found = Node(json: answer.payload)
    let isKnown = trial(over: sent.connection, serving).contains { message in
      guard case let .response(own) = message else { return false }
      return TreeComparison.first(Node(json: own.payload), found) == nil
    }
    if isKnown { return }
    let filter = query.filters ? query : nil
    let message = ServerMessage.put(path, found, tag: filter.map { _ in 0 })
    let read = Request.Listen(path: path, query: filter, tag: filter.map { _ in 0 })
    if learn(message, by: read) { return }
    guard let write = write(thatSends: message, over: sent.connection) else { return }
    self.write(write, sent.time, sent.event)
    record(.write(ServerWrite(write, in: server.tree)), at: sent.time, before: sent.event)
  }

  /// What was received last on a connection, after its last answer.
  private mutating func explainRest(of connection: Int) {
    follow(connection, before: .max) { inference, received, message in
      inference.explain(message, received)
      return true
    }
  }

  /// Goes past what a client received over a connection before a moment. `takes` is asked about what is
  /// not predicted: with false, that is the next thing to be explained.
  private mutating func follow(
    _ connection: Int, before end: Int,
    _ takes: (inout ForeignWriteInference, Timeline.Moment, ServerMessage) -> Bool
  ) {
    while let next = unexplained[connection]?.first, next < end,
      let message = timeline.moments[next].received
    {
      if message.isPush, !takePredicted(message, of: connection),
        !takes(&self, timeline.moments[next], message)
      {
        return
      }
      unexplained[connection]?.removeFirst()
    }
  }

  /// Takes a message out of those that are predicted; false when it is none of them.
  private mutating func takePredicted(_ message: ServerMessage, of connection: Int) -> Bool {
    let index = predicted[connection]?.firstIndex { $0.isSame(as: message) }
    if let index { predicted[connection]?.remove(at: index) }
    return index != nil
  }

  /// Takes unknown data as being there from the beginning.
  private mutating func learn(_ message: ServerMessage, by listen: Request.Listen) -> Bool {
    guard case let .put(path, node, tag) = message, path == listen.path, tag == listen.tag,
      !knowsData, touched.allSatisfy({ isAsBefore($0, in: node, at: path) })
    else { return false }
    var known = node
    if listen.query != nil, !node.isScalar {
      known = scenario.data[path].setting(node.children.map { ($0.key, $0.node) })
      known = known.settingPriority(node.priority ?? known.priority)
    }
    scenario.data = scenario.data.setting(known, at: path)
    touched.append(path)
    // No client learns of it: it has always been there.
    var none: [ReferenceServer.Outgoing] = []
    server.write(.put(path, scenario.data[path]), at: epoch + time, into: &none)
    if (listen.query ?? .all).window(of: server.tree[path]).node != node { contradictions += 1 }
    return true
  }

  /// Whether data that came now could have been there from the beginning, by what is known of one
  /// location: nothing, or that a part of them has been the same since then.
  private func isAsBefore(_ known: Path, in node: Node, at path: Path) -> Bool {
    guard let below = known.relative(to: path) else { return !known.isRelated(to: path) }
    return !below.isRoot && scenario.data[known] == node[below] && server.tree[known] == node[below]
  }

  /// Takes a message for the effect of what another client did.
  private mutating func explain(_ message: ServerMessage, _ received: Timeline.Moment) {
    let (client, connection) = (received.client, received.connection)
    let departure = received.departure ?? received.time - timeline.latencies[client].lowerBound
    let time = max(.zero, min(departure, self.time))
    let event = min(self.event, received.event)
    var fault: NamedFault?
    var out: [ReferenceServer.Outgoing] = []
    switch message {
    case .put, .merge:
      guard let write = write(thatSends: message, over: connection) else { break }
      out = self.write(write, time, event)
      fault = .write(ServerWrite(write, in: server.tree))
    case let .revoked(path, _):
      serve { $0.revoke(path, into: &$1) }
      fault = .revoke(path)
    case .credentialRevoked:
      serve { $0.revokeCredential(of: .init(connection), into: &$1) }
      fault = .revokeAuth(timeline.names[client])
    case let .reset(host): fault = .redirect(timeline.names[client], host: host)
    case .shutdown: fault = .shutdown(timeline.names[client])
    case .hello, .response, .pong, .notice, .other: break
    }
    if !takePredicted(message, of: connection) {
      // It was written in other words: what is written here instead is not waited for.
      predicted[connection]?.removeLast(out.count { $0.connection.number == connection })
    }
    if let fault { record(fault, at: time, before: event) }
  }

  /// What another client wrote when the server sends this; `nil` where it is about no data.
  private mutating func write(
    thatSends message: ServerMessage, over connection: Int
  ) -> ReferenceServer.Write? {
    switch message {
    case let .put(path, node, tag):
      let parts = node.children.map { Assignment(Path([$0.key]), $0.node) }
      assumeWrite(parts, at: path)
      // A window as a whole: what is in it, and not what else is there.
      return tag == nil || node.isScalar || node.isEmpty ? .put(path, node) : .merge(path, parts)
    case let .merge(path, parts, tag):
      if tag == nil { return .merge(path, parts) }
      let added = parts.filter { !$0.node.isEmpty }
      assumeWrite(added, at: path)
      let now = epoch
      let isEnough =
        !added.isEmpty && added.count < parts.count
        && trial(over: connection) { $0.write(.merge(path, added), at: now, into: &$1) }
          .contains { $0.isSame(as: message) }
      return .merge(path, isEnough ? added : parts)
    default: return nil
    }
  }

  /// Records what was unknown: it may have been there from the beginning.
  private mutating func assumeWrite(_ parts: [Assignment], at path: Path) {
    if knowsData { return }
    for part in parts where server.tree[path.appending(part.path)].isEmpty {
      hidden = hidden.setting(part.node, at: path.appending(part.path))
    }
  }
}

extension ServerWrite {
  /// A write that was done, as a step; `tree` is what is stored after it. One of a priority alone is
  /// one of what has it.
  fileprivate init(_ write: ReferenceServer.Write, in tree: Node) {
    switch write {
    case let .put(path, node):
      if path.key == .priority, let owner = path.parent {
        self = .set(owner, tree[owner])
      } else {
        self.init(path, node)
      }
    case let .merge(path, parts):
      let owners = parts.compactMap { $0.path.key == .priority ? $0.path.parent : nil }
      let own = parts.filter { $0.path.key != .priority && !owners.contains($0.path) }
      self =
        owners.contains(.root)
        ? .set(path, tree[path])
        : .update(path, own + owners.map { Assignment($0, tree[path.appending($0)]) })
    }
  }
}

extension ServerMessage {
  /// Whether it is about what others did.
  fileprivate var isPush: Bool {
    switch self {
    case .put, .merge, .revoked, .credentialRevoked, .reset, .shutdown: true
    case .hello, .response, .pong, .notice, .other: false
    }
  }

  /// Whether two messages have the same content, but for times, which clocks decide.
  fileprivate func isSame(as other: ServerMessage) -> Bool {
    switch (self, other) {
    case let (.put(path, node, tag), .put(otherPath, otherNode, otherTag)):
      return path == otherPath && tag == otherTag && TreeComparison.first(node, otherNode) == nil
    case let (.merge(path, parts, tag), .merge(otherPath, others, otherTag)):
      let (sorted, others) = (
        parts.sorted { $0.path < $1.path }, others.sorted { $0.path < $1.path }
      )
      return path == otherPath && tag == otherTag && sorted.count == others.count
        && zip(sorted, others).allSatisfy {
          $0.path == $1.path && TreeComparison.first($0.node, $1.node) == nil
        }
    case let (.revoked(path, queries), .revoked(other, others)):
      return path == other && (queries?.count ?? 0) == (others?.count ?? 0)
    case (.credentialRevoked, .credentialRevoked): return true
    default: return self == other
    }
  }
}

extension ServerMessage.Response {
  /// Who has signed in, if it says so.
  fileprivate var user: String? { payload["auth"]?["uid"]?.string }
}
