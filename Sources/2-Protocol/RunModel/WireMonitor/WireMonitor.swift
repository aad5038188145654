public import ClientInterface
public import Tree
public import Wire

/// Watches the connections of one client for what the protocol does not allow, or does not advise.
///
/// A value without clock or sockets: the caller has the messages and hands them over in their
/// order, with the time at which they were sent or came. It never refuses anything; it reports what
/// is wrong.
public struct WireMonitor: Sendable {
  /// Which end of the connection it sees. Messages that cross on their way have another order there.
  public enum ObservedSide: Hashable, Sendable {
    /// What the client sent, when it sent it; what it received, when that arrived.
    case client
    /// What arrived at the server; what the server sent.
    case server
  }

  /// The family whose protocol is spoken: messages and versions are judged by it.
  public let dialect: Dialect
  /// The end of the connection at which the messages were seen; some checks are left out at
  /// servers.
  public let observedSide: ObservedSide
  /// Whether what is only advisable is reported.
  public let reportsAdvice: Bool
  /// What is known of the client by now.
  package var wire: WireModel
  /// The listens below one that covers them, with that one: allowed while a client goes from one to
  /// the other.
  private var covered: [(entry: Listens.Entry, cover: Path, since: Instant)] = []
  /// The position in `restored` of what was restored last; `nil` when nothing is being restored, or
  /// that is unknown.
  private var restoring: Int?
  /// What carries the messages.
  var frames = Frames()
  /// What was found in the message that is taken.
  var found: [WireFinding] = []

  /// - Parameters:
  ///   - dialect: Which family is spoken.
  ///   - observedSide: Where what is handed over was seen.
  ///   - reportsAdvice: Whether what is only advisable is reported. Those who do not want it may receive some
  ///     of it all the same; they save the time for the rest.
  public init(_ dialect: Dialect, seenBy observedSide: ObservedSide, reportsAdvice: Bool = true) {
    self.dialect = dialect
    self.observedSide = observedSide
    self.reportsAdvice = reportsAdvice
    wire = WireModel(atServer: observedSide == .server)
  }

  /// The client asks for a connection.
  public mutating func connecting() -> [WireFinding] {
    let had = wire.phase
    begin(.asked)
    // A server may learn late that a connection is over.
    guard had != .none, observedSide == .client else { return [] }
    return .one(
      .oneConnection,
      "the client asks for a connection although it has one or has asked for one; close the first")
  }

  /// A connection is up.
  public mutating func opened() { begin(.opened) }

  /// Something happened to the client that is no message, such as a call of the application: what
  /// it sends from now on need not belong to what it restores.
  public mutating func interrupted() { restoring = nil }

  /// The connection is gone, or was not to be had, or the client has closed it.
  ///
  /// - Returns: The requests that have no answer.
  public mutating func ended(at now: Instant) -> [WireFinding] {
    if reportsAdvice {
      frames.sent.end(into: &found)
      frames.received.end(into: &found)
      judgeLeft()
    }
    begin(.none)
    return takeFound()
  }

  private mutating func begin(_ phase: WireModel.Phase) {
    wire.begin(phase)
    covered = []
    restoring = nil
    frames = Frames()
  }

  mutating func takeFound() -> [WireFinding] {
    if found.isEmpty { return [] }
    defer { found = [] }
    return found
  }
}

// MARK: - Messages of the client

extension WireMonitor {
  /// Takes a message of the client, with what is wrong with its paths and data if that is known.
  package mutating func sent(
    _ message: ClientMessage, paths: [WireFinding]? = nil, at now: Instant
  ) -> [WireFinding] {
    if wire.phase != .helloReceived { judgePhase(of: message) }
    judgeCovered(at: now)
    if reportsAdvice { judgeOverdue(at: now) }
    guard case let .request(number, request) = message else { return takeFound() }
    judge(number, .request(request))
    judgeOrder(number, request)
    found.add(paths ?? Self.judgePaths(of: request, number))
    if reportsAdvice, paths == nil { found.add(Self.judgeHash(of: request, number)) }
    switch request {
    case let .listen(listen): judge(listen, number)
    case let .unlisten(path, query, tag):
      judgeTakingBack(path, query, tag: tag, number)
    case let .put(path, _, hash): if hash != nil { judgeHash(at: path, number) }
    case let .merge(path, assignments, hash):
      judgeMerge(assignments, at: path, hash: hash, number)
    case let .onDisconnectMerge(path, assignments):
      judgeMerge(assignments, at: path, hash: nil, number)
    case .onDisconnectPut, .onDisconnectCancel, .get, .stats, .authenticate, .unauthenticate: break
    }
    wire.send(number, request, at: now)
    if case let .listen(listen) = request { lookAtCovered(listen, at: now) }
    return takeFound()
  }

