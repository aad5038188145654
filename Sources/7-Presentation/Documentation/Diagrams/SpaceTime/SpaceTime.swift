internal import ClientInterface
public import Conformance
internal import Document
internal import Trace

/// A picture of a run in space and time: a line for each client and for the server, time from top
/// to bottom, messages from line to line.
public struct SpaceTime: Sendable {
  let run: PicturedRun
  let selection: EventSelection
  let participants: Participants
  /// The names of listeners in the order in which they first receive something.
  let listeners: [String]

  /// Selects the events of the run that the picture shows, and collects the listeners among them.
  public init(of run: PicturedRun) {
    self.run = run
    selection = EventSelection(of: run)
    participants = Participants(clients: run.clients)
    listeners = selection.events.compactMap(\.kind.listener?.name).unique()
  }

  /// The picture of a run as SVG, to be put into a page or a file.
  ///
  /// - Parameters:
  ///   - result: The run, with its events.
  ///   - id: What its ids begin with; another one for each picture of a page.
  /// - Returns: One `svg` element that needs nothing else. It is light or dark as the reader's system
  ///   is, and so is a page that sets `data-theme` above it.
  public static func svg(of result: ScenarioResult, id: String = "picture") -> String {
    SpaceTime(of: PicturedRun(result)).svg(id: id)
  }

  /// What the picture shows, in a sentence or two, for those who do not see it.
  public var summary: String {
    let arrows = selection.events.filter(\.isSending).count
    let lost = selection.events.filter(\.isLoss).count
    let raised = selection.events.filter(\.isRaised).count
    let who = run.clients.joined(separator: ", ")
    var text = "Lines for \(who) and the server, time from top to bottom. "
    text += "\(counted(arrows, "message"))\(lost > 0 ? ", \(lost) of them lost" : ""); "
    text += "listeners receive \(counted(raised, "event"))."
    if let note { text += " \(note)." }
    if let failure = run.failures.first { text += " Wrong: \(failure.sentence)." }
    return text
  }

  /// What is left out, if anything is.
  var note: String? {
    guard selection.omitted > 0 else { return nil }
    let others = "\(selection.omitted) other events are left out"
    return selection.isSlice
      ? "Only what led to the failure; \(others)" : "The beginning; \(others)"
  }

