public import ClientInterface
public import Document
internal import RunModel
public import Scenario
internal import Trace
public import TraceFiles
public import Tree
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
  /// What could not be read: a line that says so, and one with the place, each.
  public var warnings: [String]

  /// The session of a trace. One of a run in virtual time is a session as well.
  public init(_ file: TraceFile) {
    self.file = file
    seesServer = true
    warnings = file.cut.map { ["only what comes before this is used:\n\($0)"] } ?? []
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
    let trace = entries.reduce(into: Trace()) {
      $0.append($1.kind, cause: nil, time: $1.time, step: -1)
    }
    file = TraceFile(
      header: header, trace: seesServer ? trace.withServer : trace, end: .unjudged)
    warnings = recordings.compactMap { recording in
      recording.cut.map { "only what comes before this is used:\n\($0)" }
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
    let timeline = draft.timeline
    let reads = timeline.moments.filter {
      $0.request?.action == .get && !timeline.reported.contains($0.client)
    }
    let answers = reads.compactMap(\.counterpart).map { timeline.moments[$0] }
    let omitted = Set((reads + answers).map(\.event))
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
      if !omitted.contains(event.sequence) { add(event.kind, cause: event.cause) }
    }
    return (trace, origins)
  }
}

// MARK: - A part of it

/// Which part of a session becomes a scenario.
public struct SessionSelection: Hashable, Sendable {
  /// From when on, since the beginning of the session. Connections and listens that are in place then
  /// are kept, and the server begins with what it had.
  public var from: Interval?
  /// Until when.
  public var until: Interval?
  /// The names of the clients; all when there is none. What others wrote is written by the server.
  public var clients: [String] = []
  /// Only what is at this location, below it or above it.
  public var path: Path?

  /// The whole session.
  public init() {}
}

extension ObservedSession {
  /// The names of all clients of the session.
  public var clientNames: [String] { file.header.clients }

  /// What ran in virtual time; `nil` for a live session. It is written whole.
  public var scenario: Scenario? {
    file.header.session == nil ? try? file.header.readScenario(of: file.header.file) : nil
  }

  /// Why there is nothing in a part of the session; `nil` where there is.
  public func objection(to selection: SessionSelection) -> String? {
    if let from = selection.from {
      if let until = selection.until, from > until {
        return "--from \(canonicalText(of: from.milliseconds)) is after --until "
          + canonicalText(of: until.milliseconds)
      }
      let end = file.trace.events.last?.time ?? .zero
      if from > end {
        return "--from \(canonicalText(of: from.milliseconds)) is after the end of the session, "
          + "which is \(end.shortText) long"
      }
    }
    guard let path = selection.path else { return nil }
    let paths = file.trace.events.compactMap { $0.kind.location }
    if paths.contains(where: path.isRelated) { return nil }
    let keys = Set(paths.compactMap { $0.keys.first.map { "\($0)" } }).sorted()
    return "nothing in this session concerns --path \(path)"
      + (keys.isEmpty ? "" : closestOrAll(to: path.keys.first.map { "\($0)" } ?? "", in: keys))
  }

  /// A part of the session.
  ///
  /// - Complexity: O(*n*) in the events of the session.
  public func selecting(_ selection: SessionSelection) -> ObservedSession {
    if selection == SessionSelection() { return self }
    var copy = self
    copy.file.header.clients = clientNames.filter {
      selection.clients.isEmpty || selection.clients.contains($0)
    }
    var filter = SessionFilter(self, selection, copy.clientNames)
    file.trace.events.forEach(from: 0) { filter.take($0) }
    copy.file.trace = filter.events.reduce(into: Trace()) {
      $0.append($1.kind, cause: nil, time: $1.time, step: $1.step)
    }
    copy.file.header.session?.data = filter.data
    return copy
  }
}

/// Goes through a session and keeps a part of it.
private struct SessionFilter {
  private let selection: SessionSelection
  /// The new numbers of the clients that are kept.
  private var kept: [ClientIndex: ClientIndex] = [:]
  private var server: ServerModel
  /// What the server has where the part begins.
  private(set) var data: Node
  /// What is kept, by the numbers that events have in the session.
  private(set) var events: [TraceEvent] = []
  /// The requests of the present connections that are left out.
  private var dropped: [ClientIndex: Set<Int>] = [:]
  /// Where the server received the last message of a client that is left out.
  private var received: [ClientIndex: Int] = [:]