  /// Takes a request of the client that the vocabulary has no word for, but the server answers.
  public mutating func asked(_ action: String, _ number: Int, at now: Instant) -> [WireFinding] {
    judge(number, .other(action))
    wire.send(number, action, at: now)
    return takeFound()
  }

  /// Takes a message of the client as it is written. One that cannot be understood is only judged
  /// by its form; what follows is judged as if it had not been sent, but for its number.
  public mutating func sent(_ json: JSON, at now: Instant) -> [WireFinding] {
    var findings = Self.judgeShape(of: json, by: .client, in: dialect)
    do throws(WireError) {
      findings.add(sent(try ClientMessage(json: json), at: now))
    } catch {
      if let number = json["d"]?["r"]?.integer, let action = json["d"]?["a"]?.string {
        findings.add(asked(action, number, at: now))
      }
      findings.add(reason: error)
    }
    return findings
  }

  private mutating func judgePhase(of message: ClientMessage) {
    let (check, reason): (WireCheck, String)
    switch wire.phase {
    case .helloReceived: return
    case .none, .asked:
      (check, reason) = (.helloComesFirst, "without a connection; wait for the server's hello")
    case .opened:
      // A keep-alive asks for nothing.
      if case .ping = message { return }
      (check, reason) = (.helloComesFirst, "before the hello of the server; wait for it")
    case .sentAway:
      guard observedSide == .client, dialect == .firebase else { return }
      (check, reason) = (
        .goneAfterShutdown,
        "although the server has sent it away; close the connection and stay away"
      )
    }
    found.add(check, "the client sends \(message.described) \(reason)")
  }

  /// Judges a put with a hash: one of a transaction.
  private mutating func judgeHash(at path: Path, _ number: Int) {
    if path.key == .priority {
      found.add(
        .hashAllowed,
        "request \(number) writes the priority \(path) with a hash; only transactions have one, and "
          + "they write whole locations; leave \"h\" out")
    } else if reportsAdvice, wire.listens.plainListen(atOrAbove: path) == nil {
      found.add(
        .hashWatched,
        "request \(number) writes \(path) with a hash, but no plain listen is at or above it; only "
          + "transactions have a hash, and they listen while they run")
    }
  }

  private mutating func judgeMerge(
    _ assignments: [Assignment], at path: Path, hash: String?, _ number: Int
  ) {
    if hash != nil {
      found.add(
        .hashAllowed,
        "request \(number) merges at \(path) with a hash; only transactions have one, and they put; "
          + "leave \"h\" out")
    }
    guard assignments.count > 1 else { return }
    let paths = assignments.map(\.path).sorted()
    for (first, second) in zip(paths, paths.dropFirst()) where second.starts(with: first) {
      let what = first == second ? "the same location" : "a location within the other"
      found.add(
        .apart,
        "request \(number) merges \"\(first.relativeText)\" and \"\(second.relativeText)\" at "
          + "\(path), \(what); write each location once")
    }
  }
}

// MARK: - Messages of the server

extension WireMonitor {
  /// Takes a message of the server.
  public mutating func received(_ message: ServerMessage, at now: Instant) -> [WireFinding] {
    restoring = nil
    if case let .hello(hello) = message {
      judge(hello)
    } else if wire.phase == .opened {
      found.add(
        .helloFirst, by: .server,
        "the first message of the server is \(message.described); expected its hello")
    }
    judgeCovered(at: now)
    switch message {
    case let .put(path, _, tag), let .merge(path, _, tag): judgeData(at: path, tag)
    case .response, .revoked, .shutdown, .hello, .credentialRevoked, .reset, .pong, .notice, .other:
      break
    }
    let answered = wire.receive(message)
    if case let .response(response) = message { judge(response, of: answered) }
    if reportsAdvice { judgeOverdue(at: now) }
    return takeFound()
  }

  /// Takes a message of the server as it is written.
  public mutating func received(_ json: JSON, at now: Instant) -> [WireFinding] {
    var findings = Self.judgeShape(of: json, by: .server, in: dialect)
    do throws(WireError) {
      findings.add(received(try ServerMessage(json: json), at: now))
    } catch {
      findings.add(reason: error)
    }
    return findings
  }

  private mutating func judge(_ hello: ServerMessage.Hello) {
    if wire.phase != .opened, wire.phase != .asked {
      found.add(
        .helloFirst, by: .server, "the server sends hello again; it does so once, first of all")
    }
    restoring = observedSide == .client ? 0 : nil
    if hello.version != dialect.version {
      found.add(
        .version, by: .server,
        "the hello states version \"\(hello.version)\"; expected \"\(dialect.version)\"")
    }
  }

