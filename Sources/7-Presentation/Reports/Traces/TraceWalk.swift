internal import ClientInterface
internal import Conformance
internal import Text
internal import Trace
public import TraceFiles
internal import Wording

/// A walk through the events of a replay, by commands of one line.
public struct TraceWalk {
  private let replay: TraceReplay
  /// The events of the run as it went now.
  private let events: TraceEvents
  private let clients: [String]
  private var position = 0

  static let help = """
    Enter or n: next   p: previous   NUMBER: go to that event   c: what led here
    v: what listeners show and which calls wait   d: where it differs   f: where it fails   q: quit

    """

  /// A walk over the events of the run made again, not of those in the file.
  public init(_ replay: TraceReplay) {
    self.replay = replay
    events = replay.result.trace.events
    clients = replay.file.header.clients
  }

  /// The event where the walk is. Ends with a line feed.
  public var text: String {
    guard events.indices.contains(position) else { return "nothing happened\n" }
    let event = events[position]
    let head = "\(position) of 0...\(events.count - 1)   \(locationText(of: event))"
    var lines = [head, "  " + line(event)]
    if let cause = event.cause, events.indices.contains(cause) {
      lines.append("  because of \(cause): \(line(events[cause]))")
    }
    if let difference = replay.difference, difference.number == position {
      let recorded = difference.first.map { "\(locationText(of: $0))  \(line($0))" }
      lines.append("  recorded was: \(recorded ?? "nothing more")")
    }
    return lines.map { Truncation.middle(of: $0, to: TextReport.width) + "\n" }.joined()
  }

  /// What a command shows; `nil` for the one that ends the walk.
  public mutating func answer(to command: String) -> String? {
    let word = command.filter { $0 != " " && $0 != "\t" && $0 != "\r" }
    switch word {
    case "q": return nil
    case "", "n": return go(to: position + 1)
    case "p": return go(to: position - 1)
    case "c": return causes
    case "v": return ApplicationStates(of: events.prefix(position + 1), clients: clients).text
    case "d":
      guard let difference = replay.difference else { return "the run does not differ\n" }
      return go(to: difference.number)
    case "f":
      guard let failure = replay.result.divergences.first else { return "the run does not fail\n" }
      let sentence = "  " + ascii(failure.sentence) + "\n"
      guard let event = failure.evidence else { return sentence }
      return go(to: event) + sentence
    case "h", "?": return Self.help
    default:
      guard let number = Int(word) else {
        return "there is no command \"\(ascii(word))\"\n" + Self.help
      }
      return go(to: number)
    }
  }

  private mutating func go(to number: Int) -> String {
    guard events.indices.contains(number) else {
      if number == events.count { return "that was the last event\n" }
      return "there is no event \(number); there are 0 to \(events.count - 1)\n"
    }
    position = number
    return text
  }

  private var causes: String {
    var table = EventTable(clients: clients)
    for event in replay.result.trace.causes(of: position) { table.append(event) }
    return table.lines().map { $0 + "\n" }.joined()
  }

  private func locationText(of event: TraceEvent) -> String {
    let step = event.step < 1 ? "before the first step" : "step \(event.step)"
    return "\(step), \(event.time.shortText)"
  }

  private func line(_ event: TraceEvent) -> String {
    "\(ascii(event.route(names: clients)))  \(ascii(event.text))"
  }
}

/// What the applications of a run know after some of its events.
struct ApplicationStates {
  private struct Name: Hashable {
    var client: ClientIndex
    var label: String
  }

  private var shown: [(name: Name, text: String)] = []
  private var waiting: [(name: Name, text: String)] = []
  private let clients: [String]

  init(of events: some Sequence<TraceEvent>, clients: [String]) {
    self.clients = clients
    for event in events {
      switch event.kind {
      case let .output(client, .event(raised)):
        // A value contains all that a listener knows; until it comes, the last change has to do.
        show(Name(client: client, label: raised.listener.name), event.text)
      case let .output(client, .cancelled(listener, _)):
        show(Name(client: client, label: listener.name), event.text)
      case let .input(client, .call(call, operation)) where operation.ending == .completion:
        waiting.append((Name(client: client, label: call.name), event.text))
      case let .output(client, .completed(call, _)), let .output(client, .threw(call, _)):
        waiting.removeAll { $0.name == Name(client: client, label: call.name) }
      case .step, .input, .output, .serverReceived, .serverSent, .lostToServer, .lostToClient,
        .serverOpened, .serverClosed, .fault, .serverWrite, .serverUpdate:
        break
      }
    }
  }

  private mutating func show(_ name: Name, _ text: String) {
    if let index = shown.firstIndex(where: { $0.name == name }) {
      shown[index].text = text
    } else {
      shown.append((name, text))
    }
  }

  /// A line for each listener that has received something, with the last that it received, then one
  /// for each call that has not ended.
  var text: String {
    var columns = TextTable([.left, .left, .left])
    for (name, text) in shown { columns.append(["shown", self.text(of: name), ascii(text)]) }
    for (name, text) in waiting { columns.append(["waits", self.text(of: name), ascii(text)]) }
    let lines = columns.lines.isEmpty ? ["nothing is shown and nothing waits"] : columns.lines
    return lines.map { "  " + Truncation.middle(of: $0, to: TextReport.width - 2) + "\n" }.joined()
  }

  private func text(of name: Name) -> String {
    let client = clients.indices.contains(name.client.number) ? clients[name.client.number] : "?"
    return ascii("\(client).\(name.label)")
  }
}
