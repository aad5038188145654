internal import ClientInterface
internal import Document
internal import Trace

extension SpaceTime {
  /// The picture as text for a terminal: a lane for each line, an event a row, at most 100 columns.
  ///
  /// A lane's edge is `|` while its client is connected and `:` while it is not. A message leaves
  /// with
  /// `-->` or `<--` towards where it goes, and arrives with the same; `--x` is one that is lost. `*` is
  /// an event that a listener receives, `!` marks the row by which a failure became apparent, and `?`
  /// what is missing there: what a conforming client does and this one never does.
  public var text: String {
    var lanes = LaneText(participants)
    lanes.addHeads(title: run.title)
    if let note { lanes.addLine("  " + note) }
    let wrong = Set(run.failures.compactMap(\.event))
    var missing = run.failures.first?.missing
    for event in selection.events {
      if let absent = missing, absent.time < event.time {
        lanes.add(absent)
        missing = nil
      }
      lanes.add(event, isWrong: wrong.contains(event.sequence))
    }
    if let missing { lanes.add(missing) }
    for failure in run.failures { lanes.addFailure(failure) }
    return lanes.lines.map { $0 + "\n" }.joined()
  }
}

/// Builds the rows of a picture in text.
struct LaneText {
  static let width = lineWidth
  /// How wide the time is, with the mark in front of it.
  private static let timeWidth = 15

  private(set) var lines: [String] = []
  private let participants: Participants
  private let laneWidth: Int
  private var connected: Set<Int> = []
  private var lastTime: Interval?

  init(_ participants: Participants) {
    self.participants = participants
    laneWidth = max(8, (Self.width - Self.timeWidth) / participants.count)
    connected.insert(participants.server)
  }

  mutating func addLine(_ text: String) {
    lines.append(DisplayWidth.truncated(folded(text), to: Self.width))
  }

  mutating func addHeads(title: String) {
    addLine(title)
    lines.append("")
    let names = participants.names.map {
      padded(DisplayWidth.truncated(folded($0), to: laneWidth - 1), to: laneWidth)
    }
    lines.append(trimmedEnd(String(repeating: " ", count: Self.timeWidth) + names.joined()))
  }

  mutating func add(_ event: TraceEvent, isWrong: Bool) {
    guard let column = participants.column(of: event) else {
      addLine("\(mark(isWrong))-- step \(event.step)  \(event.text)")
      lastTime = nil
      return
    }
    let text = words(event, at: column)
    if isWrong || text != nil {
      addRow(event.time, text ?? event.text, at: column, mark: mark(isWrong))
    }
    switch event.kind {
    case .input(_, .opened): connected.insert(column)
    case .input(_, .closed), .input(_, .close), .output(_, .disconnect): connected.remove(column)
    default: break
    }
  }

  /// What is missing at a client of the run.
  mutating func add(_ missing: PicturedRun.Failure.Missing) {
    guard let client = participants.clients.firstIndex(of: missing.client) else { return }
    let column = participants.column(of: ClientIndex(client))
    addRow(missing.time, "? missing: " + folded(missing.text), at: column, mark: "? ")
  }

  mutating func addFailure(_ failure: PicturedRun.Failure) {
    lines.append("")
    for (index, sentence) in failure.sentences.enumerated() {
      let folded = folded(sentence).wrapped(to: Self.width - 4, cut: DisplayWidth.truncated)
      lines += folded.enumerated().map { ($0 + index == 0 ? "  ! " : "    ") + $1 }
    }
  }

  private func mark(_ isWrong: Bool) -> String { isWrong ? "! " : "  " }

  private mutating func addRow(
    _ moment: Interval, _ text: String, at column: Int, mark: String
  ) {
    let time = moment == lastTime ? "" : folded(moment.shortText)
    lastTime = moment
    let shown = padded(time, to: Self.timeWidth - 4, .right)
    var line = mark + DisplayWidth.truncated(shown, to: Self.timeWidth - 4) + "  "
    for lane in 0..<participants.count {
      let edge = connected.contains(lane) ? "|" : ":"
      // The last lane with words may use what is left of the line.
      let isLast = lane == participants.count - 1
      let room = (isLast ? Self.width - line.count : laneWidth) - 2
      let words = lane == column ? DisplayWidth.truncated(text, to: room) : ""
      line += edge + padded(words, to: laneWidth - 1)
    }
    lines.append(trimmedEnd(line))
  }

  /// What a row says; `nil` for what the edges show.
  private func words(_ event: TraceEvent, at column: Int) -> String? {
    let text = folded(event.arrowLabel ?? "")
    let short = DisplayWidth.truncated(text, to: laneWidth - 7)
    if let transit = event.transit {
      let (from, to) = participants.ends(of: transit)
      return switch transit.moment {
      case .leaves: leaving(short, toTheRight: from < to)
      case .arrives: arriving(short, fromTheLeft: from < to)
      case .isLost: "\(MessageMark.lost) \(text)"
      }
    }
    let isLeft = event.kind.client.map { participants.column(of: $0) < participants.server } ?? true
    switch event.kind {
    case .input(_, .opened): return "connected"
    case .serverOpened: return arriving(text, fromTheLeft: isLeft)
    case .output(_, .connect), .output(_, .connectTo): return leaving(short, toTheRight: isLeft)
    case .input(_, .call): return "> " + text
    case .fault: return "# " + text
    default: return event.isRaised ? "* " + text : "  " + text
    }
  }

  private func leaving(_ text: String, toTheRight isRight: Bool) -> String {
    isRight ? "\(text) \(MessageMark.toTheRight)" : "\(MessageMark.toTheLeft) \(text)"
  }

  private func arriving(_ text: String, fromTheLeft isLeft: Bool) -> String {
    isLeft ? "\(MessageMark.toTheRight) \(text)" : "\(text) \(MessageMark.toTheLeft)"
  }
}

/// `text` with everything outside ASCII as JSON escapes; a row shows no more than its two ends.
private func folded(_ text: String) -> String {
  isPlainASCII(text) ? text : ascii(Truncation.middle(of: text, toBytes: 400))
}
