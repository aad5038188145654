internal import ClientInterface
internal import Conformance
internal import Document
internal import Documentation
internal import Scenario
internal import Simulator
internal import Trace
public import TraceFiles
internal import Tree
internal import Wire

/// The viewer of one run: a page that goes through its events and shows what everybody knew.
public struct ViewerPage {
  private let file: TraceFile
  private let playback: Playback
  private let participants: Participants
  private let missing: PicturedRun.Failure.Missing?
  private let players: [String]
  private let isWithinPage: Bool

  /// - Parameters:
  ///   - file: The run.
  ///   - name: The path of its file.
  ///   - players: Which implementation played each client, where there are several.
  ///   - isWithinPage: Whether it is a part of a page that shows title, verdict, what was wrong first and texts itself.
  public init(
    of file: TraceFile, name: String, players: [String] = [], isWithinPage: Bool = false
  ) {
    (self.file, self.players) = (file, players)
    self.isWithinPage = isWithinPage
    // A trace whose texts cannot be read is shown all the same, from an empty server on.
    let session = file.header.session
    let data = session?.data ?? (try? file.header.readScenario(of: name))?.data ?? .empty
    playback = Playback(
      of: file.trace, data: data, epoch: session?.epoch ?? Configuration.standardEpoch)
    participants = Participants(clients: file.header.clients)
    missing = PicturedRun(file).failures.first?.missing
  }

  /// The whole file.
  public var html: String {
    HTMLPage(
      title: "\(file.header.title) - \(file.header.profile.name)",
      styles: [PackageResources.page_css, PackageResources.viewer_css],
      scripts: [
        PackageResources.common_js, PackageResources.timeline_js, PackageResources.viewer_js,
      ], data: data, body: body
    ).html
  }

  /// The markup of every page, line by line, with what is of this run where a line names it.
  private func body(_ body: inout MarkupWriter) {
    for line in String(decoding: PackageResources.viewer_html, as: UTF8.self).split(separator: "\n")
    {
      switch line {
      case "<!-- header -->": if !isWithinPage { body.element("header", [:], header) }
      case "<!-- failures -->": failures(&body)
      case "<!-- sources -->": sources(&body)
      default: body.raw(String(line))
      }
    }
  }

  private func header(_ header: inout MarkupWriter) {
    header.element("h1", file.header.title)
    let verdict = file.end.verdict.rawValue
    header.element("p") { line in
      line.element("span", ["class": "badge \(verdict)"], verdict)
      line.raw(
        Escaping.html(
          " \(file.header.scenario), \(file.header.profile.name), seed \(file.header.seed), "
            + "client \(file.header.client)"))
    }
  }

  /// Expected against observed, for what was wrong first.
  private func failures(_ body: inout MarkupWriter) {
    if file.end.divergences.isEmpty {
      return body.element("div", ["id": "failures", "hidden": ""], "")
    }
    body.element("section", ["id": "failures", "aria-label": "What was wrong"]) { part in
      for (index, failure) in file.end.divergences.prefix(20).enumerated() {
        FailureMarkup(failure, withSentence: !isWithinPage || index > 0).write(&part)
      }
      if !players.isEmpty {
        let all = zip(file.header.clients, players).map { "\($0): \($1)" }
        part.element("p", ["class": "soft"], "played by " + all.joined(separator: ", "))
      }
      let rest = file.end.divergences.count - 20
      if rest > 0 { part.element("p", "and \(rest) more") }
    }
  }

  /// The run as a picture, and the texts of its scenario.
  private func sources(_ body: inout MarkupWriter) {
    body.element("details") { details in
      details.element("summary", "Picture")
      details.element("div", ["class": "scroll", "tabindex": "0"]) {
        $0.raw(SpaceTime(of: PicturedRun(file)).svg())
      }
    }
    for source in isWithinPage ? [] : file.header.sources {
      body.element("details") { details in
        details.element("summary", source.file)
        details.element("pre", ["dir": "ltr", "tabindex": "0"]) {
          $0.raw(Escaping.htmlLines(source.text))
        }
      }
    }
  }
}

// What the script of the viewer needs of a run.

extension ViewerPage {
  private var data: JSON {
    let clients = file.header.clients
    return [
      "clients": .strings(clients), "players": .strings(players),
      "columns": .strings(participants.names),
      "columnOf": .array(clients.indices.map { .count(participants.column(of: ClientIndex($0))) }),
      "start": playback.start.json,
      "views": .array(playback.views.map(json)),
      "failures": .array(
        file.end.divergences.map { failure in
          ["event": failure["event"] ?? .null, "sentence": failure["sentence"] ?? .null]
        }),
      "events": .array(file.trace.events.map(json)),
    ]
  }

  private func json(_ view: Playback.View) -> JSON {
    let target = view.registration.target
    let words = target.query.words.map { " " + $0 } ?? ""
    return [
      "client": .count(view.client.number), "name": .string(view.registration.listener.name),
      "place": .string(target.path.description + words),
    ]
  }

