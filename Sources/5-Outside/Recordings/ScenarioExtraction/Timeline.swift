internal import ClientInterface
internal import Faults
internal import Scenario
internal import Trace
internal import TraceFiles
internal import Tree
internal import Wire

/// A session sorted by who said what over which connection, and when it arrived.
struct Timeline {
  /// What happened at a client, or to the server. A message is one moment: that at its client.
  struct Moment {
    let kind: TraceEvent.Kind
    /// -1 for what is about no client.
    let client: Int
    /// The last connection that the client has opened; -1 before the first.
    var connection: Int
    let time: Interval
    /// The event of the session.
    let event: Int
    /// When a message left its sender; `nil` where that was not seen.
    var departure: Interval?
    /// When it arrived; `nil` for one that never did.
    var arrival: Interval?
    /// When it was lost under way, if that was seen.
    var loss: Interval?
    /// Whether a fault held messages of its client back: then its time says nothing about latency.
    var isHeld = false
    /// Whether a connection that was open ends.
    var isEnd = false
    /// The moment of the answer to a request, and the other way round.
    var counterpart: Int?
  }

  let session: ObservedSession
  /// What its clients are called in the scenario.
  let names: [String]
  /// In the order of the session.
  private(set) var moments: [Moment] = []
  /// The messages of the server that were lost under way. One that nobody saw is known by its question.
  private(set) var lost: [Moment] = []
  /// The clients whose calls are reported.
  private(set) var reported: Set<Int> = []
  /// How long messages take, by client.
  private(set) var latencies: [ClosedRange<Interval>] = []
  /// How clients began for the first time, where that is known.
  private(set) var openings: [Int: ClientInput.Opening] = [:]

  /// Who has sent conditional writes to a location.
  private var transactors: [Path: Set<Int>] = [:]
  private var links: [Link]
  private var connections = 0
  /// Where connections broke.
  private var ends: [Int: Moment] = [:]
  private var sawServer = false

  /// What lies between a client and the server.
  private struct Link {
    var connection = -1
    var isOpen = false
    /// What is under way: messages of the client, and when those to it left.
    var toServer: ArraySlice<Int> = []
    var toClient: ArraySlice<Interval> = []
    /// The requests without answers by their numbers.
    var asked: [Int: Int] = [:]
    /// Whether a fault holds messages back.
    var isStalled = false
    /// How long messages take; `nil` before the first one whose time is known.
    var latency: ClosedRange<Interval>?
  }

  init(_ session: ObservedSession) {
    self.session = session
    names = distinct(session.clientNames.map(\.asClientName))
    links = Array(repeating: Link(), count: names.count)
    for event in session.file.trace.events { take(event) }
    if !sawServer { estimateArrivals() }
    measureLatencies()
  }
}

// MARK: - What happened

extension Timeline {
  /// Takes what happened at a client, and what was written at the server.
  private mutating func take(_ event: TraceEvent) {
    let client = event.kind.client?.number ?? -1
    var moment = Moment(
      kind: event.kind, client: client, connection: client < 0 ? -1 : links[client].connection,
      time: event.time, event: event.sequence)
    switch event.kind {
    // A call from inside a callback is part of what was stated for the callback.
    case .input where event.isNestedCall: return
    case .input(_, .timer): return
    case let .input(_, .open(opening)) where openings[client] == nil:
      // The first process is there when a scenario begins.
      return openings[client] = opening
    case .input(_, .call): reported.insert(client)
    case .input(_, .opened):
      moment.connection = connections
      connections += 1
      (links[client].connection, links[client].isOpen) = (moment.connection, true)
      (links[client].toServer, links[client].asked) = ([], [:])
    case .input(_, .closed), .input(_, .close), .output(_, .disconnect):
      (moment.isEnd, links[client].isOpen) = (links[client].isOpen, false)
      if moment.input == .closed { ends[moment.connection] = moment }
    case let .input(_, .frame(message)):
      (moment.departure, moment.arrival) = (links[client].toClient.popFirst(), event.time)
      guard case let .response(response) = message else { break }
      moment.counterpart = links[client].asked.removeValue(forKey: response.request)
      if let question = moment.counterpart { moments[question].counterpart = moments.count }
    case let .output(_, .send(message)):
      (moment.departure, moment.isHeld) = (event.time, links[client].isStalled)
      links[client].toServer.append(moments.count)
      guard case let .request(number, request) = message else { break }
      links[client].asked[number] = moments.count
      if case let .put(path, _, _?) = request { transactors[path, default: []].insert(client) }
    case .input, .output(_, .connect), .output(_, .connectTo), .serverWrite, .serverUpdate: break
    default: return takeBetween(moment)
    }
    moments.append(moment)
  }

