internal import ClientInterface
internal import Conformance
internal import Document
internal import Faults
internal import Scenario
internal import Search
internal import Trace
internal import TraceFiles
internal import Tree
internal import Wire

/// A run for the people who maintain a client: what the applications called, the messages of the
/// client that fails, and what it did, up to the moment that matters, in order.
struct RunHistory {
  private let result: ScenarioResult
  private let calls: CallStyle
  /// The clients whose messages are shown.
  private let concerned: Set<ClientIndex>
  /// The locations about which messages count.
  private let paths: [Path]
  private var rows: [Row] = []

  /// A line before it is laid out: when, who or from whom to whom, and what.
  private struct Row {
    var cells: [String]
    /// Whether it is something that happens to clients, and not what these do.
    var isCause: Bool
    var isMarked = false
  }

  /// How many lines there are that are no calls: of more, the first and the last.
  private static let limit = 48
  /// How much of a message is shown.
  private static let width = 400

  /// - Parameters:
  ///   - result: A failing run.
  ///   - clues: To its first divergence.
  ///   - calls: How calls look.
  init(of result: ScenarioResult, _ clues: Clues?, _ calls: CallStyle) {
    (self.result, self.calls) = (result, calls)
    let divergence = result.divergences.first
    let names = result.scenario.clients
    let failing = names.firstIndex { $0 == divergence?.subject.clientName }.map(ClientIndex.init)
    let missing = clues?.absence?.action
    let known = Set([failing, missing?.client].compactMap(\.self))
    concerned = known.isEmpty ? Set(names.indices.map(ClientIndex.init)) : known
    paths = [divergence?.subject.path ?? .root]
    let events = result.trace.events
    let end = Self.end(of: divergence, clues, in: result)
    let first = events.firstIndex(where: isRelevant) ?? events.startIndex
    for event in events where event.time <= end {
      if var row = row(of: event), row.isCause || event.sequence >= first {
        row.isMarked = clues?.absence == nil && event.sequence == divergence?.evidence
        rows.append(row)
      }
      if let absence = clues?.absence, absence.action.cause == event.sequence {
        let cells = [absence.time.shortText, absence.line.route, absence.line.text]
        rows.append(Row(cells: cells, isCause: true, isMarked: true))
      }
    }
  }

  /// The last moment that matters.
  private static func end(
    of divergence: Divergence?, _ clues: Clues?, in result: ScenarioResult
  ) -> Interval {
    let events = result.trace.events
    let times = [
      divergence?.evidence.map { events[$0].time }, clues?.absence?.time, clues?.end?.time,
    ].compactMap(\.self)
    return times.max() ?? events.last?.time ?? .zero
  }

  /// The faults that occur, in the order of their first time.
  var faults: [FaultKind] {
    result.trace.events.compactMap { event in
      if case let .fault(incident) = event.kind { incident.fault?.kind } else { nil }
    }.unique()
  }

  /// The lines, in columns; what shows the difference first, or is missing, is marked.
  var lines: [String] {
    var spare = rows.count { !$0.isCause } - Self.limit
    var kept: [[String]] = []
    var passed = 0
    for row in rows {
      if !row.isCause { passed += 1 }
      if spare > 0, !row.isCause, passed > Self.limit / 4 {
        spare -= 1
        if kept.last?[1] != "..." { kept.append(["", "...", "", ""]) }
      } else {
        kept.append([row.isMarked ? ">" : ""] + row.cells)
      }
    }
    return TextTable(kept, right: [1]).lines
  }

  /// Whether it is a message of a client that is concerned, about what is wrong.
  private func isRelevant(_ event: TraceEvent) -> Bool {
    guard let transit = event.kind.transit, concerned.contains(transit.client) else { return false }
    return transit.path.map { path in paths.contains { $0.isRelated(to: path) } } ?? false
  }

  private func row(of event: TraceEvent) -> Row? {
    let names = result.scenario.clients
    let route = event.route(names: names)
    func cause(_ text: String) -> Row {
      Row(cells: [event.time.shortText, route, text], isCause: true)
    }
    if case let .input(_, input) = event.kind, let asked = input.asked {
      let label = asked.operation.registration?.listener.name ?? asked.call.name
      return cause("calls \(calls.words(for: asked.operation))   as \(label)")
    }
    switch event.kind {
    case .input(_, .open) where event.step < 0: return nil
    case .input(_, .open): return cause("its process starts again, with what is stored")
    case .input(_, .close): return cause("its process is ended from outside")
    case .input(_, .closed), .input(_, .refused), .fault: return cause(event.text)
    case .serverWrite, .serverUpdate:
      return Row(
        cells: [event.time.shortText, "server", "another client: \(event.brief)"], isCause: true)
    case .input, .output, .serverReceived, .serverSent, .lostToServer, .lostToClient, .step,
      .serverOpened, .serverClosed:
      guard let client = event.kind.client, concerned.contains(client) else { return nil }
      return text(of: event).map {
        Row(cells: [event.time.shortText, route, $0], isCause: false)
      }
    }
  }

  /// A message where the client has it, as it sends it, as it gets it, or as it is lost; and what the
  /// client does.
  private func text(of event: TraceEvent) -> String? {
    switch event.kind {
    case .lostToServer, .lostToClient: return event.text
    case .input, .output:
      let json = event.json(clients: result.scenario.clients, result.profile.dialect)
      if let frame = json["out"]?["send"] ?? json["in"]?["frame"] {
        return Truncation.middle(of: frame.string ?? frame.text, to: Self.width, front: .twoThirds)
      }
      guard case let .output(_, output) = event.kind else { return nil }
      switch output.topic {
      // What a client does for itself alone, or what other lines show.
      case .timer, .storage, .nesting: return nil
      default: return event.text
      }
    case .serverReceived, .serverSent, .step, .serverOpened, .serverClosed, .fault, .serverWrite,
      .serverUpdate:
      return nil
    }
  }
}
