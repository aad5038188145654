internal import ClientInterface
package import Conformance
internal import Document
package import Scenario
internal import Trace
internal import Wire

/// All messages of a run, from top to bottom.
public struct SequenceDiagram: Hashable, Sendable {
  /// The clients, with the server after the first of them.
  public var participants: [String]
  /// What the diagram shows, from top to bottom.
  public var lines: [Line]

  /// One row of the diagram.
  public enum Line: Hashable, Sendable {
    /// The number of a step with its text.
    case step(String)
    /// From one participant to another, by their positions.
    case message(from: Int, to: Int, String, Fate)
    /// What a participant does by itself, one entry for each thing.
    case note(Int, [String])
    /// What affects the network, or everybody.
    case fault(String)
  }

  /// Whether a message reached the participant it was sent to.
  public enum Fate: Hashable, Sendable {
    case arrived
    /// It was under way when its connection died.
    case lost
  }

  /// How many lines a story has; what comes after that is counted.
  static let limit = 120

  /// A sentence for who cannot see the diagram.
  var alternative: String {
    let messages = lines.count {
      if case .message = $0 { true } else { false }
    }
    return "Sequence of \(counted(messages, "message")) between "
      + participants.joined(separator: ", ")
  }

  /// The run from its first step on, without what keeps connections alive.
  ///
  /// - Parameters:
  ///   - result: The run, with its events.
  ///   - words: What a step does.
  package init(_ result: ScenarioResult, words: (Step) -> String) {
    let columns = Participants(clients: result.scenario.clients, server: .second)
    participants = columns.names
    lines = []
    var step = 0
    // A step that is one call says so itself.
    var recordsCalls = false
    let steps = result.scenario.steps
    // They are no part of any story, and profiles send them at other times.
    let unreported = result.trace.statistics
    for event in result.trace.events where event.step >= 1 && !unreported.contains(event.sequence) {
      while step < min(event.step, steps.count) {
        step += 1
        recordsCalls = steps[step - 1].action.members != nil
        let text = visible(Truncation.countedMiddle(of: words(steps[step - 1]), retention: 90))
        // Messages go on while a step only waits for what it expects: it has no line of its own.
        if !steps[step - 1].isSilent { lines.append(.step("\(step)  \(text)")) }
      }
      if !recordsCalls, case .input(_, .call) = event.kind { continue }
      add(event, columns)
    }
    if lines.count > Self.limit {
      let more = lines.count - Self.limit
      lines = Array(lines.prefix(Self.limit)) + [.fault("... \(more) more")]
    }
  }

  private mutating func add(_ event: TraceEvent, _ columns: Participants) {
    if let transit = event.transit {
      guard transit.moment != .leaves, transit.isReported else { return }
      let (from, to) = columns.ends(of: transit)
      let fate: Fate = transit.moment == .isLost ? .lost : .arrived
      lines.append(.message(from: from, to: to, event.sequenceLabel, fate))
      return
    }
    switch event.kind {
    case let .input(client, .call): addNote(at: columns.column(of: client), event.sequenceLabel)
    case let .input(client, .opened), let .input(client, .closed), let .input(client, .refused):
      addNote(at: columns.column(of: client), event.text)
    case let .output(client, _):
      if let words = EventWords(event) {
        addNote(at: columns.column(of: client), words.withListener)
      }
    case .fault: lines.append(.fault(event.sequenceLabel))
    case .serverWrite, .serverUpdate: addNote(at: columns.server, event.sequenceLabel)
    case .input(_, .timer), .input(_, .open), .input(_, .close), .input(_, .frame), .step,
      .serverSent, .serverReceived, .lostToServer, .lostToClient, .serverOpened, .serverClosed:
      break
    }
  }

  /// What one participant does at a time is one note.
  private mutating func addNote(at column: Int, _ text: String) {
    if case .note(column, let texts)? = lines.last {
      lines[lines.count - 1] = .note(column, texts + [text])
    } else {
      lines.append(.note(column, [text]))
    }
  }
}

extension Step {
  /// Whether it does nothing but look on.
  fileprivate var isSilent: Bool { action.category == .observation }
}

extension TraceEvent {
  /// What happened in the words of the interface, with single blanks. Numbers of requests, tags and
  /// hashes are left out: they depend on what else was asked, and profiles ask different things.
  fileprivate var sequenceLabel: String {
    var request: Request?
    if case let .toServer(.request(_, asked))? = transit?.content { request = asked }
    if let query = request?.query { return visible(query) }
    var words = visible(text).split(separator: " ").map(String.init)
    for name in ["request", "tag"] where words.count > 2 && words[words.count - 2] == name {
      if Int(words[words.count - 1]) != nil { words.removeLast(2) }
    }
    if request?.isConditional == true { words[words.count - 1] = "unchanged" }
    return words.joined(separator: " ")
  }
}

