internal import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
internal import Search
internal import Trace
public import TraceFiles
internal import Tree
internal import Wire

/// How the replay of a trace went, as text for people.
public struct ReplayReport {
  private let replay: TraceReplay
  private let name: String
  private let kit: String
  /// Whether the scenario was run as its file is now, rather than as the trace has it.
  public var isOfCurrentFile = false
  /// The client that was tried, where it need not be that of the trace.
  public var client: String?

  /// - Parameters:
  ///   - replay: The replay.
  ///   - name: The path of the trace.
  ///   - kit: The version of this kit.
  public init(_ replay: TraceReplay, name: String, kit: String) {
    self.replay = replay
    self.name = name
    self.kit = kit
  }

  /// One line when the run went the same way; else where it parted from the trace, both sides, and
  /// what may be the reason. Ends with a line feed.
  public var text: String {
    let header = replay.file.header
    let subject = "\(ascii(header.scenario))  \(header.profile.name)"
    guard let difference = replay.difference else {
      let trace = replay.file.trace
      let lines = ["replayed exactly, \(trace.count) events, hash \(trace.hash)   \(subject)"]
      let rest = choiceLines + (verdictLines.isEmpty ? failureLines : verdictLines)
      return (lines + rest.map { "  " + $0 }).map { $0 + "\n" }.joined()
    }
    var lines = ["DIFFERS  " + Truncation.middle(of: ascii(header.title), to: TextReport.width - 9)]
    lines += ["      " + ascii(name)]
    lines += ["      \(subject)   seed \(header.seed)   client \(ascii(header.client))", ""]
    lines += ["  " + sentence(difference), ""]
    let names = replay.result.scenario.clients
    lines += DifferenceTable(
      difference, in: replay.file.trace, clients: header.clients, now: names,
      header.profile.dialect
    ).lines("(- recorded, + now)")
    lines += causeLines(difference)
    let notes = noteLines
    if !notes.isEmpty { lines += [""] + notes }
    return lines.map { $0 + "\n" }.joined()
  }

  private func sentence(_ difference: TraceDifference) -> String {
    let position = "event \(difference.number) of \(replay.file.trace.count)"
    let time = (difference.first ?? difference.second)?.time.shortText ?? ""
    let step = (difference.first ?? difference.second)?.step ?? 0
    let steps = replay.result.scenario.steps.count
    let where_ = step > 0 ? ", in step \(step) of \(steps)" : ", before the first step"
    return "the run differs from the trace at \(position), at \(time)\(where_)"
  }

  /// What each side follows from.
  private func causeLines(_ difference: TraceDifference) -> [String] {
    let events = replay.file.trace.events
    let sides = [("recorded", difference.first), ("now", difference.second)].compactMap {
      side, event -> String? in
      guard let cause = event?.cause, events.indices.contains(cause) else { return nil }
      let route = events[cause].route(names: replay.file.header.clients)
      return Truncation.middle(
        of:
          "  \(side) because of \(cause): \(ascii(route))  \(ascii(events[cause].text))",
        to: TextReport.width)
    }
    return sides.isEmpty ? [] : [""] + sides
  }

  private var verdictLines: [String] {
    let now = replay.result.verdict
    let then = replay.file.end.verdict
    if now == then { return [] }
    return ["judged \(now.rawValue) now; the trace says \(then.rawValue)"]
      + sentence.map { wrapped("now: " + $0) }.joined()
  }

  /// How a run failed that did so before.
  private var failureLines: [String] {
    let result = replay.result
    guard let sentence = sentence.first else { return [] }
    let position = result.divergences.first?.evidence.map { " at event \($0)" } ?? ""
    return wrapped("\(result.verdict.rawValue), as recorded\(position): \(sentence)")
  }

  /// What is wrong with the run now; nothing when that is not known.
  private var sentence: [String] {
    let result = replay.result
    let isReported = !result.divergences.isEmpty || result.reason != nil
    return isReported ? [result.sentence] : []
  }

  /// Choices of the trace that do not fit any more.
  private var choiceLines: [String] {
    TextReport.lines(of: replay.result.unusedChoices, "no longer asked for")
      + TextReport.lines(
        of: replay.result.loweredChoices, "no longer possible; the most that is was chosen")
  }

