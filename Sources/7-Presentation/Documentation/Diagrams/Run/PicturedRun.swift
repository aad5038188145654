package import ClientInterface
public import Conformance
public import Trace
public import TraceFiles
public import Tree
internal import Wire

/// A run as pictures need it: it comes from a run that was just made, or from a file.
public struct PicturedRun: Sendable {
  /// The title of the scenario that ran.
  public var title: String
  /// The names of the clients, in order of their index.
  public var clients: [String]
  /// Everything that happened in the run, from which the picture selects.
  public var trace: Trace
  /// How the run was judged, as reports call it.
  public var verdict: String
  /// What was wrong, the first first.
  public var failures: [Failure]

  /// Something that was wrong.
  public struct Failure: Hashable, Sendable {
    /// The divergence in one sentence, as reports word it.
    public var sentence: String
    /// The number of the event by which it became apparent; `nil` when nothing led there.
    public var event: Int?
    /// What tells most about it, a sentence each.
    var clues: [String] = []
    /// What a conforming client does and the client never does, where the failure follows from that.
    package var missing: Missing?

    /// Something that is not in the run.
    package struct Missing: Hashable, Sendable {
      /// The number of the event after which it should be.
      package var event: Int
      var time: Interval
      /// The name of the client.
      var client: String
      package var text: String
    }

    /// Describes a failure by its sentence and the number of the event that showed it, if any.
    public init(_ sentence: String, event: Int?) {
      self.sentence = sentence
      self.event = event
    }
  }

  /// Describes a run by its parts; without a verdict and failures it counts as passed.
  public init(
    title: String, clients: [String], trace: Trace, verdict: String = "pass",
    failures: [Failure] = []
  ) {
    self.title = title
    self.clients = clients
    self.trace = trace
    self.verdict = verdict
    self.failures = failures
  }

  /// The run that a file holds.
  public init(_ file: TraceFile) {
    self.init(
      title: file.header.title, clients: file.header.clients, trace: file.trace,
      verdict: file.end.verdict.rawValue,
      failures: file.end.divergences.map(Failure.init))
  }

  /// A run that was just made, with its events.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - divergences: What was wrong, where more is known of it than the run says itself.
  public init(_ result: ScenarioResult, divergences: [JSON]? = nil) {
    var file = TraceFile(of: result, client: "", kit: "", sources: [])
    if let divergences { file.end.divergences = divergences }
    self.init(file)
  }
}

extension PicturedRun.Failure {
  /// A divergence as reports in JSON have it.
  fileprivate init(_ json: JSON) {
    self.init(json["sentence"]?.string ?? "", event: json["event"]?.integer)
    clues = json["clues"]?.elements?.compactMap(\.string) ?? []
    guard let missing = json["missing"], let event = missing["after"]?.integer,
      let client = missing["client"]?.string, let text = missing["text"]?.string,
      let time = missing["t"].flatMap({ try? Interval($0, called: "t") })
    else { return }
    self.missing = Missing(event: event, time: time, client: client, text: text)
  }

  /// Everything that is said of it.
  var sentences: [String] { [sentence] + clues }
}

