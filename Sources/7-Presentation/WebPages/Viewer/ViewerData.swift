internal import ClientInterface
internal import Diagrams
internal import Scenario
internal import Simulator
internal import Trace
internal import TraceFiles
internal import Tree
internal import Wire

/// What the script of the viewer needs of a run.
struct ViewerData {
  private let file: TraceFile
  private let playback: Playback
  private let participants: Participants

  /// - Parameters:
  ///   - file: The run.
  ///   - name: The path of its file.
  init(_ file: TraceFile, name: String) {
    self.file = file
    // A trace whose texts cannot be read is shown all the same, from an empty server on.
    let session = file.header.session
    let data = session?.data ?? (try? file.header.readScenario(of: name))?.data ?? .empty
    playback = Playback(
      of: file.trace, data: data, epoch: session?.epoch ?? Configuration.standardEpoch)
    participants = Participants(clients: file.header.clients)
  }

  var json: JSON {
    let clients = file.header.clients
    return [
      "clients": .array(clients.map { .string($0) }),
      "columns": .array(participants.names.map { .string($0) }),
      "columnOf": .array(
        clients.indices.map { .number(Double(participants.column(of: ClientIndex($0)))) }),
      "start": playback.start.json,
      "views": .array(playback.views.map(json)),
      "failures": .array(
        file.end.divergences.map { failure in
          ["event": failure["event"] ?? .null, "sentence": failure["sentence"] ?? .null]
        }),
      "events": .array(file.trace.events.map(json)),
    ]
  }

  private func json(_ view: Playback.View) -> JSON {
    let registration = view.registration
    let words = registration.target.query.wireText.map { " " + $0 } ?? ""
    return [
      "client": .number(Double(view.client.number)),
      "name": .string(registration.listener.name),
      "place": .string(registration.target.path.description + words),
    ]
  }

  /// An event: as traces have it (`j`), its column (`c`) and that of the other side (`o`), its kind
  /// (`k`), text (`x`), listener (`l`) and location (`p`), and what it changes (`d`).
  private func json(_ event: TraceEvent) -> JSON {
    let column = participants.column(of: event)
    var members: [JSON.Member] = [
      .init("j", event.json(clients: file.header.clients, file.header.profile.dialect)),
      .init("c", .number(Double(column ?? -1))),
      .init("k", .string(event.kind.word)),
      .init("x", .string(event.text)),
    ]
    if let other = participants.otherColumn(of: event) {
      members.append(.init("o", .number(Double(other))))
    }
    if let listener = event.listener, let client = event.kind.client,
      file.header.clients.indices.contains(client.number)
    {
      members.append(.init("l", .string("\(file.header.clients[client.number]).\(listener)")))
    }
    if let path = event.kind.path { members.append(.init("p", .string(path.description))) }
    let changes = playback.changes[event.sequence]
    if !changes.isEmpty { members.append(.init("d", .array(changes))) }
    return .object(members)
  }
}

extension TraceEvent.Kind {
  /// The kind of event, by which a reader filters.
  fileprivate var word: String {
    switch self {
    case .step: "step"
    case .input(_, .call), .output(_, .calling), .output(_, .returned): "call"
    case .output(_, .event), .output(_, .cancelled): "event"
    case .output(_, .completed), .output(_, .answered), .output(_, .threw), .output(_, .updateRan):
      "end"
    case .output(_, .send), .serverSent: "send"
    case .input(_, .frame), .serverReceived: "receive"
    case .lostToServer, .lostToClient: "lost"
    case .input(_, .opened), .input(_, .closed), .input(_, .refused), .output(_, .connect),
      .output(_, .connectTo), .output(_, .disconnect), .serverOpened, .serverClosed:
      "connection"
    case .input(_, .open), .input(_, .close): "process"
    case .input(_, .timer), .output(_, .setTimer), .output(_, .cancelTimer): "timer"
    case .output(_, .store), .output(_, .erase): "storage"
    case .output(_, .log), .output(_, .uncaught): "log"
    case .fault: "fault"
    case .serverWrite, .serverUpdate: "write"
    }
  }

  /// The location in the data that the event is about; `nil` for one about none.
  fileprivate var path: Path? {
    switch self {
    case let .input(_, .call(_, operation)): operation.path
    case let .serverWrite(path, _), let .serverUpdate(path, _): path
    default: transit?.path
    }
  }
}