  private var noteLines: [String] {
    let recorded = replay.file.header.kit
    var notes = choiceLines
    if recorded != kit {
      notes += wrapped("the trace was made by kennel \(ascii(recorded)); this is \(kit)")
    }
    if let client, client != replay.file.header.client {
      let recorded = replay.file.header.client
      notes += wrapped("the trace is of the client \(ascii(recorded)); this is \(ascii(client))")
    }
    if isOfCurrentFile { notes += wrapped("the scenario was run as its file is now") }
    return (notes + verdictLines + (verdictLines.isEmpty ? failureLines : [])).map { "  " + $0 }
  }

  private func wrapped(_ text: String) -> [String] {
    ascii(text).wrapped(to: TextReport.width - 2)
  }
}

/// Events of a trace as lines in columns: mark, number, time, route, text.
struct EventTable {
  private var rows: [[String]] = []
  private let clients: [String]

  init(clients: [String]) {
    self.clients = clients
  }

  mutating func append(_ event: TraceEvent, mark: String = "", clients: [String]? = nil) {
    rows.append([
      mark, String(event.sequence), event.time.shortText,
      ascii(event.route(names: clients ?? self.clients)),
      ascii(event.text),
    ])
  }

  /// A line for what is not there.
  mutating func append(number: Int, mark: String, _ text: String) {
    rows.append([mark, String(number), "", "", text])
  }

  /// The lines, each cut to `width`.
  func lines(width: Int = TextReport.width) -> [String] {
    TextTable(rows, right: [1, 2]).lines.map { Truncation.middle(of: $0, to: width) }
  }
}

/// Both sides of the first event that two runs do not share, after some that they do.
struct DifferenceTable {
  private let difference: TraceDifference
  private let before: [TraceEvent]
  private let dialect: Dialect
  private let clients: [String]
  /// The names in the second run, where they may be others.
  private let present: [String]

  /// How many common events are shown.
  private static let context = 5

  init(
    _ difference: TraceDifference, in trace: Trace, clients: [String], now present: [String]? = nil,
    _ dialect: Dialect
  ) {
    self.difference = difference
    before = Array(trace.events.prefix(difference.number).suffix(Self.context))
    self.dialect = dialect
    self.clients = clients
    self.present = present ?? clients
  }

  /// The difference between two versions of a client in one run.
  init(_ difference: VersionDifference, clients: [String], _ dialect: Dialect) {
    (self.difference, before) = (difference.sides, difference.context)
    self.dialect = dialect
    (self.clients, present) = (clients, clients)
  }

  /// - Parameters:
  ///   - legend: What the marks mean: `(- recorded, + now)`.
  ///   - nothing: What stands for a side that has no event.
  /// - Returns: Lines of at most 100 columns.
  func lines(_ legend: String, nothing: String = "nothing more happened") -> [String] {
    var table = EventTable(clients: clients)
    for event in before { table.append(event) }
    let sides = [("-", difference.first, clients), ("+", difference.second, present)]
    for (mark, event, clients) in sides {
      if let event {
        table.append(event, mark: mark, clients: clients)
      } else {
        table.append(number: difference.number, mark: mark, nothing)
      }
    }
    let lines = table.lines(width: TextReport.width - 2)
    return (lines + details).map { "  " + $0 } + ["      \(legend)"]
  }

  /// What differs where the words for both events are the same.
  private var details: [String] {
    guard let first = difference.first, let second = difference.second,
      first.time == second.time, first.text == second.text,
      first.route(names: clients) == second.route(names: present)
    else { return [] }
    func text(_ event: TraceEvent, _ clients: [String]) -> String {
      ascii(event.json(clients: clients, dialect).text)
    }
    let cut = Truncation.middle(
      of:
        text(first, clients), text(second, present), to: TextReport.width - 8)
    return ["-     " + cut.0, "+     " + cut.1]
  }
}

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
      case let .output(client, _) where event.kind.listener != nil:
        // A value contains all that a listener knows; until it comes, the last change has to do.
        show(Name(client: client, label: event.kind.listener?.name ?? ""), event.text)
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
    let rows =
      shown.map { ["shown", self.text(of: $0.name), ascii($0.text)] }
      + waiting.map { ["waits", self.text(of: $0.name), ascii($0.text)] }
    let lines = rows.isEmpty ? ["nothing is shown and nothing waits"] : TextTable(rows).lines
    return lines.map { "  " + Truncation.middle(of: $0, to: TextReport.width - 2) + "\n" }.joined()
  }

  private func text(of name: Name) -> String {
    let client = clients.indices.contains(name.client.number) ? clients[name.client.number] : "?"
    return ascii("\(client).\(name.label)")
  }
}
