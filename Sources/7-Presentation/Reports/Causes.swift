internal import ClientInterface
package import Conformance
internal import Scenario
internal import Text
internal import Trace

/// The lines of a run that led to a divergence.
package struct Causes {
  private struct Line {
    var time: String
    var route: String
    var text: String
  }

  private var shown: [Line] = []

  /// How many lines a story has; of more, those in the middle are left out.
  package static let limit = 8

  /// What led to a divergence, in so many lines at most; `nil` for all of them.
  package init(of divergence: Divergence, in result: ScenarioResult, limit: Int? = Self.limit) {
    guard let evidence = divergence.evidence else { return }
    let names = result.scenario.clients
    var slice = Self.withoutEchoes(result.trace.causes(of: evidence))
    if let origin = divergence.origin, result.trace.events.indices.contains(origin),
      !slice.contains(where: { $0.sequence == origin })
    {
      slice.append(result.trace.events[origin])
      slice.sort { $0.sequence < $1.sequence }
    }
    let conclusion = divergence.conclusion
    if let last = slice.last, conclusion != nil, last.kind.isEvent { slice.removeLast() }
    shown = Self.abridged(slice, to: limit, retention: divergence.origin).map { event in
      guard let event else { return Line(time: "...", route: "", text: "") }
      return Line(
        time: event.time.shortText, route: event.route(names: names), text: event.text)
    }
    if let conclusion, let last = result.trace.events.last(where: { $0.sequence == evidence }) {
      let route = divergence.subject.clientName ?? last.route(names: names)
      shown.append(Line(time: last.time.shortText, route: route, text: conclusion))
    }
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

  /// The beginning, the end and the call that it is about; `nil` where something is left out.
  private static func abridged(
    _ events: [TraceEvent], to limit: Int?, retention origin: Int?
  ) -> [TraceEvent?] {
    guard let limit, events.count > limit else { return events }
    var result: [TraceEvent?] = []
    for (index, event) in events.enumerated() {
      if index < 2 || index >= events.count - (limit - 3) || event.sequence == origin {
        result.append(event)
      } else if result.last != .some(nil) {
        result.append(nil)
      }
    }
    return result
  }

  /// The lines in columns, the last one marked.
  package var lines: [String] {
    var columns = TextTable([.right, .left, .left])
    for line in shown { columns.append([ascii(line.time), ascii(line.route), ascii(line.text)]) }
    let lines = columns.lines
    return lines.enumerated().map { index, line in
      let mark = index == lines.count - 1 ? "  > " : "    "
      return Truncation.middle(of: mark + line, to: TextReport.width)
    }
  }
}

extension Divergence {
  /// What the last line says instead of the event, where both sides are listed below.
  fileprivate var conclusion: String? {
    if let counts {
      return "raised \(counted(counts.observed, "event")), expected \(counts.expected)"
    }
    if case .outcomeMissing = kind, case let .call(_, id, _) = subject {
      return "\(id) has not ended"
    }
    return nil
  }
}

extension Subject {
  /// The client that it is about; `nil` for the server.
  package var clientName: String? {
    switch self {
    case let .listener(client, _, _), let .call(client, _, _), let .client(client): client
    case .server: nil
    }
  }
}

extension TraceEvent.Kind {
  /// Whether a client called a listener.
  fileprivate var isEvent: Bool {
    switch self {
    case .output(_, .event), .output(_, .cancelled): true
    case .step, .input, .output, .serverReceived, .serverSent, .lostToServer, .lostToClient,
      .serverOpened, .serverClosed, .fault, .serverWrite, .serverUpdate:
      false
    }
  }
}