  /// An event: as traces have it (`j`), its column (`c`) and that of the other side (`o`), its kind
  /// (`k`), text (`x`), listener (`l`) and location (`p`), what it changes (`d`), and what is missing
  /// after it (`m`).
  private func json(_ event: TraceEvent) -> JSON {
    let changes = playback.changes[event.sequence]
    return .object(having: [
      "j": event.json(clients: file.header.clients, file.header.profile.dialect),
      "c": .count(participants.column(of: event) ?? -1), "k": .string(event.kind.word),
      "x": .string(event.text), "o": participants.otherColumn(of: event).map { .count($0) },
      "l": listener(of: event), "p": event.kind.path.map { .string($0.description) },
      "d": changes.isEmpty ? nil : .array(changes),
      "m": missing.flatMap { $0.event == event.sequence ? .string($0.text) : nil },
    ])
  }

  private func listener(of event: TraceEvent) -> JSON? {
    let clients = file.header.clients
    guard let listener = event.kind.listener?.name, let client = event.kind.client,
      clients.indices.contains(client.number)
    else { return nil }
    return .string("\(clients[client.number]).\(listener)")
  }
}

extension TraceEvent.Kind {
  /// The kind of event, by which a reader filters.
  fileprivate var word: String {
    switch self {
    case .step: "step"
    case .input(_, .call): "call"
    case let .output(_, output): output.topic.word
    case .serverSent: "send"
    case .input(_, .frame), .serverReceived: "receive"
    case .lostToServer, .lostToClient: "lost"
    case .input(_, .opened), .input(_, .closed), .input(_, .refused), .serverOpened, .serverClosed:
      "connection"
    case .input(_, .open), .input(_, .close): "process"
    case .input(_, .timer): "timer"
    case .fault: "fault"
    case .serverWrite, .serverUpdate: "write"
    }
  }

  /// The location in the data that the event is about; `nil` for one about none.
  fileprivate var path: Path? {
    switch self {
    case let .input(_, .call(_, operation)): operation.path
    case let .serverWrite(path, _), let .serverUpdate(path, _): path
    default: transit?.path
    }
  }
}

extension ClientOutput.Topic {
  fileprivate var word: String {
    switch self {
    case .connect, .disconnect: "connection"
    case .send: "send"
    case .timer: "timer"
    case .storage: "storage"
    case .listener: "event"
    case .call: "end"
    case .nesting: "call"
    case .uncaught, .remark: "log"
    }
  }
}

/// One thing that was wrong, as reports in JSON have it: a sentence, and expected against observed.
struct FailureMarkup {
  private let failure: JSON
  private let hasSentence: Bool

  init(_ failure: JSON, withSentence: Bool = true) {
    (self.failure, hasSentence) = (failure, withSentence)
  }

  func write(_ part: inout MarkupWriter) {
    if hasSentence {
      part.element(
        "p", ["class": "sentence", "dir": "ltr"],
        Truncation.middle(of: failure["sentence"]?.string ?? "", toBytes: 2000))
    }
    for clue in (failure["clues"]?.elements ?? []).compactMap(\.string) {
      part.element("p", ["class": "clue", "dir": "ltr"], clue)
    }
    part.element("p", ["class": "soft"]) { line in
      line.raw(Escaping.html(location))
      if let event = failure["event"]?.integer {
        line.raw(" · ")
        line.element("a", ["href": "#step=\(event)"], "event \(event)")
      }
    }
    let rows = failure["rows"]?.elements ?? []
    guard !rows.isEmpty else { return }
    part.element("div", ["class": "scroll", "tabindex": "0"]) { scroll in
      scroll.element("table") { table in
        table.element("tbody") { body in
          for row in rows.prefix(200) { write(row, &body) }
        }
      }
    }
  }

  private var location: String {
    let step = failure["step"]?.integer.map { "step \($0)" }
    let ids = (failure["rules"]?.elements ?? []).compactMap(\.string)
    let rules = (ids.count == 1 ? "rule " : "rules ") + ids.joined(separator: ", ")
    let file = failure["file"]?.string.map { "\($0):\(failure["line"]?.integer ?? 1)" }
    return [failure["subject"]?.string, step, ids.isEmpty ? nil : rules, file]
      .compactMap(\.self).joined(separator: " · ")
  }

  private func write(_ row: JSON, _ body: inout MarkupWriter) {
    let side = row["side"]?.string ?? "same"
    let words = ["same": "as expected", "expected": "expected", "observed": "observed"]
    body.element("tr", ["class": side]) { line in
      line.element("td", words[side] ?? side)
      line.element("td", row["number"]?.text ?? "")
      line.element("td") { cell in
        cell.element(
          "code", ["dir": "ltr"], Truncation.middle(of: row["text"]?.string ?? "", toBytes: 2000))
      }
    }
  }
}