  /// Takes what happened between a client and the server.
  private mutating func takeBetween(_ moment: Moment) {
    let client = moment.client
    switch moment.kind {
    case .serverReceived:
      sawServer = true
      if let index = links[client].toServer.popFirst() { moments[index].arrival = moment.time }
    case .lostToServer:
      if let index = links[client].toServer.popFirst() { moments[index].loss = moment.time }
    case .serverSent: links[client].toClient.append(moment.time)
    case .lostToClient:
      guard let departure = links[client].toClient.popFirst() else { return }
      var moment = moment
      (moment.departure, moment.loss) = (departure, moment.time)
      lost.append(moment)
    case .serverOpened: links[client].toClient = []
    case let .fault(incident):
      guard let fault = incident.fault else { return }
      switch fault {
      case .stall: links[client].isStalled = true
      case .resume, .heal: links[client].isStalled = false
      default: break
      }
      moments.append(moment)
    case .step, .input, .output, .serverClosed, .serverWrite, .serverUpdate: break
    }
  }
}

// MARK: - How long it took

extension Timeline {
  /// An observer of clients only knows when a question left and its answer came: the server took it
  /// in the middle. What was not answered took as long as others; it was lost with its connection,
  /// or its answer was.
  private mutating func estimateArrivals() {
    var usual: [Int: Interval] = [:]
    for (index, message) in moments.enumerated() where message.isSent {
      guard let answer = message.counterpart else { continue }
      let half = Interval(nanoseconds: (moments[answer].time - message.time).nanoseconds / 2)
      moments[index].arrival = message.time + half
      usual[message.client] = min(usual[message.client] ?? half, half)
    }
    var last: [Int: Interval] = [:]
    for (index, message) in moments.enumerated() where message.isSent {
      var arrival = message.arrival ?? message.time + (usual[message.client] ?? .zero)
      let end = message.arrival == nil ? ends[message.connection] : nil
      if let end, arrival >= end.time {
        moments[index].loss = end.time
        continue
      }
      arrival = max(arrival, last[message.connection] ?? arrival)
      last[message.connection] = arrival
      moments[index].arrival = arrival
      guard let end, message.request != nil else { continue }
      lost.append(
        Moment(
          kind: message.kind, client: message.client, connection: message.connection,
          time: end.time, event: end.event, departure: arrival, loss: end.time))
    }
  }

  private mutating func measureLatencies() {
    for message in moments where message.isSent && !message.isHeld {
      guard let arrival = message.arrival else { continue }
      let way = max(.zero, arrival - message.time)
      let known = links[message.client].latency ?? way...way
      links[message.client].latency = min(known.lowerBound, way)...max(known.upperBound, way)
    }
    latencies = links.map { $0.latency ?? .zero ... .zero }
  }

  private static let latencyUnit = Scenario.Choice.latencyUnit

  /// Whether messages took no time: a server wrote down the session.
  var isImmediate: Bool { latencies.allSatisfy { $0.upperBound == .zero } }

  /// Whether every message of a client took the same time.
  var isUniform: Bool {
    latencies.allSatisfy { $0.upperBound - $0.lowerBound < Self.latencyUnit }
  }

  /// From how long on it is certain that nothing is under way.
  var pause: Interval {
    let longest = latencies.map(\.upperBound).max() ?? .zero
    return longest == .zero ? .milliseconds(20) : longest + longest
  }

