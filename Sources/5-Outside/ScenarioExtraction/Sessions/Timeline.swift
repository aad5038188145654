internal import ClientInterface
internal import Faults
internal import Trace
internal import TraceFiles
internal import Tree
internal import Wire

/// A session sorted by who said what over which connection, and when it arrived.
struct Timeline {
  /// A message of a client.
  struct Sent {
    let client: Int
    let connection: Int
    let message: ClientMessage
    /// When the client sent it, and the event of the session.
    let time: Interval
    let event: Int
    /// When the server took it; `nil` for one that it never got.
    var arrival: Interval?
    /// When it was lost under way, if that was seen.
    var loss: Interval?
    /// Its answer among `received`.
    var answer: Int?
  }

  /// A message of the server that reached its client.
  struct Received {
    let client: Int
    let connection: Int
    let message: ServerMessage
    let time: Interval
    let event: Int
    /// When the server sent it, if that was seen.
    var departure: Interval?
  }

  /// A message of the server that was lost under way.
  struct Lost {
    let client: Int
    let departure: Interval
    let time: Interval
    /// How many messages had been received then.
    let receivedCount: Int
  }

  /// What else happened, in the order of the session.
  struct Occurrence {
    enum What {
      case call(CallID, Operation)
      case connects
      case opened
      case refused
      case closed
      case disconnects
      /// Its process ended, or another one began.
      case killed
      case started
      case sent(Int)
      case received(Int)
      case wrote(Path, Node)
      case updated(Path, [Assignment])
      /// Something happened to the network of the client, or to the server.
      case fault(IndexedFault)
    }

    let what: What
    let client: Int
    let connection: Int
    let time: Interval
    let event: Int
  }

  private(set) var sent: [Sent] = []
  private(set) var received: [Received] = []
  private(set) var lost: [Lost] = []
  private(set) var moments: [Occurrence] = []
  /// The clients whose calls are reported.
  private(set) var reported: Set<Int> = []
  /// How long messages take, by client.
  private(set) var latencies: [ClosedRange<Interval>]

  /// What clients keep over the end of their processes, where that is known.
  private(set) var persistence: [Int: ClientInput.Persistence] = [:]

  /// Where several clients have sent conditional writes.
  private var contended: Set<Path> = []
  private var opened: Set<Int> = []
  private var connection: [Int]
  private var connections = 0
  private var toServer: [[Int]]
  private var toClient: [[Interval]]
  private var asked: [Int: [Int: Int]] = [:]
  private var sawServer = false

  init(_ session: ObservedSession) {
    let count = session.file.header.clients.count
    connection = Array(repeating: -1, count: count)
    toServer = Array(repeating: [], count: count)
    toClient = Array(repeating: [], count: count)
    latencies = Array(repeating: .zero ... .zero, count: count)
    for event in session.file.trace.events { take(event) }
    if !sawServer { estimateArrivals() }
    measureLatencies()
    var writers: [Path: Int] = [:]
    for message in sent {
      guard case let .put(path, _, _?)? = message.request else { continue }
      if writers.updateValue(message.client, forKey: path) ?? message.client != message.client {
        contended.insert(path)
      }
    }
  }

  /// Whether several clients have sent conditional writes to a location.
  func isContended(_ path: Path) -> Bool { contended.contains(path) }

  /// Whether messages took no time: a server wrote down the session.
  var isImmediate: Bool { latencies.allSatisfy { $0.upperBound == .zero } }

