internal import ClientInterface
internal import Faults
internal import RunModel
internal import Trace
internal import Tree

/// What a watcher of a live server is shown: who is connected, what is stored, and the
/// traffic as it happens, on the page at `/` and by the port for control.
///
/// A value beside the server, which knows nothing of it. The caller hands it
/// what the server wants done, asks it first for requests that may be its own, and flushes it about
/// ten times a second. Without a watcher it only counts.
public struct Dashboard: Sendable {
  /// A file of the page.
  public struct File: Hashable, Sendable {
    /// The absolute path of the URL under which the file is served.
    public var path: String
    /// The value of its `Content-Type` header.
    public var type: String
    /// The content, as it is sent.
    public var bytes: [UInt8]

    /// A file that is served as it is under this path of the URL.
    public init(path: String, type: String, bytes: [UInt8]) {
      self.path = path
      self.type = type
      self.bytes = bytes
    }
  }

  /// How many may watch at once.
  static let maxWatchers = 16
  /// How many bytes may wait for one that watches; what comes meanwhile is only counted.
  static let maxWaiting = 1 << 18
  /// How long one that watches may take nothing, before it is left.
  static let timeout = Interval.seconds(30)
  /// How often the traffic is reported.
  static let period = Interval.milliseconds(100)
  /// How often something is sent although nothing happens.
  static let keepAlive = Interval.seconds(10)
  /// How many connections that have ended are remembered, and how long.
  static let maxEnded = 50
  static let memory = Interval.seconds(60)

  /// Who receives the traffic.
  struct Subscriber: Sendable {
    /// When it last took something.
    var lastSent: Instant
    /// How many things were not sent to it because it is slow.
    var missed = 0
  }

  /// What the page must show to switch faults.
  let token: String
  /// The page; empty where there is none.
  let files: [String: File]
  /// Whether faults may be switched.
  let hasControl: Bool
  var watchers: [Socket: Subscriber] = [:]
  /// Of the connections that are open.
  var tallies: [Int: TrafficCounts] = [:]
  /// Of those that have ended, the last one last.
  var ended: [TrafficCounts] = []
  var digest = TrafficSampler()
  /// Requests of REST without an answer, in words.
  var requests: [Socket: PendingRequest] = [:]
  private var lastFlush = Instant(nanoseconds: 0)

  /// - Parameters:
  ///   - token: A text that cannot be guessed.
  ///   - files: What there is of the page; empty for none. The page itself has the path `/`.
  ///   - hasControl: Whether there is a port for control: only then the page can switch faults.
  public init(token: String, files: [File] = [], hasControl: Bool = false) {
    self.token = token
    self.files = Dictionary(files.map { ($0.path, $0) }) { _, last in last }
    self.hasControl = hasControl
  }

  /// Whether anything of it can be seen.
  public var isOn: Bool { hasControl || !files.isEmpty }

  /// Whether there is a watcher now.
  var isWatched: Bool { !watchers.isEmpty }

  /// Sends those who watch what has happened; `waiting` knows how many bytes wait for one of them.
  public mutating func flush(by live: inout FaultyServer, waiting: (Socket) -> Int) {
    let now = live.now
    guard now - lastFlush >= Self.period || now < lastFlush else { return }
    lastFlush = now
    forgetEnded(at: now)
    guard isWatched else { return }
    let items = digest.drain(at: now)
    let text = items.map { "data: \($0.text)\n\n" }.joined()
    for socket in watchers.keys.sorted() {
      live.server.effects += reports(of: text, items.count, to: socket, waiting(socket), at: now)
    }
  }

  /// What one that watches is sent of the things in `text`.
  private mutating func reports(
    of text: String, _ count: Int, to socket: Socket, _ waiting: Int, at now: Instant
  ) -> [Effect] {
    guard var watcher = watchers[socket] else { return [] }
    var effects: [Effect] = []
    if waiting > Self.maxWaiting {
      watcher.missed += count
      watchers[socket] = watcher
      if now - watcher.lastSent > Self.timeout {
        watchers[socket] = nil
        effects.append(.close(socket, code: 1008, reason: "it does not read"))
      }
      return effects
    }
    if watcher.missed > 0 {
      let more = TrafficSampler.more(watcher.missed, of: nil, at: now)
      effects.append(.write(socket, "data: \(more.text)\n\n"))
      watcher.missed = 0
    }
    if count > 0 {
      effects.append(.write(socket, text))
      watcher.lastSent = now
    } else if now - watcher.lastSent >= Self.keepAlive {
      effects.append(.write(socket, ": nothing\n\n"))
      watcher.lastSent = now
    }
    watchers[socket] = watcher
    return effects
  }