  /// How long messages of the clients take; exactly with room for whatever came later still.
  func latency(exactly isExact: Bool) -> Scenario.Latency {
    let own = latencies.map { range in
      let low = Self.floor(range.lowerBound)
      return isExact ? low...(low + .seconds(60)) : low...low
    }
    if let first = own.first, own.allSatisfy({ $0 == first }) { return .init(first) }
    return .init(overrides: zip(names, own).map { .init(client: $0, range: $1) })
  }

  /// By how much each message came later than the fastest. One that was lost is on its way until
  /// then: otherwise it would arrive.
  var choices: [Scenario.Choice] {
    let received = (moments.filter { $0.received != nil } + lost).sorted { $0.event < $1.event }
    return choices(of: moments.filter(\.isSent), .fromClient) + choices(of: received, .toClient)
  }

  private func choices(
    of messages: [Moment], _ direction: Scenario.Choice.Direction
  ) -> [Scenario.Choice] {
    var counts = [Int](repeating: 0, count: names.count)
    return messages.compactMap { message in
      counts[message.client] += 1
      // Delays are rounded down: it must not arrive at the last moment.
      guard
        let departure = message.departure ?? message.counterpart.flatMap({ moments[$0].arrival }),
        let end = message.arrival ?? message.loss.map({ $0 + .milliseconds(10) })
      else { return nil }
      let fastest = Self.floor(latencies[message.client].lowerBound)
      let late = Self.floor(end - departure - fastest)
      guard late > .zero, late < .seconds(60) else { return nil }
      return .message(
        counts[message.client], direction, client: names[message.client], late: late)
    }
  }

  private static func floor(_ time: Interval) -> Interval {
    Interval(nanoseconds: time.nanoseconds / latencyUnit.nanoseconds * latencyUnit.nanoseconds)
  }
}

// MARK: - Questions

extension Timeline {
  /// Whether several clients have sent conditional writes to a location.
  func isContended(_ path: Path) -> Bool { (transactors[path]?.count ?? 0) > 1 }

  /// What the client of a moment has sent over the connection that it had then.
  func sent(overConnectionOf moment: Moment) -> [Moment] {
    moments.filter {
      $0.isSent && $0.client == moment.client && $0.connection == moment.connection
    }
  }

  /// What a request was answered with.
  func response(to request: Moment) -> ServerMessage.Response? {
    guard let answer = request.counterpart,
      case let .response(response)? = moments[answer].received
    else { return nil }
    return response
  }

  /// Whether anything was written between two moments, except by a client.
  func hasWrites(besides client: Int, from first: Moment, to last: Moment) -> Bool {
    moments.contains { moment in
      moment.client != client && first.event < moment.event && moment.event < last.event
        && (moment.foreignWrite != nil || moment.request?.changesData == true)
    }
  }

  /// The first event of the session at a time or later; `nil` when there is none.
  func firstEvent(from time: Interval) -> Int? {
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low < moments.count ? moments[low].event : nil
  }
}

extension Timeline.Moment {
  /// Whether it is a message of its client.
  var isSent: Bool { if case .output(_, .send) = kind { true } else { false } }

  /// The request, when it is one.
  var request: Request? { if case let .output(_, output) = kind { output.request } else { nil } }

  /// What its client was given, when it is that.
  var input: ClientInput? { if case let .input(_, input) = kind { input } else { nil } }

  /// The message of the server that the client received, when it is one.
  var received: ServerMessage? { if case let .frame(message)? = input { message } else { nil } }

  /// What was written at the server by no client of the session, when it is that.
  var foreignWrite: ServerWrite? {
    switch kind {
    case let .serverWrite(path, node): ServerWrite(path, node)
    case let .serverUpdate(path, parts): .update(path, parts)
    default: nil
    }
  }
}

extension ServerWrite {
  init(_ path: Path, _ node: Node) { self = node.isEmpty ? .remove(path) : .set(path, node) }
}

extension Request {
  /// Whether it writes now.
  var changesData: Bool { [.put, .merge].contains(action) }

  /// What it listens to, when it is a listen.
  var asListen: Listen? { if case let .listen(listen) = self { listen } else { nil } }
}
