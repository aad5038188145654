internal import ClientInterface
internal import Conformance
internal import Scenario
internal import Trace
public import TraceFiles
internal import Tree

/// How the replay of a trace went, as text for people.
public struct ReplayReport {
  private let replay: TraceReplay
  private let name: String
  private let kit: String

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
      return (lines + verdictLines.map { "  " + $0 }).map { $0 + "\n" }.joined()
    }
    var lines = ["DIFFERS  " + Shortening.cut(ascii(header.title), to: TextReport.width - 9)]
    lines += ["      " + ascii(name)]
    lines += ["      \(subject)   seed \(header.seed)   client \(ascii(header.client))", ""]
    lines += ["  " + sentence(difference), ""]
    lines += PartingTable(parting(difference), clients: header.clients).lines("(- recorded, + now)")
    lines += causeLines(difference)
    let notes = noteLines
    if !notes.isEmpty { lines += [""] + notes.flatMap { wrapped($0) } }
    return lines.map { $0 + "\n" }.joined()
  }

  private func sentence(_ difference: TraceDifference) -> String {
    let place = "event \(difference.number) of \(replay.file.trace.count)"
    let time = (difference.first ?? difference.second)?.time.shortText ?? ""
    let step = (difference.first ?? difference.second)?.step ?? 0
    let steps = replay.result.scenario.steps.count
    let where_ = step > 0 ? ", in step \(step) of \(steps)" : ", before the first step"
    return "the run goes another way than the trace at \(place), at \(time)\(where_)"
  }

  private func parting(_ difference: TraceDifference) -> TraceParting {
    TraceParting(
      number: difference.number,
      before: Array(replay.file.trace.events.prefix(difference.number)),
      first: difference.first, second: difference.second,
      dialect: replay.file.header.profile.dialect)
  }

  /// What each side follows from.
  private func causeLines(_ difference: TraceDifference) -> [String] {
    let events = replay.file.trace.events
    let sides = [("recorded", difference.first), ("now", difference.second)].compactMap {
      side, event -> String? in
      guard let cause = event?.cause, events.indices.contains(cause) else { return nil }
      let route = events[cause].route(names: replay.file.header.clients)
      return Shortening.cut(
        "  \(side) because of \(cause): \(ascii(route))  \(ascii(events[cause].text))",
        to: TextReport.width)
    }
    return sides.isEmpty ? [] : [""] + sides
  }

  private var verdictLines: [String] {
    let now = replay.result.verdict
    let then = replay.file.end.verdict
    return now == then ? [] : ["judged \(now.rawValue) now; the trace says \(then.rawValue)"]
  }

  private var noteLines: [String] {
    var notes = replay.result.unusedChoices.map { "no longer asked for: \($0)" }
    if replay.file.header.kit != kit {
      notes.append("the trace was made by kennel \(ascii(replay.file.header.kit)); this is \(kit)")
    }
    return notes + verdictLines
  }

  private func wrapped(_ text: String) -> [String] {
    Shortening.wrapped(ascii(text), to: TextReport.width - 2).map { "  " + $0 }
  }
}