  /// The picture as one `svg` element, drawn from back to front.
  ///
  /// - Parameters:
  ///   - id: What its ids begin with; another one for each picture of a page.
  ///   - hasStyle: Whether it has its style sheet in it; a page with many pictures has it once.
  /// - Returns: An element that needs nothing else.
  public func svg(id: String = "picture", hasStyle: Bool = true) -> String {
    let missing = run.failures.first?.missing
    let layout = SpaceTimeLayout(selection.events, participants, missing: missing)
    let verdict = VerdictLines(of: run, width: layout.width)
    let labels = SpaceTimeLabels(layout, names: participants.names)
    let legend = Legend(of: self, width: layout.width)
    let height = layout.height + 24 + verdict.height + legend.height
    var markup = MarkupWriter()
    markup.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "spacetime", "role": "img",
        "viewBox": "0 0 \(layout.width) \(height)", "width": "\(layout.width)",
        "height": "\(height)", "aria-labelledby": "\(id)-title \(id)-desc",
      ]
    ) { svg in
      svg.element("title", ["id": "\(id)-title"], run.title)
      svg.element("desc", ["id": "\(id)-desc"], summary)
      if hasStyle { svg.element("style") { $0.raw(Self.style) } }
      svg.empty("rect", ["class": "paper", "width": "\(layout.width)", "height": "\(height)"])
      background(layout, &svg)
      for (arrow, label) in zip(layout.arrows, labels.arrows) { draw(arrow, label, layout, &svg) }
      for mark in layout.marks { draw(mark, layout, &svg) }
      if let missing, let point = layout.missing { draw(missing, at: point, layout, &svg) }
      heads(layout, &svg)
      verdict.draw(at: layout.height + 24, &svg)
      legend.draw(at: layout.height + 24 + verdict.height, &svg)
    }
    return markup.text
  }

  /// What lies behind the events: time, steps, faults, lines, connections.
  private func background(_ layout: SpaceTimeLayout, _ svg: inout MarkupWriter) {
    for shade in layout.shades {
      svg.element("g") { group in
        group.rectangle(
          "shade", x: layout.x(shade.column) - 40, y: shade.from - 8, width: 80,
          height: max(16, shade.to - shade.from + 8))
        group.element("title", shade.label)
      }
    }
    for column in 0..<participants.count {
      let x = layout.x(column)
      svg.line("life", from: (x, SpaceTimeLayout.top - 18), to: (x, layout.height))
    }
    for band in layout.bands {
      svg.rectangle(
        "band", x: layout.x(band.column) - 4, y: band.from, width: 8,
        height: max(2, band.to - band.from))
    }
    scale(layout, &svg)
  }

  /// When the steps of the scenario were made, and the time.
  private func scale(_ layout: SpaceTimeLayout, _ svg: inout MarkupWriter) {
    for step in layout.steps {
      svg.line("rule", from: (0, step.y), to: (layout.width, step.y))
      svg.element("text", ["class": "step", "x": "8", "y": "\(step.y - 3)"]) { text in
        text.element("title", Truncation.middle(of: step.text, toBytes: 2000))
        text.raw(Escaping.html(layout.shown(step.text)))
      }
    }
    for time in layout.times {
      svg.words(time.text, "time", x: layout.timeWidth - 10, y: time.y + 4)
    }
  }

  /// The names of the lines, above them.
  private func heads(_ layout: SpaceTimeLayout, _ svg: inout MarkupWriter) {
    for (column, name) in participants.names.enumerated() {
      let head = SpaceTimeLayout.head(name)
      svg.words(head, "head", x: layout.x(column), y: SpaceTimeLayout.top - 26)
    }
    if let note { svg.words(note, "note", x: 8, y: 16) }
  }

  private func draw(
    _ mark: SpaceTimeLayout.Mark, _ layout: SpaceTimeLayout, _ svg: inout MarkupWriter
  ) {
    guard let label = mark.event.label else { return }
    let isWrong = run.failures.first?.event == mark.event.sequence
    let isLeft = layout.isLabelledOnTheLeft(mark.at.column)
    let x = layout.x(mark.at.column)
    let words = style(of: mark.event) + (isWrong ? " wrong" : isCause(mark.event) ? " led" : "")
    svg.element("g", ["class": words]) { group in
      group.element("title", mark.event.details(clients: run.clients))
      if isWrong { group.circle("ring", x: x, y: mark.at.y, radius: "9") }
      tick(mark.event, x, mark.at.y, isLeft: isLeft, &group)
      group.words(
        SpaceTimeLayout.shown(label), isLeft ? "end" : "start", x: isLeft ? x - 14 : x + 14,
        y: mark.at.y + 4)
    }
  }

  /// A dashed ring where something should be, with its words.
  private func draw(
    _ missing: PicturedRun.Failure.Missing, at point: SpaceTimeLayout.Point,
    _ layout: SpaceTimeLayout, _ svg: inout MarkupWriter
  ) {
    let isLeft = layout.isLabelledOnTheLeft(point.column)
    let x = layout.x(point.column)
    svg.element("g", ["class": "wrong missing"]) { group in
      group.element("title", missing.text)
      group.circle("ring", x: x, y: point.y, radius: "6")
      group.words(
        SpaceTimeLayout.shown("missing: " + missing.text), isLeft ? "end" : "start",
        x: isLeft ? x - 14 : x + 14, y: point.y + 4)
    }
  }

  /// A call enters its line as an arrowhead, an event leaves it as a tick, all else is a dot.
  private func tick(
    _ event: TraceEvent, _ x: Int, _ y: Int, isLeft: Bool, _ group: inout MarkupWriter
  ) {
    let outside = isLeft ? -1 : 1
    if case .input(_, .call) = event.kind {
      let start = x + outside * 12
      group.path("M\(start) \(y - 4)L\(x + outside * 2) \(y)L\(start) \(y + 4)Z")
    } else if event.isRaised {
      group.path("tick", "M\(x) \(y)H\(x + outside * 12)")
      group.circle(x: x, y: y, radius: "3.5")
    } else {
      group.circle(x: x, y: y, radius: "3")
    }
  }

  private func draw(
    _ arrow: SpaceTimeLayout.Arrow, _ label: SpaceTimeLabels.ArrowLabel?, _ layout: SpaceTimeLayout,
    _ svg: inout MarkupWriter
  ) {
    let line = Slope(arrow, layout)
    let isLost = arrow.event.isLoss
    var words = "message"
    if case .serverOpened = arrow.event.kind { words = "connect" }
    if isLost { words += " lost" }
    if run.failures.first?.event == arrow.event.sequence {
      words += " wrong"
    } else if isCause(arrow.event) {
      words += " led"
    }
    svg.element("g", ["class": words]) { group in
      group.element("title", arrow.event.details(clients: run.clients))
      group.path("way", line.way)
      group.path(isLost ? "cross" : "tip", isLost ? line.cross : line.tip)
      if let label {
        group.element("text", ["class": "middle", "transform": label.matrix], label.text)
      }
    }
  }

  private func isCause(_ event: TraceEvent) -> Bool {
    !run.failures.isEmpty && selection.causes.contains(event.sequence)
  }

  private func style(of event: TraceEvent) -> String {
    switch event.kind {
    case .input(_, .call), .serverWrite, .serverUpdate: return "call"
    case .output(_, .completed), .output(_, .answered), .output(_, .threw): return "done"
    case .fault, .input(_, .closed), .input(_, .refused), .input(_, .close): return "fault"
    default:
      guard let name = event.kind.listener?.name else { return "other" }
      return "l\((listeners.firstIndex(of: name) ?? 0) % Theme.listenerColours)"
    }
  }
}

