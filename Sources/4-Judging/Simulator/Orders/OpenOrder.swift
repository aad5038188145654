internal import ClientInterface
package import Tree

/// What is under way in a run in which messages may take any time, and how late it is where.
///
/// Each location has a clock of its own, which moves only with what happens there: so two
/// deliveries to different locations leave the same behind in either order, the times included.
struct OpenOrder {
  /// In the order in which it came under way.
  var pending: [ScheduledEvent]
  /// How many deliveries and timers there were since the run had settled.
  var count = 0
  private var clients: [Interval]
  /// For each client, when the server did last what concerns only itself.
  private var sides: [Interval]
  /// When the server did last what concerns everyone.
  private var center: Interval
  /// What it has read and written since then and since it was equally late everywhere.
  private var accesses: [(server: Footprint.Server, time: Interval)] = []

  /// After how many of them without settling a run counts as one that never ends.
  static let countLimit = 10_000

  init(_ pending: [ScheduledEvent], clients count: Int, at now: Interval) {
    self.pending = pending
    clients = Array(repeating: now, count: count)
    sides = clients
    center = now
  }

  /// When something happens that is due then, but may be late.
  func time(of reach: Footprint, due: Interval) -> Interval {
    if reach.touchesEveryone { return max(due, latest) }
    var time = due
    if reach.touchesClient { time = max(time, clients[reach.client]) }
    switch reach.server {
    case .nothing: break
    case .ownSide: time = max(time, center, sides[reach.client])
    case .reads, .writes:
      time = max(time, center, sides[reach.client])
      for access in accesses where access.server.conflicts(with: reach.server) {
        time = max(time, access.time)
      }
    case .everything: time = sides.reduce(max(time, center)) { max($0, $1) }
    }
    return time
  }

  mutating func move(_ reach: Footprint, to time: Interval) {
    if reach.touchesEveryone { return join(at: time) }
    if reach.touchesClient { clients[reach.client] = time }
    switch reach.server {
    case .nothing: break
    case .ownSide: sides[reach.client] = time
    case .reads, .writes:
      sides[reach.client] = time
      accesses.append((reach.server, time))
    case .everything:
      center = time
      accesses = []
    }
  }

  /// The latest time that any location has seen.
  var latest: Interval { (clients + sides).reduce(center) { max($0, $1) } }

  /// Makes it equally late everywhere.
  mutating func join(at time: Interval) {
    for index in clients.indices {
      clients[index] = time
      sides[index] = time
    }
    center = time
    accesses = []
  }
}

/// What something that happens can read or change.
package struct Footprint: Hashable, Sendable {
  /// The client that it comes from or goes to; -1 for the server itself.
  package var client: Int
  package var touchesClient: Bool
  package var server: Server

  package enum Server: Hashable, Sendable {
    case nothing
    /// What the server keeps for this client.
    case ownSide
    /// What the server keeps for this client, what is stored at a location, and who listens there.
    case reads(Path)
    /// What the server keeps for this client, and what is stored at some locations, none of which
    /// becomes empty.
    case writes([Path])
    case everything
  }

  /// Whether it can touch every client as well.
  package var touchesEveryone = false
  /// The clients to which the server sends something in consequence, and those that cease to receive
  /// it, a bit for each. None before it has happened.
  var recipients: UInt64 = 0

  init(client: Int, touchesClient: Bool, server: Server) {
    self.client = client
    self.touchesClient = touchesClient
    self.server = server
  }

  /// The footprint of what may touch everything that the server has, and every client.
  package static var anything: Footprint {
    var reach = serverWrite
    reach.touchesEveryone = true
    return reach
  }

  /// Whether the order of two things can matter. Two for which it cannot may change places.
  package func conflicts(with other: Footprint) -> Bool {
    if touchesEveryone || other.touchesEveryone { return true }
    if touchesClient, other.touchesClient, client == other.client { return true }
    // What is sent to one client stays in its order, and is lost once the client has gone.
    if recipients & other.recipients != 0 { return true }
    if server == .nothing || other.server == .nothing { return false }
    if client == other.client { return true }
    return server.conflicts(with: other.server)
  }

  /// What a call of a client can touch: only itself, until its messages arrive.
  package static func call(of client: ClientNumber) -> Footprint {
    Footprint(client: client, touchesClient: true, server: .nothing)
  }

  /// What affects the process or the network of a client: it, and all that the server does in
  /// consequence.
  package static func fault(of client: ClientNumber) -> Footprint {
    Footprint(client: client, touchesClient: true, server: .everything)
  }

  /// What other clients do at the server.
  package static let serverWrite = Footprint(client: -1, touchesClient: false, server: .everything)

  /// The position of a client in the run.
  package typealias ClientNumber = Int
}

extension Footprint.Server {
  /// Whether two requests of different clients find or leave something else when they are exchanged,
  /// apart from what is sent.
  func conflicts(with other: Self) -> Bool {
    switch (self, other) {
    case (.nothing, _), (_, .nothing): false
    case (.everything, _), (_, .everything): true
    case (.ownSide, _), (_, .ownSide), (.reads, .reads): false
    case let (.reads(path), .writes(paths)), let (.writes(paths), .reads(path)):
      paths.contains { $0.isRelated(to: path) }
    case let (.writes(paths), .writes(others)):
      paths.contains { path in others.contains { $0.isRelated(to: path) } }
    }
  }
}

/// Something that is under way and can be the next thing to happen.
package struct Delivery: Hashable, Sendable {
  let scheduled: ScheduledEvent
  package let reach: Footprint
  /// The event of the trace that made it happen.
  package var cause: Int { scheduled.cause }

  /// What distinguishes it from everything else that is under way at the same time. It stays when
  /// other things happen.
  package var link: Link {
    switch scheduled.kind {
    case let .toServer(number): Link(kind: 0, number: Int(number))
    case let .toClient(number): Link(kind: 1, number: Int(number))
    case let .leave(number): Link(kind: 2, number: Int(number))
    case .attempt: Link(kind: 3, number: Int(scheduled.client))
    case .timer: Link(kind: 4, number: Int(scheduled.client))
    case let .fault(mark): Link(kind: 5, number: Int(mark))
    }
  }

  package struct Link: Hashable, Sendable {
    package var kind: Int
    package var number: Int
  }
}