extension Request {
  /// Whether it is for data that have a certain hash.
  fileprivate var isConditional: Bool {
    switch self {
    case let .put(_, _, hash), let .merge(_, _, hash): hash.map { !$0.isEmpty } ?? false
    case .listen, .unlisten, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel, .get,
      .stats, .authenticate, .unauthenticate:
      false
    }
  }

  /// A request about a query, as an application writes the query; nil for others.
  fileprivate var query: String? {
    switch self {
    case let .listen(listen):
      listen.query.map { "listen \(Operation.Target(listen.path, $0).text)" }
    case let .unlisten(path, query, _):
      query.map { "unlisten \(Operation.Target(path, $0).text)" }
    case let .get(path, query): "get \(Operation.Target(path, query).text)"
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel, .authenticate,
      .unauthenticate, .stats:
      nil
    }
  }
}

extension MessageTransit {
  /// Whether the message is part of a story: what keeps a connection alive is not.
  fileprivate var isReported: Bool {
    switch content {
    case .toServer(.ping), .toClient(.pong), .toClient(.notice): false
    case .toServer(.request): true
    case .toClient(.hello), .toClient(.response), .toClient(.put), .toClient(.merge),
      .toClient(.revoked), .toClient(.credentialRevoked), .toClient(.shutdown), .toClient(.reset),
      .toClient(.other):
      true
    }
  }
}

extension SequenceDiagram {
  /// The diagram as an element of a page; `id` distinguishes it from others there.
  package func svg(id: String) -> String {
    let layout = Layout(self)
    var svg = SVG(id, width: layout.width, height: layout.height)
    for (index, name) in participants.enumerated() {
      let x = layout.columns[index]
      svg.line((x, 30), (x, layout.height - 8), "life")
      svg.text(name, x: x, y: 20, "name", .middle)
    }
    var y = Layout.top
    for line in lines {
      draw(line, layout, y, &svg)
      y += Layout.height(of: line)
    }
    return svg.element(title: alternative)
  }

  private func draw(_ line: Line, _ layout: Layout, _ y: Int, _ svg: inout SVG) {
    switch line {
    case let .step(words):
      svg.box(x: 2, y: y, width: layout.width - 4, height: 20, "step")
      svg.text("step \(words)", x: 8, y: y + 14, "words")
    case let .fault(words):
      svg.box(x: 2, y: y, width: layout.width - 4, height: 20, "fault")
      svg.text(words, x: 8, y: y + 14, "words")
    case let .message(from, to, words, fate):
      let (a, b) = (layout.columns[from], layout.columns[to])
      svg.text(words, x: (a + b) / 2, y: y + 12, "words halo", .middle)
      switch fate {
      case .arrived: svg.arrow((a, y + 19), (b, y + 19), "message")
      case .lost:
        let share = MessageMark.lostShare
        let end = (a * (100 - share) + b * share) / 100
        svg.line((a, y + 19), (end, y + 19), "message lost")
        svg.cross(end, y + 19)
      }
    case let .note(column, texts):
      let width = SVG.width(of: texts) + 12
      let x = max(2, min(layout.columns[column] - width / 2, layout.width - width - 2))
      svg.box(
        x: x, y: y + 2, width: width, height: texts.count * SVG.lineHeight + 4, "note")
      for (index, text) in texts.enumerated() {
        svg.text(text, x: x + 6, y: y + 15 + index * SVG.lineHeight, "words")
      }
    }
  }

  /// Where everything is: as narrow as the longest texts allow.
  private struct Layout {
    static let top = 40
    var columns: [Int] = []
    var width = 0
    var height = Layout.top

    init(_ sequence: SequenceDiagram) {
      let count = sequence.participants.count
      var gaps = Array(repeating: 120, count: max(0, count - 1))
      var margins = (left: 60, right: 60)
      for line in sequence.lines {
        height += Self.height(of: line)
        switch line {
        case let .message(from, to, words, _):
          let (low, high) = (min(from, to), max(from, to))
          guard high > low else { continue }
          let needed = (SVG.width(of: [words]) + 24) / (high - low)
          for gap in low..<high { gaps[gap] = max(gaps[gap], needed) }
        case let .note(column, texts):
          let half = (SVG.width(of: texts) + 20) / 2
          if column == 0 { margins.left = max(margins.left, half) }
          if column == count - 1 { margins.right = max(margins.right, half) }
        case .step, .fault: break
        }
      }
      var x = margins.left
      for index in 0..<count {
        columns.append(x)
        if index < gaps.count { x += gaps[index] }
      }
      width = max(x + margins.right, Self.widest(sequence.lines))
      height += 16
    }

    private static func widest(_ lines: [Line]) -> Int {
      lines.map { line in
        switch line {
        case let .step(words), let .fault(words): SVG.width(of: ["step " + words]) + 20
        case .message, .note: 0
        }
      }.max() ?? 0
    }

    static func height(of line: Line) -> Int {
      switch line {
      case .step, .fault: 26
      case .message: 28
      case let .note(_, texts): texts.count * SVG.lineHeight + 10
      }
    }
  }
}
