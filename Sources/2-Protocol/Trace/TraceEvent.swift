public import ClientInterface
internal import Document
public import Tree
public import Wire

/// One thing that happened in a run.
public struct TraceEvent: Hashable, Sendable {
  /// The position in the trace, from 0.
  public var sequence: Int
  /// The event that made this one happen, or `nil` for what a scenario's step did.
  ///
  /// Walking the causes gives the causal slice of a divergence.
  public var cause: Int?
  /// Virtual time, from 0 at the start of the run.
  public var time: Interval
  /// The step of the scenario during which this happened, from 0; -1 before the first.
  public var step: Int
  /// What happened, with the client concerned and what was handed over.
  public var kind: Kind

  /// What can happen in a run; a client is given by its index, data as they were at that moment.
  public enum Kind: Hashable, Sendable {
    /// The step itself: its own text, for reports.
    case step(String)
    /// A client was given an input.
    case input(ClientIndex, ClientInput)
    /// A client did something.
    case output(ClientIndex, ClientOutput)
    /// The server took a message from a client.
    case serverReceived(ClientIndex, ClientMessage)
    /// The server sent a message to a client.
    case serverSent(ClientIndex, ServerMessage)
    /// A message was in flight when its connection died.
    case lostToServer(ClientIndex, ClientMessage)
    case lostToClient(ClientIndex, ServerMessage)
    /// The server noticed that a client's connection began or ended.
    indirect case serverOpened(ClientIndex, session: String)
    indirect case serverClosed(ClientIndex, session: String)
    /// The network, a machine or the server changed, or a client did what has no effect.
    indirect case fault(Incident)
    /// Another client wrote at the server.
    indirect case serverWrite(Path, Node)
    indirect case serverUpdate(Path, [Assignment])
  }

  /// Takes every field as given; `Trace.append` makes events with the right sequence number.
  public init(sequence: Int, cause: Int?, time: Interval, step: Int, kind: consuming Kind) {
    self.sequence = sequence
    self.cause = cause
    self.time = time
    self.step = step
    self.kind = kind
  }
}

extension TraceEvent {
  /// The canonical text of the event in one line: time, route and text, two spaces apart. The names
  /// are those of the clients, by their index.
  public func line(names: [String]) -> String {
    "\(time.millisecondText)  \(route(names: names))  \(text)"
  }

  /// Who did it, or from whom to whom it goes: `alice -> server` for what is sent, `server <- alice`
  /// for what arrives.
  public func route(names: [String]) -> String {
    switch kind {
    case .step: return step < 0 ? "start" : "step \(step)"
    case let .input(client, .frame): return name(of: client, in: names) + " <- server"
    case let .output(client, .send), let .lostToServer(client, _):
      return name(of: client, in: names) + " -> server"
    case let .input(client, _), let .output(client, _): return name(of: client, in: names)
    case let .serverReceived(client, _), let .serverOpened(client, _), let .serverClosed(client, _):
      return "server <- " + name(of: client, in: names)
    case let .serverSent(client, _), let .lostToClient(client, _):
      return "server -> " + name(of: client, in: names)
    case let .fault(incident):
      return incident.client.map { "network (\(name(of: $0, in: names)))" } ?? "server"
    case .serverWrite, .serverUpdate: return "server"
    }
  }

  /// What happened, without who and when: `put /room/b 2   request 4`.
  ///
  /// Long values are cut in the middle.
  public var text: String { text(\.text) + (isNestedCall ? "   in a callback" : "") }

  /// The same without the numbers and names behind it: `put /room/b 2`.
  package var brief: String { text(\.brief) }

  private func text(_ words: (Phrase) -> String) -> String {
    switch kind {
    case let .step(text): printable(text)
    case let .input(_, input): words(input.phrase)
    case let .output(_, output): words(output.phrase)
    case let .serverReceived(_, message): words(message.phrase)
    case let .serverSent(_, message): words(message.phrase)
    case let .lostToServer(_, message): "lost: " + words(message.phrase)
    case let .lostToClient(_, message): "lost: " + words(message.phrase)
    case let .serverOpened(_, session):
      words(Phrase("connection opened", tail: "   session \(session)"))
    case let .serverClosed(_, session):
      words(Phrase("connection closed", tail: "   session \(session)"))
    case let .fault(incident): incident.text
    case let .serverWrite(path, node):
      words(
        node.isEmpty ? Phrase("remove \(path)") : Phrase("set \(path)", node.description))
    case let .serverUpdate(path, assignments):
      words(Phrase("update \(path)", assignments.json.text))
    }
  }

  private func name(of client: ClientIndex, in names: [String]) -> String {
    names.indices.contains(client.number) ? names[client.number] : "client \(client.number)"
  }
}

extension TraceEvent.Kind {
  /// The client that the event is about, or `nil` for one about the run or the server alone.
  public var client: ClientIndex? {
    switch self {
    case let .input(client, _), let .output(client, _), let .serverReceived(client, _),
      let .serverSent(client, _), let .lostToServer(client, _), let .lostToClient(client, _),
      let .serverOpened(client, _), let .serverClosed(client, _):
      client
    case let .fault(incident): incident.client
    case .step, .serverWrite, .serverUpdate: nil
    }
  }
}
