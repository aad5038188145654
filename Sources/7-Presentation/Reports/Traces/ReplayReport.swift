internal import ClientInterface
internal import Conformance
internal import Scenario
internal import Text
internal import Trace
public import TraceFiles
internal import Wording

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
    lines += DifferenceTable(firstDifference(difference), clients: header.clients, now: names)
      .lines("(- recorded, + now)")
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

  private func firstDifference(_ difference: TraceDifference) -> TraceFirstDifference {
    TraceFirstDifference(
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
