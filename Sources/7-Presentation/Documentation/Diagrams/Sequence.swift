internal import ClientInterface
internal import Conformance
internal import Scenario
internal import Text
internal import Trace
internal import Wire

/// Who tells whom what in a run, from top to bottom.
public struct Sequence: Hashable, Sendable {
  /// The clients, with the server after the first of them.
  public var participants: [String]
  public var lines: [Line]

  public enum Line: Hashable, Sendable {
    /// The number of a step with its text.
    case step(String)
    /// From one participant to another, by their positions.
    case message(from: Int, to: Int, String, Fate)
    /// What a participant does by itself, one entry for each thing.
    case note(Int, [String])
    /// What befalls the network, or everybody.
    case fault(String)
  }

  public enum Fate: Hashable, Sendable {
    case arrived
    /// It was under way when its connection died.
    case lost
  }

  public init(participants: [String], lines: [Line]) {
    self.participants = participants
    self.lines = lines
  }

  /// How many lines tell a story; what comes after that is counted.
  static let limit = 120

  /// A sentence for who cannot see the diagram.
  var alternative: String {
    let messages = lines.count {
      if case .message = $0 { true } else { false }
    }
    return "Sequence of \(counted(messages, "message")) between "
      + participants.joined(separator: ", ")
  }
}

extension Sequence {
  /// The run from its first step on, without what keeps connections alive.
  init(_ result: ScenarioResult) {
    let clients = result.scenario.clients
    participants = clients
    participants.insert("server", at: min(1, clients.count))
    lines = []
    var step = 0
    // A step that is one call says so itself.
    var tellsCalls = false
    let steps = result.scenario.steps
    let untold = Self.statistics(in: result.trace)
    for event in result.trace.events where event.step >= 1 && !untold.contains(event.sequence) {
      while step < min(event.step, steps.count) {
        step += 1
        tellsCalls = steps[step - 1].action.members != nil
        let words = visible(Truncation.countedMiddle(of: steps[step - 1].words.plain, keeping: 90))
        lines.append(.step("\(step)  \(words)"))
        if event.step > step, steps[step - 1].isSilent { lines.removeLast() }
      }
      if !tellsCalls, case .input(_, .call) = event.kind { continue }
      add(event)
    }
    if lines.count > Self.limit {
      let more = lines.count - Self.limit
      lines = Array(lines.prefix(Self.limit)) + [.fault("... \(more) more")]
    }
  }

  /// The messages about statistics: they are no part of any story, and profiles send them at other
  /// times.
  private static func statistics(in trace: Trace) -> Set<Int> {
    var found: Set<Int> = []
    var pending: [ClientIndex: Set<Int>] = [:]
    for event in trace.events {
      switch event.kind {
      case let .output(client, .send(.request(number, .stats))):
        pending[client, default: []].insert(number)
      case let .output(client, .send(.request(number, _))):
        pending[client, default: []].remove(number)
      case let .input(client, .frame(.response(response))),
        let .lostToClient(client, .response(response)):
        if pending[client, default: []].contains(response.request) { found.insert(event.sequence) }
      case let .serverReceived(client, .request(number, .stats)),
        let .lostToServer(client, .request(number, .stats)):
        pending[client, default: []].insert(number)
        found.insert(event.sequence)
      default: break
      }
    }
    return found
  }

  private func place(_ client: ClientIndex) -> Int {
    client.number == 0 ? 0 : client.number + 1
  }

  private static let server = 1

  private mutating func add(_ event: TraceEvent) {
    switch event.kind {
    case let .input(client, .frame(message)):
      guard message.isTold else { return }
      add(.message(from: Self.server, to: place(client), event.label, .arrived))
    case let .serverReceived(client, message):
      guard message.isTold else { return }
      add(.message(from: place(client), to: Self.server, event.label, .arrived))
    case let .lostToServer(client, message):
      guard message.isTold else { return }
      add(.message(from: place(client), to: Self.server, event.label, .lost))
    case let .lostToClient(client, message):
      guard message.isTold else { return }
      add(.message(from: Self.server, to: place(client), event.label, .lost))
    case let .input(client, .call): note(client, event.label)
    case let .input(client, .opened), let .input(client, .closed), let .input(client, .refused):
      note(client, event.text)
    case .input(_, .timer), .input(_, .open), .input(_, .close), .step, .serverSent,
      .serverOpened, .serverClosed:
      break
    case let .output(client, output): add(output, of: client, event)
    case .fault: add(.fault(event.label))
    case .serverWrite, .serverUpdate: note(at: Self.server, event.label)
    }
  }

  private mutating func add(_ output: ClientOutput, of client: ClientIndex, _ event: TraceEvent) {
    if let sight = EventWords(event) {
      note(client, sight.withListener)
    }
  }

  private mutating func add(_ line: Line) { lines.append(line) }

  /// What one participant does at a time is one note.
  private mutating func note(_ client: ClientIndex, _ text: String) {
    note(at: place(client), text)
  }

  private mutating func note(at place: Int, _ text: String) {
    if case .note(place, let texts)? = lines.last {
      lines[lines.count - 1] = .note(place, texts + [text])
    } else {
      lines.append(.note(place, [text]))
    }
  }
}

extension Step {
  /// Whether it is not worth telling unless something happens in it.
  fileprivate var isSilent: Bool { action.category == .observation }
}

extension TraceEvent {
  /// What happened, with its separators as single blanks. The numbers of requests are left out: they
  /// depend on what else was asked, and profiles ask different things.
  fileprivate var label: String {
    var words = visible(text).split(separator: " ")
    if words.count > 2, words[words.count - 2] == "request" { words.removeLast(2) }
    return words.joined(separator: " ")
  }
}

extension ClientMessage {
  fileprivate var isTold: Bool {
    if case .ping = self { false } else { true }
  }
}

extension ServerMessage {
  fileprivate var isTold: Bool {
    switch self {
    case .pong, .notice: false
    case .hello, .response, .put, .merge, .revoked, .credentialRevoked, .shutdown, .reset, .other:
      true
    }
  }
}