  /// Whether anything was written between two events, except by a client.
  func hasWrites(besides client: Int, from first: Int, to last: Int) -> Bool {
    moments.contains { moment in
      guard moment.client != client, first < moment.event, moment.event < last else { return false }
      switch moment.what {
      case .wrote, .updated: return true
      case let .sent(index):
        switch sent[index].request {
        case .put?, .merge?: return true
        default: return false
        }
      default: return false
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

  private mutating func take(_ event: TraceEvent) {
    switch event.kind {
    // A call from inside a callback is part of what was stated for the callback.
    case .input where event.isNestedCall: break
    case let .input(client, input): take(input, client.number, event)
    case let .output(client, output): take(output, client.number, event)
    case let .serverReceived(client, _):
      sawServer = true
      if !toServer[client.number].isEmpty {
        sent[toServer[client.number].removeFirst()].arrival = event.time
      }
    case let .serverSent(client, _): toClient[client.number].append(event.time)
    case let .lostToServer(client, _):
      if !toServer[client.number].isEmpty {
        sent[toServer[client.number].removeFirst()].loss = event.time
      }
    case let .lostToClient(client, _):
      if !toClient[client.number].isEmpty {
        lost.append(
          Lost(
            client: client.number, departure: toClient[client.number].removeFirst(),
            time: event.time, receivedCount: received.count))
      }
    case let .serverWrite(path, node): append(.wrote(path, node), -1, event)
    case let .serverUpdate(path, parts): append(.updated(path, parts), -1, event)
    case let .serverOpened(client, _): toClient[client.number] = []
    case let .fault(incident):
      guard let fault = incident.fault else { return }
      append(.fault(fault), incident.client?.number ?? -1, event)
    case .step, .serverClosed: break
    }
  }

  private mutating func take(_ input: ClientInput, _ client: Int, _ event: TraceEvent) {
    switch input {
    case let .call(id, operation):
      reported.insert(client)
      append(.call(id, operation), client, event)
    case .opened:
      connection[client] = connections
      connections += 1
      toServer[client] = []
      append(.opened, client, event)
    case .refused: append(.refused, client, event)
    case .closed: append(.closed, client, event)
    case let .frame(message):
      let departure = toClient[client].isEmpty ? nil : toClient[client].removeFirst()
      let index = received.count
      received.append(
        Received(
          client: client, connection: connection[client], message: message, time: event.time,
          event: event.sequence, departure: departure))
      if case let .response(response) = message,
        let question = asked[connection[client]]?.removeValue(forKey: response.request)
      {
        sent[question].answer = index
      }
      append(.received(index), client, event)
    case let .open(opening): open(opening, client, event)
    case .close: append(.killed, client, event)
    case .timer: break
    }
  }

  /// The first process is there when a scenario begins.
  private mutating func open(
    _ opening: ClientInput.Opening, _ client: Int, _ event: TraceEvent
  ) {
    if opened.insert(client).inserted {
      persistence[client] = opening.persistence
    } else {
      append(.started, client, event)
    }
  }

  private mutating func take(_ output: ClientOutput, _ client: Int, _ event: TraceEvent) {
    switch output {
    case .connect, .connectTo: append(.connects, client, event)
    case .disconnect: append(.disconnects, client, event)
    case let .send(message):
      let index = sent.count
      sent.append(
        Sent(
          client: client, connection: connection[client], message: message, time: event.time,
          event: event.sequence))
      if case let .request(number, _) = message {
        asked[connection[client], default: [:]][number] = index
      }
      toServer[client].append(index)
      append(.sent(index), client, event)
    default: break
    }
  }

  private mutating func append(_ what: Occurrence.What, _ client: Int, _ event: TraceEvent) {
    moments.append(
      Occurrence(
        what: what, client: client, connection: client < 0 ? -1 : connection[client],
        time: event.time, event: event.sequence))
  }
}

extension Timeline {
  /// An observer of clients only knows when a question left and its answer came: the server took it
  /// in the middle. What was not answered took as long as others, or was lost with its connection.
  private mutating func estimateArrivals() {
    var usual = [Interval?](repeating: nil, count: connection.count)
    for index in sent.indices {
      guard let answer = sent[index].answer else { continue }
      let half = Interval(nanoseconds: (received[answer].time - sent[index].time).nanoseconds / 2)
      sent[index].arrival = sent[index].time + half
      usual[sent[index].client] = min(usual[sent[index].client] ?? half, half)
    }
    let ends = ends()
    var last: [Int: Interval] = [:]
    for index in sent.indices {
      let message = sent[index]
      var arrival = message.arrival ?? message.time + (usual[message.client] ?? .zero)
      if message.arrival == nil, let end = ends[message.connection], arrival >= end { continue }
      if let last = last[message.connection] { arrival = max(arrival, last) }
      last[message.connection] = arrival
      sent[index].arrival = arrival
    }
  }

  /// When connections broke.
  private func ends() -> [Int: Interval] {
    var ends: [Int: Interval] = [:]
    for moment in moments {
      if case .closed = moment.what { ends[moment.connection] = moment.time }
    }
    return ends
  }

  private mutating func measureLatencies() {
    let stalls = StalledTimes(moments)
    var ways: [[Interval]] = Array(repeating: [], count: connection.count)
    for message in sent where !stalls.contains(message.time, of: message.client) {
      guard let arrival = message.arrival else { continue }
      ways[message.client].append(max(.zero, arrival - message.time))
    }
    for (client, times) in ways.enumerated() {
      guard let low = times.min(), let high = times.max() else { continue }
      latencies[client] = low...high
    }
  }
}
