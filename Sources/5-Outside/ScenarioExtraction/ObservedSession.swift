internal import ClientInterface
public import Document
public import Recordings
internal import Scenario
internal import Trace
public import TraceFiles
internal import Tree
internal import Vocabulary
internal import Wire

/// What is known of a recorded session: what clients and server said to each
/// other, and perhaps what applications asked for and received.
public struct ObservedSession: Sendable {
  /// What is between recordings of one session and their being put together.
  public enum Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
    case profiles(String, String)
    case nothing

    public var description: String {
      switch self {
      case let .profiles(first, second):
        "\(first) and \(second) are of clients of different families; they are of no one session"
      case .nothing: "there is no recording"
      }
    }
  }

  /// All that happened, in order.
  var file: TraceFile
  /// Whether the server, or an observer of everything, wrote down the times: then the order between
  /// clients is right. Otherwise the clients did, each for itself.
  let seesServer: Bool
  /// What could not be read, and whatever else its user must know; one line each.
  public var warnings: [String]

  /// The session of a trace. One of a run in virtual time is a session as well.
  public init(_ file: TraceFile) {
    self.file = file
    seesServer = true
    warnings = file.cut.map { ["\($0); using what comes before"] } ?? []
  }

  /// Puts recordings of one session together, by the time on their clients' clocks.
  ///
  /// - Parameter recordings: One for each client, at least one.
  /// - Throws: ``Mismatch`` when they cannot be of one session.
  public init(_ recordings: [Recording]) throws(Mismatch) {
    guard let first = recordings.first else { throw .nothing }
    for other in recordings where other.profile != first.profile {
      throw .profiles(first.file, other.file)
    }
    let epoch = recordings.map(\.epoch).min() ?? first.epoch
    let names = distinct(recordings.map { $0.name.isEmpty ? "client" : $0.name })
    let entries = recordings.enumerated().flatMap { index, recording in
      recording.entries(of: ClientIndex(index), after: recording.epoch - epoch)
    }.enumerated().sorted {
      ($0.element.time, $0.element.rank, $0.offset) < ($1.element.time, $1.element.rank, $1.offset)
    }.map(\.element)
    seesServer = recordings.allSatisfy(\.isOfServer)
    let header = TraceFile.Header(
      kit: "", scenario: "", title: "A session of \(names.joined(separator: ", "))", file: "",
      profile: first.profile, seed: UInt64(max(0, first.seed)), client: "recorded", clients: names,
      judging: .expectations, choices: [], sources: [],
      session: TraceFile.LiveSession(epoch: epoch))
    var trace = Trace()
    for entry in entries { trace.append(entry.kind, cause: nil, time: entry.time, step: -1) }
    file = TraceFile(
      header: header, trace: seesServer ? trace.withServer : trace, end: .unjudged)
    warnings = recordings.compactMap { recording in
      recording.cut.map { "\($0); using what comes before" }
    }
  }

  /// The same session as pictures want it: with the server at the other end of each message.
  public var shown: TraceFile {
    seesServer
      ? file : TraceFile(header: file.header, trace: file.trace.withServer, end: file.end)
  }

  /// What clocks showed at the start.
  var epoch: Instant { file.header.session?.epoch ?? Instant(milliseconds: 1_480_000_000_000) }
}

extension Trace {
  /// The inputs and outputs of clients, with what happened at the server at the other end of each
  /// message. Messages are taken for instantaneous.
  fileprivate var withServer: Trace {
    var trace = Trace()
    var lastInput: [ClientIndex: Int] = [:]
    var sessions: [ClientIndex: String] = [:]
    var connections = 0
    var lastAtServer: Int?
    for event in events {
      func append(_ kind: TraceEvent.Kind, _ cause: Int?) -> Int {
        trace.append(kind, cause: cause, time: event.time, step: -1)
      }
      func end(_ client: ClientIndex, _ cause: Int?) {
        guard let session = sessions.removeValue(forKey: client) else { return }
        lastAtServer = append(.serverClosed(client, session: session), cause)
      }
      switch event.kind {
      case let .input(client, .opened):
        connections += 1
        sessions[client] = "session\(connections)"
        lastAtServer = append(.serverOpened(client, session: "session\(connections)"), nil)
        lastInput[client] = append(event.kind, lastAtServer)
      case let .input(client, .frame(message)):
        lastInput[client] = append(event.kind, append(.serverSent(client, message), lastAtServer))
      case let .input(client, .closed):
        end(client, nil)
        lastInput[client] = append(event.kind, lastAtServer)
      case let .input(client, _): lastInput[client] = append(event.kind, nil)
      case let .output(client, .send(message)):
        let left = append(event.kind, lastInput[client])
        lastAtServer = append(.serverReceived(client, message), left)
      case let .output(client, output):
        let left = append(event.kind, lastInput[client])
        if case .disconnect = output { end(client, left) }
      default: break
      }
    }
    return trace
  }
}

