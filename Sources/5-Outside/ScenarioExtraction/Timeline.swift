internal import ClientInterface
internal import Faults
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
    let connection: Int
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
    /// The moment of the answer to a request, and the other way round.
    var counterpart: Int?
  }

  /// In the order of the session.
  private(set) var moments: [Moment] = []
  /// Which of them are messages of clients.
  private(set) var sent: [Int] = []
  /// The messages of the server that were lost under way.
  private(set) var lost: [Moment] = []
  /// The clients whose calls are reported.
  private(set) var reported: Set<Int> = []
  /// How long messages take, by client.
  private(set) var latencies: [ClosedRange<Interval>]
  /// How clients began for the first time, where that is known.
  private(set) var openings: [Int: ClientInput.Opening] = [:]

  /// Who has sent conditional writes to a location.
  private var transactors: [Path: Set<Int>] = [:]
  private var connection: [Int]
  private var connections = 0
  /// When connections broke.
  private var ends: [Int: Interval] = [:]
  /// What is under way: messages of each client, and when those to it left.
  private var toServer: [ArraySlice<Int>]
  private var toClient: [ArraySlice<Interval>]
  /// By connection, the requests without answers by their numbers.
  private var asked: [Int: [Int: Int]] = [:]
  private var sawServer = false
  /// The clients whose messages a fault holds back.
  private var stalled: Set<Int> = []

  init(_ session: ObservedSession) {
    let count = session.file.header.clients.count
    connection = Array(repeating: -1, count: count)
    toServer = Array(repeating: [], count: count)
    toClient = Array(repeating: [], count: count)
    latencies = Array(repeating: .zero ... .zero, count: count)
    for event in session.file.trace.events { take(event) }
    if !sawServer { estimateArrivals() }
    measureLatencies()
  }
}

// MARK: - What happened

extension Timeline {
  private mutating func take(_ event: TraceEvent) {
    let client = event.kind.client?.number ?? -1
    switch event.kind {
    // A call from inside a callback is part of what was stated for the callback.
    case .input where event.isNestedCall: break
    case let .input(_, input): take(input, client, event)
    case let .output(_, .send(message)): take(message, client, event)
    case .serverReceived:
      sawServer = true
      if let index = toServer[client].popFirst() { moments[index].arrival = event.time }
    case .lostToServer:
      if let index = toServer[client].popFirst() { moments[index].loss = event.time }
    case .serverSent: toClient[client].append(event.time)
    case .lostToClient:
      var moment = moment(of: event)
      (moment.departure, moment.loss) = (toClient[client].popFirst(), event.time)
      if moment.departure != nil { lost.append(moment) }
    case .serverOpened: toClient[client] = []
    case .output(_, .connect), .output(_, .connectTo), .output(_, .disconnect), .serverWrite,
      .serverUpdate:
      moments.append(moment(of: event))
    case let .fault(incident):
      guard let fault = incident.fault else { return }
      switch fault {
      case .stall: stalled.insert(client)
      case .resume, .heal: stalled.remove(client)
      default: break
      }
      moments.append(moment(of: event))
    case .output, .step, .serverClosed: break
    }
  }

  private mutating func take(_ message: ClientMessage, _ client: Int, _ event: TraceEvent) {
    if case let .request(number, request) = message {
      asked[connection[client], default: [:]][number] = moments.count
      if case let .put(path, _, _?) = request { transactors[path, default: []].insert(client) }
    }
    toServer[client].append(moments.count)
    sent.append(moments.count)
    var moment = moment(of: event)
    moment.departure = event.time
    moment.isHeld = stalled.contains(client)
    moments.append(moment)
  }

