public import ClientInterface
package import RunModel
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

  /// The family whose protocol is spoken: messages and versions are judged by it.
  public let dialect: Dialect
  /// The end of the connection at which the messages were seen; some checks are left out at
  /// servers.
  public let observedSide: ObservedSide
  /// Whether what is only advisable is reported.
  public let reportsAdvice: Bool
  /// What is known of the client by now.
  package var wire: WireModel
  private var covered = CoveredListens()
  /// How far restoring has come; `nil` when nothing is being restored, or that is unknown.
  var restoring: StateRestoration?
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
    wire = WireModel(atServer: observedSide == .server)
  }

  /// The client asks for a connection.
  public mutating func connecting() -> [WireFinding] {
    let had = wire.phase
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
    if reportsAdvice { findings = sentFrames.end() + receivedFrames.end() + judgeLeft() }
    begin(.none)
    return findings
  }

  private mutating func begin(_ phase: WireModel.Phase) {
    wire.begin(phase)
    covered = CoveredListens()
    restoring = nil
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
    findings.add(covered.takeOverdue(in: wire.listens, at: now))
    if reportsAdvice { findings.add(judgeOverdue(at: now)) }
    guard case let .request(number, request) = message else { return findings }
    if let finding = judge(number, .request(request)) { findings.append(finding) }
    findings.add(judgeOrder(number, request))
    findings.add(paths)
    findings.add(judge(number, request))
    wire.send(number, request, at: now)
    if case let .listen(listen) = request { covered.add(listen, in: wire.listens, at: now) }
    return findings
  }

  /// Takes a request of the client that the vocabulary has no word for, but the server answers.
  public mutating func asked(_ action: String, _ number: Int, at now: Instant) -> [WireFinding] {
    defer { wire.send(number, action, at: now) }
    return judge(number, .other(action)).map { [$0] } ?? []
  }

  private func judgePhase(of message: ClientMessage) -> [WireFinding] {
    let reason: String
    switch wire.phase {
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

  private func judge(_ number: Int, _ request: Request) -> [WireFinding] {
    switch request {
    case let .listen(listen): return judge(listen, request: number)
    case let .unlisten(path, query, tag):
      return judgeTakingBack(path, query, tag: tag, request: number).map { [$0] } ?? []
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
    findings.add(covered.takeOverdue(in: wire.listens, at: now))
    switch message {
    case let .response(response): findings.add(judge(response))
    case let .put(path, _, tag), let .merge(path, _, tag):
      if let finding = judgeData(at: path, tag) { findings.append(finding) }
    case .revoked, .shutdown, .hello, .credentialRevoked, .reset, .pong, .notice, .other: break
    }
    wire.receive(message)
    if reportsAdvice { findings.add(judgeOverdue(at: now)) }
    return findings
  }

  private func judge(_ response: ServerMessage.Response) -> [WireFinding] {
    guard let open = wire.requests[response.request] else { return [judgeStray(response)] }
    guard reportsAdvice, response.status != "ok", case .request(.authenticate) = open.subject else {
      return []
    }
    return [
      WireFinding(
        .signedIn,
        "the server refuses the credential of request \(response.request) with "
          + "\"\(response.status)\"; a client must not connect again with the same one")
    ]
  }

  private mutating func judgeHello(_ message: ServerMessage) -> [WireFinding] {
    guard case let .hello(hello) = message else {
      guard wire.phase == .opened else { return [] }
      return [
        WireFinding(
          .helloFirst, by: .server,
          "the first message of the server is \(message.described); expected its hello")
      ]
    }
    var findings: [WireFinding] = []
    if wire.phase != .opened, wire.phase != .asked {
      findings.append(
        WireFinding(
          .helloFirst, by: .server, "the server sends hello again; it does so once, first of all"))
    }
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