extension Recording {
  /// What the client was given or did, before the recordings are put together. Of what happens at one
  /// moment, what has the rank 1 comes after what arrives then.
  fileprivate func entries(
    of client: ClientIndex, after shift: Interval
  ) -> [(time: Interval, rank: Int, kind: TraceEvent.Kind)] {
    var entries: [(time: Interval, rank: Int, kind: TraceEvent.Kind)] = []
    // From when on what happens at that moment comes after what arrives at others.
    var late: Interval?
    func add(_ kind: TraceEvent.Kind, at time: Interval) {
      if kind.comesLast { late = time }
      entries.append((time + shift, late == time ? 1 : 0, kind))
    }
    for group in groups {
      if let input = group.input { add(.input(client, input), at: group.time) }
      for (json, time) in zip(group.outputs, group.outputTimes) {
        // What has no word here is a remark.
        let output =
          json["close"] != nil ? .disconnect : (try? ClientOutput(json: json)) ?? .log(json.text)
        add(.output(client, output), at: time)
      }
    }
    return entries
  }
}

extension TraceEvent.Kind {
  /// Whether it waits until everything of its moment has arrived: what is done to the client, and
  /// writes. Who listens learns of these at the same moment, unless something speaks against it.
  fileprivate var comesLast: Bool {
    switch self {
    case .input(_, .call), .input(_, .closed): true
    case let .output(_, .send(.request(_, request))): request.changesData
    default: false
    }
  }
}

// MARK: - As recordings

extension ObservedSession {
  /// The recordings of its clients as a replay needs them: with the calls that made each client
  /// send what it sent. Where the session does not contain them they are inferred, and then only
  /// requests can be compared.
  ///
  /// Streams of events over HTTP are left out: they are no clients of the protocol.
  ///
  /// - Parameter name: What reports call the file.
  /// - Returns: A recording for each client that sent or received anything.
  /// - Throws: `SourceError` for what cannot be written as recordings.
  public func recordings(named name: String) throws(SourceError) -> [Recording] {
    let draft = ExtractionDraft(self, title: "", file.header.profile)
    let (trace, origins) = trace(with: draft)
    var recordings: [Recording] = []
    for (index, clientName) in clientNames.enumerated() {
      let isStream = draft.timeline.moments.contains {
        $0.client == index && $0.request?.asListen?.hash == Self.hashOfStreams
      }
      if isStream { continue }
      let client = ClientIndex(index)
      let text = Recording.text(
        of: client, in: trace, name: clientName, profile: file.header.profile,
        seed: file.header.seed, epoch: file.header.session?.epoch ?? Instant(nanoseconds: 0))
      var recording = try Recording(text, file: name)
      recording.recordsReceivedEvents = draft.timeline.reported.contains(index)
      let events = Recording.events(of: client, in: trace)
      for group in recording.groups.indices {
        let event = events[recording.groups[group].line - 2]
        recording.groups[group].line = origins[event.sequence] + 2
      }
      recordings.append(recording)
    }
    return recordings
  }

  /// What streams say that they hold.
  static let hashOfStreams = "-"

  /// The session with the calls that are inferred, and for each event of it the one of the session.
  ///
  /// Single reads of clients whose calls are unknown are left out: the reference client reads by a
  /// listen, so there is nothing to compare with.
  private func trace(with draft: ExtractionDraft) -> (Trace, origins: [Int]) {
    let (timeline, moments) = (draft.timeline, draft.timeline.moments)
    var reads: Set<Int> = []
    for moment in moments where moment.request?.action == .get {
      if timeline.reported.contains(moment.client) { continue }
      reads.insert(moment.event)
      if let answer = moment.counterpart { reads.insert(moments[answer].event) }
    }
    var trace = Trace()
    var origins: [Int] = []
    var lines = draft.lines.filter { !$0.isKnown && $0.action.call != nil }[...]
    for event in file.trace.events {
      func add(_ kind: TraceEvent.Kind, cause: Int?) {
        trace.append(kind, cause: cause, time: event.time, step: -1)
        origins.append(event.sequence)
      }
      while let line = lines.first, line.event <= event.sequence {
        lines.removeFirst()
        guard let call = line.action.call, call.operation.kind != .get,
          let client = timeline.names.firstIndex(of: call.client)
        else { continue }
        add(.input(ClientIndex(client), .call(call.id, call.operation)), cause: nil)
      }
      if !reads.contains(event.sequence) { add(event.kind, cause: event.cause) }
    }
    return (trace, origins)
  }
}
