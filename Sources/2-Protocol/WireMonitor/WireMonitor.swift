public import ClientInterface
internal import Tree
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

  /// How far a connection has come.
  enum Phase: Hashable, Sendable {
    case none
    case asked
    /// Up, but without the server's hello (WIR-1).
    case opened
    case helloReceived
    /// The server has sent the client away for good (CON-18).
    case sentAway
  }

  /// The family whose protocol is spoken: messages and versions are judged by it.
  public let dialect: Dialect
  /// The end of the connection at which the messages were seen; some checks are left out at
  /// servers.
  public let observedSide: ObservedSide
  /// Whether what is only advisable is reported.
  public let reportsAdvice: Bool
  var phase = Phase.none
  var requests = OutstandingRequests()
  var listens = ActiveListens()
  /// How far restoring has come; `nil` when nothing is being restored, or that is unknown.
  var restoring: StateRestoration?
  /// Whether a request has been sent on this connection.
  var hasAsked = false
  var sentFrames = FrameMonitor(.client)
  var receivedFrames = FrameMonitor(.server)
  /// When a frame was last sent, either way.
  var lastFrame: Instant?

  /// - Parameters:
  ///   - dialect: Which family is spoken.
  ///   - observedSide: Where what is handed over was seen.
  ///   - reportsAdvice: Whether what is only advisable is reported. Those who do not want it may receive some
  ///     of it all the same; they save the time for the rest.
  public init(_ dialect: Dialect, seenBy observedSide: ObservedSide, reportsAdvice: Bool = true) {
    self.dialect = dialect
    self.observedSide = observedSide
    self.reportsAdvice = reportsAdvice
  }

  /// The client asks for a connection.
  public mutating func connecting() -> [WireFinding] {
    let had = phase
    begin(.asked)
    // A server may learn late that a connection is over.
    guard had != .none, observedSide == .client else { return [] }
    return [
      WireFinding(
        .oneConnection,
        "the client asks for a connection although it has one or has asked for one; close the first"
      )
    ]
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
    var findings: [WireFinding] = []
    if reportsAdvice { findings = sentFrames.end() + receivedFrames.end() + requests.end() }
    begin(.none)
    return findings
  }

  private mutating func begin(_ phase: Phase) {
    self.phase = phase
    // Servers guess whose a connection is, unless clients say it: the numbers of the one before
    // may be those of another client.
    if observedSide == .server { requests = OutstandingRequests() } else { requests.begin() }
    listens.clear()
    restoring = nil
    hasAsked = false
    sentFrames = FrameMonitor(.client)
    receivedFrames = FrameMonitor(.server)
    lastFrame = nil
  }
}

extension WireMonitor {
  /// Takes a message of the client.
  public mutating func sent(_ message: ClientMessage, at now: Instant) -> [WireFinding] {
    let paths = Self.judgePaths(of: message, reportsAdvice ? .wanted : .unwanted)
    return sent(message, paths: paths, at: now)
  }

  /// Takes a message of the client of which it is known what is wrong with its paths and data.
  package mutating func sent(
    _ message: ClientMessage, paths: [WireFinding], at now: Instant
  ) -> [WireFinding] {
    var findings = judgePhase(of: message)
    findings.add(listens.covered(at: now))
    if reportsAdvice { findings.add(requests.overdue(at: now)) }
    guard case let .request(number, request) = message else { return findings }
    if let finding = requests.take(number, .request(request), at: now) { findings.append(finding) }
    findings.add(judgeOrder(number, request))
    findings.add(paths)
    findings.add(judge(number, request, at: now))
    hasAsked = true
    return findings
  }

  /// Takes a request of the client that the vocabulary has no word for, but the server answers.
  public mutating func asked(_ action: String, _ number: Int, at now: Instant) -> [WireFinding] {
    hasAsked = true
    return requests.take(number, .other(action), at: now).map { [$0] } ?? []
  }

  private func judgePhase(of message: ClientMessage) -> [WireFinding] {
    let reason: String
    switch phase {
    case .helloReceived: return []
    case .none, .asked: reason = "without a connection; wait for the server's hello"
    case .opened: reason = "before the hello of the server; wait for it"
    case .sentAway:
      guard observedSide == .client, dialect == .firebase else { return [] }
      return [
        WireFinding(
          .goneAfterShutdown,
          "the client sends \(message.described) although the server has sent it away; close the "
            + "connection and stay away")
      ]
    }
    return [WireFinding(.helloComesFirst, "the client sends \(message.described) \(reason)")]
  }