extension TraceEvent {
  /// What is written along an arrow.
  var arrowLabel: String? {
    if case .serverOpened = kind { "connect" } else { label }
  }
}

/// What was wrong, in words at the foot of a picture.
struct VerdictLines {
  private let lines: [String]
  private static let lineHeight = 18

  /// - Parameters:
  ///   - run: The run.
  ///   - width: How wide the picture is, in pixels.
  init(of run: PicturedRun, width: Int) {
    guard let failure = run.failures.first else {
      lines = run.verdict == "pass" ? [] : [run.verdict]
      return
    }
    let columns = max(40, width / 7 - 6)
    lines = failure.sentences.flatMap { sentence in
      visible(sentence).wrapped(
        to: columns, measure: DisplayWidth.of, cut: DisplayWidth.truncated)
    }
  }

  var height: Int { lines.isEmpty ? 0 : lines.count * Self.lineHeight + 16 }

  func draw(at y: Int, _ svg: inout MarkupWriter) {
    for (index, line) in lines.enumerated() {
      let mark = index == 0 ? "✗ " : "  "
      svg.words(mark + line, "verdict", x: 12, y: y + 8 + index * Self.lineHeight)
    }
  }
}

/// What the marks of a picture mean, at its foot: only those that it has.
struct Legend {
  /// A mark, drawn as in the picture, with its meaning.
  private struct Entry {
    var classes: String
    var words: String
    var draw: (_ x: Int, _ y: Int, inout MarkupWriter) -> Void
  }

  private var rows: [[(x: Int, entry: Entry)]] = []
  private static let lineHeight = 18
  private static let markWidth = 26

  /// - Parameters:
  ///   - picture: The picture.
  ///   - width: How wide it is, in pixels.
  init(of picture: SpaceTime, width: Int) {
    var x = 12
    for entry in Self.entries(of: picture) {
      let needed = Self.markWidth + entry.words.count * 7 + 14
      if rows.isEmpty || x + needed > width - 8 {
        rows.append([])
        x = 12
      }
      rows[rows.count - 1].append((x, entry))
      x += needed
    }
  }

  var height: Int { rows.isEmpty ? 0 : rows.count * Self.lineHeight + 10 }

  func draw(at y: Int, _ svg: inout MarkupWriter) {
    svg.element("g", ["class": "legend"]) { legend in
      for (index, row) in rows.enumerated() {
        let line = y + 8 + index * Self.lineHeight
        for (x, entry) in row {
          legend.element("g", ["class": entry.classes]) { entry.draw(x, line, &$0) }
          legend.words(entry.words, nil, x: x + Self.markWidth, y: line + 4)
        }
      }
    }
  }

  private static func entries(of picture: SpaceTime) -> [Entry] {
    let events = picture.selection.events
    var entries = [
      Entry(classes: "call", words: "call") { x, y, svg in
        svg.path("M\(x + 4) \(y - 4)L\(x + 14) \(y)L\(x + 4) \(y + 4)Z")
      }
    ]
    if events.contains(where: \.isRaised) {
      entries.append(
        Entry(classes: "l0", words: "event at a listener") { x, y, svg in
          svg.path("tick", "M\(x + 4) \(y)H\(x + 16)")
          svg.circle(x: x + 16, y: y, radius: "3.5")
        })
    }
    entries.append(dot("done", "completion"))
    if events.contains(where: \.isFault) {
      entries.append(dot("fault", "fault"))
    }
    if events.contains(where: \.isLoss) { entries.append(way("lost", "lost message")) }
    entries.append(way("connect", "connection request"))
    entries.append(
      Entry(classes: "connected", words: "connected") { x, y, svg in
        svg.rectangle("band", x: x + 8, y: y - 7, width: 8, height: 14)
      })
    guard let failure = picture.run.failures.first else { return entries }
    if failure.missing != nil {
      entries.append(
        Entry(classes: "wrong missing", words: "what is missing") { x, y, svg in
          svg.circle("ring", x: x + 10, y: y, radius: "6")
        })
    }
    guard failure.event != nil else { return entries }
    entries.append(way("led", "led to the failure"))
    entries.append(
      Entry(classes: "wrong", words: "where it became apparent") { x, y, svg in
        svg.circle("ring", x: x + 10, y: y, radius: "6")
      })
    return entries
  }

  private static func dot(_ style: String, _ words: String) -> Entry {
    Entry(classes: style, words: words) { x, y, svg in
      svg.circle(x: x + 12, y: y, radius: "3.5")
    }
  }

  private static func way(_ style: String, _ words: String) -> Entry {
    Entry(classes: style, words: words) { x, y, svg in
      svg.path("way", "M\(x + 1) \(y)H\(x + 20)")
    }
  }
}