  private mutating func take(_ input: ClientInput, _ client: Int, _ event: TraceEvent) {
    switch input {
    case .call: reported.insert(client)
    case .opened:
      connection[client] = connections
      connections += 1
      toServer[client] = []
    case .closed: ends[connection[client]] = event.time
    case let .open(opening) where openings[client] == nil:
      // The first process is there when a scenario begins.
      openings[client] = opening
      return
    case .timer: return
    case .frame, .refused, .open, .close: break
    }
    var moment = moment(of: event)
    if case let .frame(message) = input {
      (moment.departure, moment.arrival) = (toClient[client].popFirst(), event.time)
      if case let .response(response) = message,
        let question = asked[connection[client]]?.removeValue(forKey: response.request)
      {
        moment.counterpart = question
        moments[question].counterpart = moments.count
      }
    }
    moments.append(moment)
  }

  private func moment(of event: TraceEvent) -> Moment {
    let client = event.kind.client?.number ?? -1
    return Moment(
      kind: event.kind, client: client, connection: client < 0 ? -1 : connection[client],
      time: event.time, event: event.sequence)
  }
}

// MARK: - How long it took

extension Timeline {
  /// An observer of clients only knows when a question left and its answer came: the server took it
  /// in the middle. What was not answered took as long as others, or was lost with its connection.
  private mutating func estimateArrivals() {
    var usual: [Int: Interval] = [:]
    for index in sent {
      let message = moments[index]
      guard let answer = message.counterpart else { continue }
      let way = moments[answer].time - message.time
      let half = Interval(nanoseconds: way.nanoseconds / 2)
      moments[index].arrival = message.time + half
      usual[message.client] = min(usual[message.client] ?? half, half)
    }
    var last: [Int: Interval] = [:]
    for index in sent {
      let message = moments[index]
      var arrival = message.arrival ?? message.time + (usual[message.client] ?? .zero)
      if message.arrival == nil, let end = ends[message.connection], arrival >= end { continue }
      arrival = max(arrival, last[message.connection] ?? arrival)
      last[message.connection] = arrival
      moments[index].arrival = arrival
    }
  }

  private mutating func measureLatencies() {
    var ways: [Int: ClosedRange<Interval>] = [:]
    for index in sent {
      let message = moments[index]
      guard let arrival = message.arrival, !message.isHeld else { continue }
      let way = max(.zero, arrival - message.time)
      let known = ways[message.client] ?? way...way
      ways[message.client] = min(known.lowerBound, way)...max(known.upperBound, way)
    }
    for (client, range) in ways { latencies[client] = range }
  }
}

// MARK: - Questions

extension Timeline {
  /// Whether several clients have sent conditional writes to a location.
  func isContended(_ path: Path) -> Bool { (transactors[path]?.count ?? 0) > 1 }

  /// Whether messages took no time: a server wrote down the session.
  var isImmediate: Bool { latencies.allSatisfy { $0.upperBound == .zero } }

  /// What the client of a moment has sent over the connection that it had then.
  func sent(overConnectionOf moment: Moment) -> [Moment] {
    sent.filter {
      moments[$0].client == moment.client && moments[$0].connection == moment.connection
    }.map { moments[$0] }
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
      guard moment.client != client, first.event < moment.event, moment.event < last.event else {
        return false
      }
      switch moment.kind {
      case .serverWrite, .serverUpdate: return true
      default: return moment.request?.changesData ?? false
      }
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
  /// The request, when it is one.
  var request: Request? {
    if case let .output(_, .send(.request(_, request))) = kind { request } else { nil }
  }

  /// The message of the server that the client received, when it is one.
  var received: ServerMessage? {
    if case let .input(_, .frame(message)) = kind { message } else { nil }
  }

  /// The fault that happened, when it is one.
  var fault: IndexedFault? { if case let .fault(incident) = kind { incident.fault } else { nil } }
}

extension Request {
  /// Whether it writes now.
  var changesData: Bool { [.put, .merge].contains(action) }

  /// What it listens to, when it is a listen.
  var asListen: Listen? { if case let .listen(listen) = self { listen } else { nil } }
}