/// Who takes part in a run, from left to right.
package struct Participants {
  package let clients: [String]
  /// The column of the server.
  package let server: Int

  package enum ServerPosition {
    /// Messages of different clients do not cross.
    case middle
    /// The first client, which most is about, stands alone on its side.
    case second
  }

  package init(clients: [String], server position: ServerPosition = .middle) {
    self.clients = clients
    server =
      switch position {
      case .middle: (clients.count + 1) / 2
      case .second: min(1, clients.count)
      }
  }

  package var count: Int { clients.count + 1 }

  /// The names from left to right.
  package var names: [String] { clients[..<server] + ["server"] + clients[server...] }

  package func column(of client: ClientIndex) -> Int {
    client.number < server ? client.number : client.number + 1
  }

  /// The columns that a message goes from and to.
  func ends(of transit: MessageTransit) -> (from: Int, to: Int) {
    switch transit.content {
    case .toServer: (column(of: transit.client), server)
    case .toClient: (server, column(of: transit.client))
    }
  }

  /// The column at the other end of a message, or of a connection of the server; `nil` for what
  /// happens in one column.
  package func otherColumn(of event: TraceEvent) -> Int? {
    if let transit = event.transit {
      let (from, to) = ends(of: transit)
      return from == column(of: event) ? to : from
    }
    switch event.kind {
    case let .serverOpened(client, _), let .serverClosed(client, _): return column(of: client)
    default: return nil
    }
  }

  /// Where an event happens; `nil` for a step, which happens everywhere.
  package func column(of event: TraceEvent) -> Int? {
    switch event.kind {
    case .step: nil
    case let .input(client, _), let .output(client, _): column(of: client)
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .serverWrite, .serverUpdate:
      server
    case let .lostToServer(client, _), let .lostToClient(client, _): column(of: client)
    case let .fault(incident): incident.client.map(column) ?? server
    }
  }
}

/// Which events of a run a picture shows, in their order.
struct EventSelection {
  private(set) var events: [TraceEvent] = []
  /// How many that would be worth showing are not shown.
  private(set) var omitted = 0
  /// Whether only what led to the failure is shown.
  private(set) var isSlice = false
  /// The numbers of the events that led to the failure.
  private(set) var causes: Set<Int> = []

  /// More events than this make no picture: of a run that failed what led there is shown, and of
  /// another one the beginning.
  static let limit = 400

  init(of run: PicturedRun) {
    let worthwhile = Self.withoutRoutine(run.trace)
    if let event = run.failures.first?.event {
      causes = Set(run.trace.causes(of: event).map(\.sequence))
    }
    guard worthwhile.count > Self.limit else {
      events = worthwhile
      return
    }
    if causes.isEmpty {
      events = Array(worthwhile.prefix(Self.limit))
    } else {
      isSlice = true
      events = Self.slice(run.trace, causes)
    }
    omitted = worthwhile.count - events.count
  }

  /// What led there, with the steps in which it happened; of a very long way the end.
  private static func slice(_ trace: Trace, _ causes: Set<Int>) -> [TraceEvent] {
    let steps = Set(trace.events.filter { causes.contains($0.sequence) }.map(\.step))
    return trace.events.filter { event in
      if case .step = event.kind { return steps.contains(event.step) }
      return causes.contains(event.sequence)
    }.suffix(limit)
  }

  /// What is left without timers, storage, counters and other things that say nothing about order.
  private static func withoutRoutine(_ trace: Trace) -> [TraceEvent] {
    let statistics = trace.statistics
    var opened: Set<ClientIndex> = []
    return trace.events.filter { event in
      if statistics.contains(event.sequence) { return false }
      switch event.kind {
      case let .input(client, .open): return !opened.insert(client).inserted
      case .input(_, .timer), .output(_, .setTimer), .output(_, .cancelTimer), .output(_, .store),
        .output(_, .erase), .output(_, .log), .output(_, .calling), .output(_, .returned):
        return false
      case .input, .output, .step, .serverReceived, .serverSent, .lostToServer, .lostToClient,
        .serverOpened, .serverClosed, .fault, .serverWrite, .serverUpdate:
        return true
      }
    }
  }
}

extension Trace {
  /// The numbers of the events by which statistics go to the server, and the answers come back.
  var statistics: Set<Int> {
    var found: Set<Int> = []
    for event in events {
      switch event.kind {
      case .output(_, .send(.request(_, .stats))): found.insert(event.sequence)
      case .serverReceived, .serverSent, .input(_, .frame), .lostToServer, .lostToClient:
        if let cause = event.cause, found.contains(cause) { found.insert(event.sequence) }
      default: break
      }
    }
    return found
  }
}
