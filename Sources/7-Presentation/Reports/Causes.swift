internal import ClientInterface
package import Conformance
internal import Document
internal import Scenario
package import Search
internal import Trace

/// The lines of a run that led to a divergence.
package struct Causes {
  /// A line of the story before it is laid out.
  fileprivate enum Entry {
    case event(TraceEvent)
    /// The client lost its connection and asks for another one, refused so often before.
    case retry(TraceEvent, refusals: Int)
    case omission
  }

  /// The time, the route and the text of each line.
  private var shown: [[String]] = []

  /// How many lines a story has; of more, those in the middle are left out.
  package static let limit = 8

  /// What led to a divergence.
  ///
  /// - Parameters:
  ///   - divergence: What is wrong.
  ///   - result: The run in which it is.
  ///   - absence: What is missing, where it follows from that.
  ///   - limit: How many lines there are at most; `nil` for all of them.
  package init(
    of divergence: Divergence, in result: ScenarioResult, missing absence: Absence? = nil,
    limit: Int? = Self.limit
  ) {
    let evidence = Self.evidence(of: divergence, in: result.trace)
    guard evidence != nil || absence != nil else { return }
    let names = result.scenario.clients
    var slice = Self.withoutEchoes(
      absence?.story ?? evidence.map { result.trace.causes(of: $0) } ?? [])
    if let origin = divergence.origin, result.trace.events.indices.contains(origin),
      !slice.contains(where: { $0.sequence == origin })
    {
      slice.append(result.trace.events[origin])
      slice.sort { $0.sequence < $1.sequence }
    }
    let conclusion = divergence.conclusion
    if let last = slice.last, conclusion != nil, last.kind.listener != nil { slice.removeLast() }
    shown = Self.abridged(Self.withoutRetries(slice), to: limit, keeping: divergence.origin)
      .map { $0.cells(names: names) }
    if let absence {
      let (route, text) = absence.line
      shown.append([absence.action.time.shortText, route, text])
    }
    if let evidence, let conclusion,
      let last = result.trace.events.last(where: { $0.sequence == evidence }),
      absence.map({ !$0.isStated(by: divergence) && $0.action.time <= last.time }) ?? true
    {
      let route = divergence.subject.clientName ?? last.route(names: names)
      shown.append([last.time.shortText, route, conclusion])
    }
  }

  /// What shows the difference first. An event is seen to be missing when the next one comes.
  private static func evidence(of divergence: Divergence, in trace: Trace) -> Int? {
    guard let next = divergence.kind.next?.sequence, let evidence = divergence.evidence,
      trace.events.indices.contains(next), trace.events.indices.contains(evidence),
      trace.events[next].time < trace.events[evidence].time
    else { return divergence.evidence }
    return next
  }

  /// A message is reported once: where the client sends it, or where the client gets it.
  private static func withoutEchoes(_ events: [TraceEvent]) -> [TraceEvent] {
    events.enumerated().filter { index, event in
      switch event.kind {
      case .serverReceived: return index == 0
      case .serverSent: return index == events.count - 1
      case .input, .output, .step, .lostToServer, .lostToClient, .serverOpened, .serverClosed,
        .fault, .serverWrite, .serverUpdate:
        return true
      }
    }.map(\.element)
  }

  /// The waits for another try to connect, and the tries that were refused, are one line.
  private static func withoutRetries(_ events: [TraceEvent]) -> [Entry] {
    var entries: [Entry] = []
    var refusals = 0
    var isWaiting = false
    for event in events {
      switch event.kind {
      case .output(_, .setTimer(_, _, .backOff)): isWaiting = true
      case .input(_, .timer) where isWaiting: break
      case .output(_, .connect) where isWaiting:
        if case .retry? = entries.last { entries.removeLast() }
        entries.append(.retry(event, refusals: refusals))
      case .input(_, .refused): refusals += 1
      case .serverOpened, .input(_, .opened):
        isWaiting = false
        refusals = 0
        entries.append(.event(event))
      default: entries.append(.event(event))
      }
    }
    return entries
  }

  /// The beginning, the end and the call that it is about; what is left out in between is one entry.
  private static func abridged(
    _ entries: [Entry], to limit: Int?, keeping origin: Int?
  ) -> [Entry] {
    guard let limit, entries.count > limit else { return entries }
    var result: [Entry] = []
    for (index, entry) in entries.enumerated() {
      var isOrigin = false
      if case let .event(event) = entry { isOrigin = event.sequence == origin }
      if index < 2 || index >= entries.count - (limit - 3) || isOrigin {
        result.append(entry)
      } else if case .omission? = result.last {
        continue
      } else {
        result.append(.omission)
      }
    }
    return result
  }

  /// The lines in columns, the last one marked.
  package var lines: [String] {
    let lines = TextTable(shown.map { $0.map { ascii($0) } }, right: [0]).lines
    return lines.enumerated().map { index, line in
      let mark = index == lines.count - 1 ? "  > " : "    "
      return Truncation.middle(of: mark + line, to: TextReport.width)
    }
  }
}

extension Causes.Entry {
  fileprivate func cells(names: [String]) -> [String] {
    switch self {
    case let .event(event): [event.time.shortText, event.route(names: names), event.text]
    case let .retry(event, refusals):
      [
        event.time.shortText, event.route(names: names),
        event.text + (refusals > 0 ? ", \(refusals) refused before" : ""),
      ]
    case .omission: ["...", "", ""]
    }
  }
}

extension Divergence {
  /// What the last line says instead of the event, where both sides are listed below.
  fileprivate var conclusion: String? {
    if let counts {
      return "raised \(counted(counts.observed, "event")), expected \(counts.expected)"
    }
    if case .call(.missing, _, _) = kind, case let .call(_, id, _) = subject {
      return "\(id) has not ended"
    }
    return nil
  }
}

extension Divergence.Kind {
  /// What was raised behind an event that is missing.
  fileprivate var next: Observation? {
    if case let .missing(_, next) = base { next } else { nil }
  }
}