  /// Ends what is sent to watchers.
  public mutating func shutDown(by live: inout FaultyServer) {
    for socket in watchers.keys.sorted() {
      live.server.effects.append(.close(socket, code: 1001, reason: "the server stops"))
    }
    watchers = [:]
  }

  private mutating func forgetEnded(at now: Instant) {
    ended.removeAll { now - ($0.end ?? now) > Self.memory }
  }

  /// A request has ended, however that came about.
  public mutating func closed(_ socket: Socket) {
    if watchers.removeValue(forKey: socket) != nil, !isWatched {
      digest = TrafficSampler()
      requests = [:]
    }
    requests[socket] = nil
  }
}

// Requests that are about watching, and not about data. Those of the page lie below `/.kennel/`,
// where no data can be: their paths end in `.json`.

extension Dashboard {
  private static let folder = "/.kennel/"
  private static let control = "/.kennel/control/"

  /// Whether a request that came by the port for clients is one of the page.
  public func isAsked(by request: HTTPRequest) -> Bool {
    !files.isEmpty && (request.path == "/" || request.path.hasPrefix(Self.folder))
  }

  /// Answers a request that came by the port for clients, if it is one of the page.
  ///
  /// - Returns: Whether it was one.
  public mutating func handle(
    _ request: HTTPRequest, from socket: Socket, by live: inout FaultyServer
  ) -> Bool {
    guard isAsked(by: request) else { return false }
    if let refusal = OriginPolicy.refusal(of: request) {
      live.server.effects.append(.respond(socket, refusal.protected))
    } else if request.path == Self.folder + "traffic", request.method == "GET" {
      begin(socket, &live)
    } else {
      let response = answer(request, by: &live)
      live.server.effects.append(.respond(socket, response.protected))
    }
    return true
  }

  private mutating func answer(_ request: HTTPRequest, by live: inout FaultyServer) -> HTTPResponse
  {
    if request.method == "GET" || request.method == "HEAD", let file = files[request.path] {
      return HTTPResponse(
        200, [.init("Content-Type", file.type)], body: request.method == "HEAD" ? [] : file.bytes)
    }
    switch (request.method, request.path) {
    case ("GET", Self.folder + "connections"):
      return HTTPResponse(200, json: overview(live))
    case ("POST", Self.folder + "tree"): return tree(request, live)
    default: break
    }
    guard request.path.hasPrefix(Self.control) else {
      return .error(404, "there is nothing here; the page is at /")
    }
    return disturb(request, by: &live)
  }

  /// Hands a request of the page on to control.
  private func disturb(_ request: HTTPRequest, by live: inout FaultyServer) -> HTTPResponse {
    guard hasControl else {
      return .error(403, "faults are switched by the port for control: start with --control P")
    }
    guard request.headers[OriginPolicy.header] == token else {
      return .error(403, "the header \(OriginPolicy.header) does not have the token of the page")
    }
    var inner = request
    inner.path = "/" + request.path.dropFirst(Self.control.count)
    return live.control(inner)
  }

  /// Answers a request that came by the port for control.
  public mutating func control(
    _ request: HTTPRequest, from socket: Socket, by live: inout FaultyServer
  ) {
    if let refusal = OriginPolicy.refusal(of: request) {
      live.server.effects.append(.respond(socket, refusal.protected))
      return
    }
    switch (request.method, request.path) {
    case ("GET", "/traffic"): begin(socket, &live)
    case ("GET", "/connections"):
      live.server.effects.append(
        .respond(socket, HTTPResponse(200, json: connections(live)).protected))
    default:
      let response = live.control(request)
      live.server.effects.append(.respond(socket, response.protected))
    }
  }