  private mutating func judge(
    _ number: Int, _ request: Request, at now: Instant
  ) -> [WireFinding] {
    switch request {
    case let .listen(listen):
      return listens.add(
        ActiveListens.Entry(
          path: listen.path, query: listen.query?.reported, tag: listen.tag, request: number),
        at: now)
    case let .unlisten(path, query, tag):
      return listens.takeBack(path, query?.reported, tag: tag, request: number).map { [$0] } ?? []
    case let .put(path, _, hash?): return judgeHash(hash, at: path, number)
    case let .merge(path, assignments, hash):
      return judgeMerge(assignments, at: path, hash: hash, number)
    case let .onDisconnectMerge(path, assignments):
      return judgeMerge(assignments, at: path, hash: nil, number)
    default: return []
    }
  }

  /// Takes a message of the server.
  public mutating func received(_ message: ServerMessage, at now: Instant) -> [WireFinding] {
    restoring = nil
    var findings = judgeHello(message)
    findings.add(listens.covered(at: now))
    switch message {
    case let .response(response): findings.add(take(response))
    case let .put(path, _, tag), let .merge(path, _, tag):
      if let finding = judgeData(at: path, tag) { findings.append(finding) }
    case let .revoked(path, queries):
      listens.revoke(
        path, queries.map { $0.map(\.reported) } ?? [nil], observedSide: observedSide,
        isAnswered: requests.isAnswered)
    case .shutdown: phase = .sentAway
    case .hello, .credentialRevoked, .reset, .pong, .notice, .other: break
    }
    if reportsAdvice { findings.add(requests.overdue(at: now)) }
    return findings
  }

  private mutating func take(_ response: ServerMessage.Response) -> [WireFinding] {
    let (open, finding) = requests.answer(response)
    if let finding { return [finding] }
    guard case let .request(request)? = open?.subject else { return [] }
    switch request {
    case let .listen(listen) where response.status != "ok":
      listens.refuse(listen.path, request: response.request, observedSide: observedSide)
    case .unlisten: listens.answered(response.request)
    case .authenticate where reportsAdvice && response.status != "ok":
      return [
        WireFinding(
          .signedIn,
          "the server refuses the credential of request \(response.request) with "
            + "\"\(response.status)\"; a client must not connect again with the same one")
      ]
    default: break
    }
    return []
  }

  private func judgeData(at path: Path, _ tag: Int?) -> WireFinding? {
    if let tag {
      if listens.isInUse(tag) || listens.late.has(tag) { return nil }
      return WireFinding(
        .tagInUse, by: .server,
        "the server sends data of \(path) for the tag \(tag), which no listen of this connection has"
      )
    }
    if listens.isListenedTo(path) || listens.late.coversPlainly(path) { return nil }
    return WireFinding(
      .askedFor, by: .server,
      "the server sends data of \(path), where no plain listen of this connection is at or above")
  }

  private mutating func judgeHello(_ message: ServerMessage) -> [WireFinding] {
    guard case let .hello(hello) = message else {
      guard phase == .opened else { return [] }
      phase = .helloReceived
      return [
        WireFinding(
          .helloFirst, by: .server,
          "the first message of the server is \(message.described); expected its hello")
      ]
    }
    var findings: [WireFinding] = []
    if phase != .opened, phase != .asked {
      findings.append(
        WireFinding(
          .helloFirst, by: .server, "the server sends hello again; it does so once, first of all"))
    }
    phase = .helloReceived
    restoring = observedSide == .client ? StateRestoration() : nil
    if hello.version != dialect.version {
      findings.append(
        WireFinding(
          .version, by: .server,
          "the hello states version \"\(hello.version)\"; expected \"\(dialect.version)\""))
    }
    return findings
  }
}

extension Query {
  /// The query as the server knows it: the wire does not say how far ranges reach.
  var reported: Query {
    var query = self
    query.reach = .acrossKinds
    return query
  }
}
