internal import ClientInterface
internal import Faults
internal import RunModel
internal import Trace
internal import Tree

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