  /// Begins to report the traffic.
  private mutating func begin(_ socket: Socket, _ live: inout FaultyServer) {
    guard watchers.count < Self.maxWatchers else {
      let response = HTTPResponse.error(503, "\(Self.maxWatchers) watch already")
      live.server.effects.append(.respond(socket, response.protected))
      return
    }
    watchers[socket] = Subscriber(lastSent: live.now)
    let head = HTTPResponse(200, [.init("Content-Type", "text/event-stream; charset=utf-8")])
    live.server.effects.append(.begin(socket, head.protected))
    let hello: JSON = [
      "token": .string(token), "control": .bool(hasControl), "time": .number(live.now.milliseconds),
    ]
    live.server.effects.append(.write(socket, "retry: 1000\nevent: hello\ndata: \(hello.text)\n\n"))
  }
}

extension HTTPResponse {
  /// The answer with what keeps it from other origins and from being framed.
  var protected: HTTPResponse {
    var response = self
    response.headers += [
      .init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff"),
      .init("Cross-Origin-Resource-Policy", "same-origin"),
      .init("Referrer-Policy", "no-referrer"), .init("X-Frame-Options", "DENY"),
      .init(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ]
    return response
  }
}

// What happens, counted and put into words.

extension Dashboard {
  /// A request of REST that has no answer yet.
  struct PendingRequest: Sendable {
    let text: String
    let raw: String
    let namespace: String
  }

  /// How many requests without an answer are remembered.
  private static let maxAsked = 1000
  /// How much of a message is reported, in characters.
  static let maxRaw = 2000

  /// Records what the server wants done.
  public mutating func take(_ effects: [Effect], by live: FaultyServer) {
    let now = live.now
    for effect in effects {
      switch effect {
      case let .record(record, number): take(record, number, live, at: now)
      case let .reportProblem(text, number): take(finding: text, number, at: now)
      case let .found(finding, number):
        if finding.isNote {
          notify("note", finding.sentence, number, at: now)
        } else {
          take(finding: finding.sentence, number, at: now)
        }
      case let .fault(fault): take(fault, live, at: now)
      case let .respond(socket, response): answered(socket, response, at: now)
      default: break
      }
    }
  }

  private mutating func take(
    _ record: Effect.Record, _ number: Int, _ live: FaultyServer, at now: Instant
  ) {
    switch record {
    case let .opened(opening):
      var tally = TrafficCounts(number, opening.namespace, opening.dialect, at: now)
      tally.carrier = live.server.links[number]?.carrier.name ?? ""
      tally.client = opening.client ?? live.client(of: number).flatMap { live.name(of: $0) }
      tallies[number] = tally
      let previous = opening.previous.map { ", was connection \($0)" } ?? ""
      notify("open", "\(tally.carrier), \(opening.dialect)\(previous)", number, at: now)
    case .arrived, .departed: break
    case let .sent(text), let .left(text), let .garbled(text):
      tallies[number]?.fromClient.add(text)
      notify(text, number, fromClient: true, at: now)
    case let .received(text):
      tallies[number]?.toClient.add(text)
      notify(text, number, fromClient: false, at: now)
    case let .closed(ending):
      notify("close", "\(ending)", number, at: now)
      end(number, at: now)
    default: break
    }
  }

  private mutating func take(finding: String, _ number: Int, at now: Instant) {
    tallies[number]?.add(finding: finding)
    notify("finding", finding, number, at: now)
  }

  private mutating func take(_ fault: IndexedFault, _ live: FaultyServer, at now: Instant) {
    guard isWatched, digest.admits(0, .uncommon, at: now) else { return }
    let name = fault.client.flatMap { live.name(of: $0) }
    digest.items.append([
      "kind": "fault", "time": .number(now.milliseconds),
      "text": .string(Incident.fault(fault).text + (name.map { " (\($0))" } ?? "")),
    ])
  }

  private mutating func end(_ number: Int, at now: Instant) {
    guard var tally = tallies.removeValue(forKey: number) else { return }
    tally.end = now
    ended.append(tally)
    if ended.count > Self.maxEnded { ended.removeFirst() }
  }

  /// Reports something that happens seldom.
  private mutating func notify(_ kind: String, _ text: String, _ number: Int, at now: Instant) {
    guard isWatched, digest.admits(number, .uncommon, at: now) else { return }
    digest.items.append(item(kind, MessageSummary.shortened(text, to: 400), number, at: now))
  }

