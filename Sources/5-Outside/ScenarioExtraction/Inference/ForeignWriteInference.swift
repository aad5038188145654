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
  /// Something that was done at the server.
  struct ForeignWrite {
    let time: Interval
    /// The event of the session before which it happened.
    let event: Int
    let action: Action
  }

  /// A value that was there, and until when.
  struct Version {
    let tree: Node
    let event: Int
    let time: Interval
  }

  let timeline: Timeline
  let names: [String]
  let epoch: Instant
  let sessionEvents: Int
  /// Whether what is at a location that was not asked for is known.
  let knowsData: Bool
  var server: ReferenceServer
  /// The server's tree at the beginning.
  var data: Node
  var security: [SecurityRule] = []
  var tokens: [String: Scenario.Token] = [:]
  private(set) var foreignWrites: [ForeignWrite] = []
  /// What the data were that a conditional write was made from, by the message.
  var bases: [Int: Node] = [:]
  /// The conditional writes that did not know of the newest data: since when.
  var late: [Int: Version] = [:]
  /// Messages of the server that it would send, by connection, and that were not received yet.
  var predicted: [Int: [ServerMessage]] = [:]
  /// By connection, what it received and how far that is explained.
  var received: [Int: [Int]] = [:]
  var position: [Int: Int] = [:]
  /// Where something is known of.
  var touched: [Path] = []
  let permissions: Permissions
  var versions: [Version] = []
  /// What came into a window and was not known before: it may have been there all the time.
  var hidden = Node.empty
  /// How many windows did not show what is taken for being there.
  var contradictions = 0

  /// Goes through the session; more than once where windows show what had been hidden.
  static func made(
    of timeline: Timeline, names: [String], _ session: ObservedSession, setup: Scenario?
  ) -> ForeignWriteInference {
    var best = ForeignWriteInference(
      timeline, names: names, of: session, setup: setup, hidden: .empty)
    best.run()
    var seed = best.hidden
    for _ in 0..<4 where !best.hidden.isEmpty {
      var other = ForeignWriteInference(
        timeline, names: names, of: session, setup: setup, hidden: seed)
      other.run()
      guard other.effort < best.effort else { break }
      for (path, node) in other.hidden.leaves { seed = seed.setting(node, at: path) }
      best = other
    }
    return best
  }

  /// How much had to be made up: an explanation with less is the better one.
  private var effort: Int { foreignWrites.count + contradictions }

  private init(
    _ timeline: Timeline, names: [String], of session: ObservedSession, setup: Scenario?,
    hidden: Node
  ) {
    self.timeline = timeline
    permissions = Permissions(timeline)
    self.names = names
    let header = session.file.header
    epoch = header.session?.epoch ?? Instant(milliseconds: 1_480_000_000_000)
    sessionEvents = session.file.trace.count
    let known = setup?.data ?? header.session.flatMap { $0.data.isEmpty ? nil : $0.data }
    knowsData = known != nil
    data = known ?? hidden
    tokens = setup?.tokens ?? [:]
    security = setup?.security ?? []
    let epoch = epoch
    server = ReferenceServer(
      data: data, security: security,
      tokens: tokens.mapValues { token in
        TokenClaims(user: token.user, expiry: token.lifetime.map { epoch + $0 })
      }, dialect: header.profile.dialect, host: "kennel.test", ranges: header.profile.ranges)
    for (index, message) in timeline.received.enumerated() {
      received[message.connection, default: []].append(index)
    }
  }

  mutating func record(_ action: Action, at time: Interval, before event: Int) {
    foreignWrites.append(ForeignWrite(time: time, event: event, action: action))
  }

  mutating func take(_ out: [ReferenceServer.Outgoing]) {
    for outgoing in out {
      predicted[outgoing.connection.number, default: []].append(outgoing.message)
    }
  }

  /// Remembers what the data were before they change.
  mutating func remember(_ event: Int, _ time: Interval) {
    versions.append(Version(tree: server.tree, event: event, time: time))
    if versions.count > 200 { versions.removeFirst(100) }
  }
}

extension Node {
  /// Every scalar in it, with its location. Priorities of what has children are left out.
  fileprivate var leaves: [(Path, Node)] {
    if isScalar { return [(.root, self)] }
    return children.flatMap { child in
      child.node.leaves.map { (Path([child.key]).appending($0.0), $0.1) }
    }
  }
}

extension ForeignWriteInference {
  private enum SessionEvent {
    case opened(Int)
    case request(Int)
    case ended(Int)
    case wrote(ReferenceServer.Write)
  }

  /// Goes through the session as the server saw it.
  mutating func run() {
    for (time, event, turn) in inOrder() {
      var out: [ReferenceServer.Outgoing] = []
      let now = epoch + time
      switch turn {
      case let .opened(connection):
        server.open(ReferenceServer.ConnectionID(connection), at: now, into: &out)
        take(out)
      case let .request(index): ask(index, at: time)
      case let .ended(connection):
        explainRest(of: connection, until: time, event)
        remember(event, time)
        server.close(ReferenceServer.ConnectionID(connection), at: now, into: &out)
        take(out)
      case let .wrote(write):
        remember(event, time)
        server.write(write, at: now, into: &out)
        touched += write.paths
        take(out)
      }
    }
    let last = timeline.moments.last?.time ?? .zero
    for connection in received.keys.sorted() {
      explainRest(of: connection, until: last, sessionEvents)
    }
  }

  private func inOrder() -> [(Interval, Int, SessionEvent)] {
    var turns: [(Interval, Int, SessionEvent)] = []
    var open: [Int: Int] = [:]
    for moment in timeline.moments {
      switch moment.what {
      case .opened:
        open[moment.client] = moment.connection
        turns.append((moment.time, moment.event, .opened(moment.connection)))
      case .closed, .disconnects, .killed:
        guard let connection = open.removeValue(forKey: moment.client) else { continue }
        var time = moment.time
        if case .disconnects = moment.what {
          time = time + timeline.latencies[moment.client].lowerBound
        }
        turns.append((time, moment.event, .ended(connection)))
      case let .sent(index):
        guard let arrival = timeline.sent[index].arrival else { continue }
        turns.append((arrival, moment.event, .request(index)))
      case let .wrote(path, node):
        turns.append((moment.time, moment.event, .wrote(.put(path, node))))
      case let .updated(path, parts):
        turns.append((moment.time, moment.event, .wrote(.merge(path, parts))))
      case .call, .connects, .refused, .received, .started, .fault: break
      }
    }
    return turns.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }
}