  private mutating func judge(_ response: ServerMessage.Response, of answered: Requests.Open?) {
    let (number, status) = (response.request, response.status)
    guard let answered else {
      let what =
        wire.requests.mayHaveBeenAsked(number)
        ? " again, with \"\(status)\"; each request is answered once"
        : " with \"\(status)\", which was not made on this connection; an answer has the number of "
          + "its request"
      return found.add(.answersOnce, by: .server, "the server answers request \(number)\(what)")
    }
    guard reportsAdvice, status != "ok", case .request(.authenticate) = answered.subject else {
      return
    }
    found.add(
      .signedIn,
      "the server refuses the credential of request \(number) with \"\(status)\"; a client must "
        + "not connect again with the same one")
  }

  /// Judges that data belong to a listen.
  private mutating func judgeData(at path: Path, _ tag: Int?) {
    if let tag {
      if wire.listens.mayReceive(tag: tag) { return }
      found.add(
        .tagInUse, by: .server,
        "the server sends data of \(path) for the tag \(tag), which no listen of this connection has"
      )
    } else if !wire.listens.mayReceive(path) {
      found.add(
        .askedFor, by: .server,
        "the server sends data of \(path), where no plain listen of this connection is at or above")
    }
  }
}

extension [WireFinding] {
  /// Adds why a message was not understood, unless it follows from what was found.
  fileprivate mutating func add(reason error: WireError) {
    if contains(where: { !$0.isNote }) { return }
    add(
      .shape, by: error.sender,
      "\(error.reason); found in \(MessageShape.quoted(error.received))")
  }
}

// MARK: - Requests: their numbers rise, and each is answered once, in time

extension WireMonitor {
  /// How many requests without an answer are named.
  private static let maxNamed = 5

  /// Judges the number of a request that is about to be sent.
  private mutating func judge(_ number: Int, _ subject: @autoclosure () -> Requests.Subject) {
    guard let before = wire.requests.last, number <= before else { return }
    let what =
      number == before ? "has the number of the request before it" : "comes after request \(before)"
    found.add(
      .numbered,
      "request \(number), \(subject()), \(what); each has a larger number than all before it, also "
        + "on a new connection")
  }

  /// Requests that have waited for long although the connection lives.
  private mutating func judgeOverdue(at now: Instant) {
    for request in wire.requests.takeOverdue(at: now) {
      found.add(
        .unanswered, by: .server,
        "request \(request.number), \(request.subject), has had no answer for 60 s; every request is "
          + "answered")
    }
  }

  /// What is left without an answer where a connection ends.
  private mutating func judgeLeft() {
    let left = wire.requests.waiting
    if left.isEmpty { return }
    let named = left.prefix(Self.maxNamed).map { "\($0.number), \($0.subject)" }
    let more = left.count > named.count ? "; and \(left.count - named.count) more" : ""
    found.add(
      .unanswered, by: .server,
      "the connection ended before these requests were answered: "
        + named.joined(separator: "; ") + more)
  }

  /// The requests of the connection without an answer, in words, with their numbers:
  /// `put /a, request 4`.
  package var unanswered: some Collection<String> {
    wire.requests.waiting.lazy.map { "\($0.subject), request \($0.number)" }
  }
}

// MARK: - What a client sends in one go after the hello: what the last connection left (CON-7)

extension WireMonitor {
  /// What is restored, in this order.
  private static let restored: [(name: String, actions: [Request.Action])] = [
    ("statistics and credentials", [.stats, .authenticate]), ("listens", [.listen]),
    ("writes", [.put, .merge]),
    ("on-disconnect requests", [.onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel]),
  ]

  /// Judges where a request stands among the first ones of a connection.
  private mutating func judgeOrder(_ number: Int, _ request: Request) {
    if case .stats = request, wire.requests.hasAny {
      found.add(
        .statsFirst,
        "request \(number) has statistics, but is not the first of the connection; they are sent "
          + "first, or not at all")
    }
    guard let before = restoring,
      let now = Self.restored.firstIndex(where: { $0.actions.contains(request.action) })
    else { return }
    let name = Self.restored[before].name
    if now >= before {
      restoring = now
    } else if request.action == .authenticate {
      found.add(
        .credentialFirst,
        "request \(number) restores the credential after \(name); what is judged by it comes "
          + "after it")
    } else if now > 0 {
      found.add(
        .restoringOrder,
        "request \(number), \(Requests.Subject.request(request)), restores "
          + "\(Self.restored[now].name) after \(name); listens come first, then writes, then "
          + "on-disconnect requests")
    }
  }
}