  /// Reports a message.
  private mutating func notify(_ text: String, _ number: Int, fromClient: Bool, at now: Instant) {
    guard isWatched, digest.admits(number, at: now) else { return }
    var reading = MessageSummary(of: text, fromClient: fromClient)
    if fromClient {
      tallies[number]?.asked(reading)
    } else if let asked = tallies[number]?.answered(reading.request) {
      reading.text += " (\(asked))"
    }
    digest.items.append(item(fromClient ? "in" : "out", reading.text, number, at: now, raw: text))
  }

  private func item(
    _ kind: String, _ text: String, _ number: Int, at now: Instant, raw: String? = nil
  ) -> JSON {
    let tally = tallies[number]
    return .object(having: [
      "kind": .string(kind), "time": .number(now.milliseconds),
      "connection": .number(Double(number)), "namespace": tally.map { .string($0.namespace) },
      "client": tally?.client.map { .string($0) }, "text": .string(text),
      "raw": raw.map { .string(MessageSummary.shortened($0, to: Self.maxRaw)) },
      "bytes": raw.map { .number(Double($0.utf8.count)) },
    ])
  }
}

extension Dashboard {
  /// Records a request of HTTP that is handed to the server.
  public mutating func take(_ request: HTTPRequest, on socket: Socket) {
    guard isWatched, request.path.hasSuffix(".json"), requests.count < Self.maxAsked else {
      return
    }
    let body = String(decoding: request.body.prefix(Self.maxRaw), as: UTF8.self)
    let arguments = request.arguments.filter { !RESTParameters.secrets.contains($0.name) }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    var text = "\(request.effectiveMethod) \(request.path.dropLast(".json".count))"
    if !arguments.isEmpty { text += "?\(arguments)" }
    if !body.isEmpty { text += " \(MessageSummary.shortened(body))" }
    requests[socket] = PendingRequest(
      text: MessageSummary.shortened(text, to: 400), raw: body, namespace: request.namespace)
  }

  private mutating func answered(_ socket: Socket, _ response: HTTPResponse, at now: Instant) {
    guard let asked = requests.removeValue(forKey: socket), digest.admits(0, at: now) else {
      return
    }
    let answer = String(decoding: response.body.prefix(Self.maxRaw), as: UTF8.self)
    let raw = asked.raw.isEmpty ? answer : "\(asked.raw)\n\n\(answer)"
    digest.items.append([
      "kind": "rest", "time": .number(now.milliseconds), "connection": 0,
      "namespace": .string(asked.namespace), "text": .string("\(asked.text) → \(response.status)"),
      "raw": .string(raw), "bytes": .number(Double(response.body.count)),
    ])
  }
}

extension ProtocolConnection.Carrier {
  /// What carries a connection, in words.
  var name: String {
    switch self {
    case .segments: "websocket"
    case let .engine(session): session.socket == nil ? "polling" : "engine.io websocket"
    case .longPoll: "long polling"
    case .events: "event stream"
    }
  }
}

/// What has gone over one connection, as far as a watcher wants to know it.
struct TrafficCounts: Sendable {
  struct Count: Hashable, Sendable {
    var messages = 0
    var bytes = 0

    mutating func add(_ text: String) {
      messages += 1
      bytes += text.utf8.count
    }
  }

  /// How many findings, and requests, are remembered.
  static let maxRemembered = 20

  let number: Int
  let namespace: String
  let dialect: String
  let began: Instant
  var carrier = ""
  /// What its client is called, if that is known.
  var client: String?
  var fromClient = Count()
  var toClient = Count()
  /// The last ones.
  private(set) var findings: [String] = []
  private(set) var findingCount = 0
  /// When it ended.
  var end: Instant?
  /// What the requests were that were reported last, until they are answered.
  private var requests: [Int: String] = [:]

  init(_ number: Int, _ namespace: String, _ dialect: String, at now: Instant) {
    self.number = number
    self.namespace = namespace
    self.dialect = dialect
    began = now
  }

  mutating func add(finding: String) {
    findingCount += 1
    findings.append(finding)
    if findings.count > Self.maxRemembered { findings.removeFirst() }
  }

  mutating func asked(_ reading: MessageSummary) {
    guard let number = reading.request else { return }
    if requests.count > Self.maxRemembered { requests.removeAll() }
    requests[number] = MessageSummary.shortened(reading.text, to: 60)
  }

  /// What a request was, once.
  mutating func answered(_ number: Int?) -> String? {
    number.flatMap { requests.removeValue(forKey: $0) }
  }
}