  init(_ session: ObservedSession, _ selection: SessionSelection, _ names: [String]) {
    self.selection = selection
    for (index, name) in session.clientNames.enumerated() {
      if let new = names.firstIndex(of: name) { kept[ClientIndex(index)] = ClientIndex(new) }
    }
    let live = session.file.header.session
    data = live?.data ?? .empty
    server = ServerModel(data: data, epoch: live?.epoch ?? Instant(nanoseconds: 0))
  }

  mutating func take(_ pointer: UnsafePointer<TraceEvent>) {
    var event = pointer.pointee
    if let until = selection.until, event.time > until { return }
    let before = server.tree
    server.take(pointer)
    let isEarly = selection.from.map { event.time < $0 } ?? false
    if isEarly { data = server.tree }
    if let client = event.kind.client, kept[client] == nil {
      if case .serverReceived = event.kind { received[client] = event.sequence }
      if !isEarly { keepChanges(since: before, event, of: client) }
    } else if isKept(event.kind, isEarly: isEarly) {
      event.time = max(event.time, selection.from ?? .zero)
      event.kind = event.kind.of(kept)
      events.append(event)
    }
  }

  /// What a client did that is left out, as the server's own writes: when the server received it.
  private mutating func keepChanges(
    since before: Node, _ event: TraceEvent, of client: ClientIndex
  ) {
    var write = event
    if case .serverSent = event.kind { write.sequence = received[client] ?? event.sequence }
    let later = events.lastIndex { $0.sequence <= write.sequence }.map { $0 + 1 } ?? 0
    for difference in server.tree.children.differences(from: before.children).reversed() {
      let path = Path([difference.key])
      write.kind = .serverWrite(path, server.tree[path])
      if isRelated(path) { events.insert(write, at: later) }
    }
  }

  private mutating func isKept(_ kind: TraceEvent.Kind, isEarly: Bool) -> Bool {
    switch kind {
    case let .serverOpened(client, _):
      dropped[client] = []
      return true
    case let .output(client, .send(.request(number, request))):
      let isGone = isEarly && !request.isLasting || !(request.path.map(isRelated) ?? true)
      if isGone { dropped[client, default: []].insert(number) }
      return !isGone
    case let .serverReceived(client, .request(number, _)),
      let .lostToServer(client, .request(number, _)):
      return dropped[client]?.contains(number) != true
    case let .input(client, .frame(message)), let .serverSent(client, message),
      let .lostToClient(client, message):
      switch message {
      case let .response(response): return dropped[client]?.contains(response.request) != true
      case let .put(path, _, _), let .merge(path, _, _): return !isEarly && isRelated(path)
      case .hello: return true
      default: return !isEarly
      }
    case let .serverWrite(path, _), let .serverUpdate(path, _): return !isEarly && isRelated(path)
    case .output(_, .send), .fault: return !isEarly
    default: return true
    }
  }

  private func isRelated(_ path: Path) -> Bool { selection.path?.isRelated(to: path) ?? true }
}

extension Request {
  /// Whether it stays in place after it is answered.
  fileprivate var isLasting: Bool { ![.put, .merge, .get, .stats].contains(action) }
}

extension TraceEvent.Kind {
  /// The location that it is about; `nil` for none.
  fileprivate var location: Path? {
    switch self {
    case let .serverWrite(path, _), let .serverUpdate(path, _): path
    case let .input(_, input): input.path
    default: transit?.path
    }
  }

  /// The same with other numbers of its clients.
  fileprivate func of(_ clients: [ClientIndex: ClientIndex]) -> TraceEvent.Kind {
    func new(_ client: ClientIndex) -> ClientIndex { clients[client] ?? client }
    return switch self {
    case let .input(client, input): .input(new(client), input)
    case let .output(client, output): .output(new(client), output)
    case let .serverReceived(client, message): .serverReceived(new(client), message)
    case let .serverSent(client, message): .serverSent(new(client), message)
    case let .lostToServer(client, message): .lostToServer(new(client), message)
    case let .lostToClient(client, message): .lostToClient(new(client), message)
    case let .serverOpened(client, session): .serverOpened(new(client), session: session)
    case let .serverClosed(client, session): .serverClosed(new(client), session: session)
    case let .fault(incident): .fault(incident.mapping(client: new))
    case .step, .serverWrite, .serverUpdate: self
    }
  }
}