// MARK: - Listens: each is made once, has a tag of its own, and is taken back as it was made

extension WireMonitor {
  /// Judges a listen that is about to be in place.
  private mutating func judge(_ listen: Request.Listen, _ number: Int) {
    if let other = wire.listens.entry(at: listen.path, listen.query) {
      found.add(
        .listensOnce,
        "request \(number) listens to \(Self.described(listen.path, listen.query)), which request "
          + "\(other.request) listens to already; one listen serves all listeners")
    }
    if let tag = listen.tag, let path = wire.listens.path(ofTag: tag) {
      found.add(
        .tagOnce,
        "request \(number) gives the listen to \(listen.path) the tag \(tag), which that to "
          + "\(path) has; a tag is given to another query when its listen has ended")
    }
    if let query = listen.query, !query.filters {
      found.add(
        .filters,
        "request \(number) listens to \(listen.path) with a query that leaves nothing out; "
          + "leave \"q\" and \"t\" out, it is the plain listen")
    }
  }

  /// Judges that a client takes a listen back that is still in place.
  private mutating func judgeTakingBack(_ path: Path, _ query: Query?, tag: Int?, _ number: Int) {
    guard let entry = wire.listens.entry(at: path, query) else {
      if wire.listens.mayBeTakenBack(path, query) { return }
      return found.add(
        .takesBackOwn,
        "request \(number) takes back the listen to \(Self.described(path, query)), which is not "
          + "in place; take back only what was listened to and not refused or ended since")
    }
    guard entry.tag != tag else { return }
    found.add(
      .takesBackTag,
      "request \(number) takes back the listen to \(Self.described(path, query)) with "
        + "\(tag.map { "tag \($0)" } ?? "no tag"), but it was made with "
        + "\(entry.tag.map { "tag \($0)" } ?? "none"); write the same \"q\" and \"t\" again")
  }

  /// How long a covered listen may stay: clients let the one go right after they sent the other.
  private static let grace = Interval.seconds(2)
  /// How many of them are looked at.
  private static let maxCovered = 64

  /// Has a new listen that is covered, and those that it covers, looked at again.
  private mutating func lookAtCovered(_ listen: Request.Listen, at now: Instant) {
    guard covered.count < Self.maxCovered else { return }
    let above = listen.query == nil ? listen.path.parent : listen.path
    if let above, let cover = wire.listens.plainListen(atOrAbove: above),
      let entry = wire.listens.entry(at: listen.path, listen.query)
    {
      covered.append((entry, cover, now))
    }
    guard listen.query == nil else { return }
    for other in wire.listens.covered(by: listen.path).prefix(Self.maxCovered - covered.count) {
      covered.append((other, listen.path, now))
    }
  }

  /// Listens that have been covered for too long.
  private mutating func judgeCovered(at now: Instant) {
    while !covered.isEmpty, now - covered[0].since >= Self.grace {
      let (entry, cover, _) = covered.removeFirst()
      guard wire.listens.entry(at: entry.path, entry.query)?.request == entry.request,
        wire.listens.entry(at: cover, nil) != nil
      else { continue }
      found.add(
        .covered,
        "request \(entry.request) listens to \(Self.described(entry.path, entry.query)), "
          + "which the listen to \(cover) covers; take it back, the other one brings its data")
    }
  }

  private static func described(_ path: Path, _ query: Query?) -> String {
    query == nil ? "\(path)" : "a query at \(path)"
  }
}

// MARK: - Words

extension Requests.Subject: CustomStringConvertible {
  package var description: String {
    switch self {
    case let .other(action): "\"\(action)\""
    case let .request(request):
      request.path.map { "\(request.action.rawValue) \($0)" } ?? request.action.rawValue
    }
  }
}

extension ClientMessage {
  /// What it is, in a few words.
  fileprivate var described: String {
    switch self {
    case .ping: "a ping"
    case let .request(number, request):
      "request \(number), \(Requests.Subject.request(request)),"
    }
  }
}

extension ServerMessage {
  /// What it is, in a few words.
  fileprivate var described: String {
    switch self {
    case .hello: "its hello"
    case let .response(response): "the answer to request \(response.request)"
    case let .put(path, _, _), let .merge(path, _, _): "data of \(path)"
    case let .revoked(path, _): "the end of a listen to \(path)"
    case .credentialRevoked: "that a credential is revoked"
    case .shutdown: "a shutdown"
    case .reset: "a reset"
    case .pong: "a keep-alive"
    case .notice: "a notice"
    case .other: "an unknown message"
    }
  }
}
