public import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
public import Search
internal import Trace
internal import TraceFiles
internal import Tree

/// An explanation as a text for the people who maintain the client: it stands alone, needs no
/// knowledge of the kit, and names no path of the machine on which it was made.
public struct BugReport {
  private let text: TextReport
  private let origin: Origin

  /// Where the failing run comes from.
  public struct Origin: Sendable {
    /// The version of the kit.
    public var kit: String
    /// The name and the version of the client.
    public var client: String
    /// The words behind which the client runs, as the adapter's command; empty for none.
    public var adapter: [String]
    /// How the calls look in the client's own interface, by operation, where its adapter states it.
    public var calls: CallStyle

    /// A run of a client in a scenario.
    public init(
      kit: String, client: String, adapter: [String], calls: CallStyle = CallStyle()
    ) {
      (self.kit, self.client, self.adapter, self.calls) = (kit, client, adapter, calls)
    }
  }

  /// How many messages are shown: of more, the first and the last.
  private static let messageLimit = 30
  /// How much of a message is shown.
  private static let messageWidth = 400

  /// Uses the rules and the reference of a text report.
  public init(_ text: TextReport, _ origin: Origin) {
    (self.text, self.origin) = (text, origin)
  }

  /// The text as Markdown, ending with a line feed.
  public func markdown(of explanation: Explanation) -> String {
    let result = explanation.result
    let divergence = result.divergences.first
    let clues = divergence.flatMap { text.clues(to: $0, in: result) }
    let end = Self.end(of: divergence, clues, in: result)
    var parts = [heading(result), section("What is known", facts(explanation, clues))]
    parts += [section("Calls", calls(result, until: end))]
    parts += [section("Messages", messages(result, until: end))]
    parts += divergence.map { [section("Expected and observed", comparison($0, clues))] } ?? []
    parts += divergence.map { [section("Why it is wrong", rule($0, result))] } ?? []
    parts.append(section("To see it again", repetition(explanation)))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func section(_ title: String, _ content: String) -> String {
    content.isEmpty ? "" : "## \(title)\n\n\(content)"
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

  private func heading(_ result: ScenarioResult) -> String {
    let sentence = result.sentence
    let subject = result.divergences.first.map { "It shows at \(plain($0.subject.text)). " } ?? ""
    return """
      # \(plain(sentence.prefix(1).uppercased() + sentence.dropFirst()))

      \(subject)The case: *\(plain(result.scenario.title))*.

      """
  }
}

// What is known, what was called, and what went over the wire.

extension BugReport {
  private func facts(_ explanation: Explanation, _ clues: Clues?) -> String {
    let steps = explanation.result.scenario.steps
    let changes = explanation.neighbours.prefix(3).compactMap { neighbour -> String? in
      switch neighbour {
      case let .earlier(number) where steps.indices.contains(number - 1):
        "it does not fail if \(Markdown.code(steps[number - 1].text)) comes one step earlier"
      case let .without(number) where steps.indices.contains(number - 1):
        "it does not fail without \(Markdown.code(steps[number - 1].text))"
      case .earlier, .without: nil
      }
    }
    let context = explanation.result.context
    let known = ((clues?.sentences ?? []) + context).map(plain) + changes
    let stack = explanation.result.divergences.first?.stack ?? []
    return known.map { "- \($0)\n" }.joined()
      + (stack.isEmpty ? "" : "\n" + Markdown.fenced(stack.joined(separator: "\n")))
  }

  /// What the applications, the network and the server did, in order.
  private func calls(_ result: ScenarioResult, until end: Interval) -> String {
    let data = result.scenario.data
    let start =
      data.isEmpty
      ? "The server has no data at first."
      : "The server has \(Markdown.code(data.description)) at first."
    let names = result.scenario.clients
    let rows = result.trace.events.filter { $0.time <= end }.compactMap { event -> String? in
      guard let words = words(of: event, names) else { return nil }
      return "1. \(event.time.shortText): \(words)\n"
    }
    return "\(start)\n\n" + rows.joined()
  }

  private func words(of event: TraceEvent, _ names: [String]) -> String? {
    let name = event.kind.client.map { names[$0.number] } ?? "server"
    switch event.kind {
    case let .input(_, .call(_, operation)):
      let call = origin.calls.text(of: operation) ?? operation.plainText ?? event.brief
      return "\(plain(name)): \(Markdown.code(call))"
    case .input(_, .closed): return "the connection of \(plain(name)) is lost"
    case .serverWrite, .serverUpdate: return "another program: \(Markdown.code(event.brief))"
    case .fault: return "fault, \(plain(event.route(names: names))): \(plain(event.brief))"
    case .step, .input, .output, .serverReceived, .serverSent, .lostToServer, .lostToClient,
      .serverOpened, .serverClosed:
      return nil
    }
  }

  /// The messages of the client that fails, from the first about the location on.
  private func messages(_ result: ScenarioResult, until end: Interval) -> String {
    let subject = result.divergences.first?.subject
    let client = result.scenario.clients.firstIndex { $0 == subject?.clientName }
    let path = subject?.path ?? .root
    let all = result.trace.events.filter { event in
      guard event.time <= end, let transit = event.kind.transit else { return false }
      return client.map { transit.client.number == $0 } ?? true
    }
    let first = all.firstIndex { $0.kind.transit?.path.map { $0.isRelated(to: path) } ?? false }
    let rows = all[(first ?? all.startIndex)...].compactMap { row(of: $0, result) }
    if rows.isEmpty { return "" }
    let shown =
      rows.count <= Self.messageLimit
      ? rows
      : rows.prefix(6) + [["...", "\(rows.count - Self.messageLimit) more", ""]]
        + rows.suffix(Self.messageLimit - 6)
    return Markdown.fenced(TextTable(Array(shown), right: [0]).lines.joined(separator: "\n"))
  }

  /// A message where the client has it: as it sends it, as it gets it, or as it is lost.
  private func row(of event: TraceEvent, _ result: ScenarioResult) -> [String]? {
    let names = result.scenario.clients
    let json = event.json(clients: names, result.profile.dialect)
    let frame: JSON?
    switch event.kind {
    case .lostToServer, .lostToClient: frame = .string("(lost) " + event.brief)
    default: frame = json["out"]?["send"] ?? json["in"]?["frame"]
    }
    guard let frame else { return nil }
    let text = frame.string ?? frame.text
    return [
      event.time.shortText, event.route(names: names),
      Truncation.middle(of: text, to: Self.messageWidth, front: .twoThirds),
    ]
  }
}

// What should have been, why, and how to see it again.

extension BugReport {
  private func comparison(_ divergence: Divergence, _ clues: Clues?) -> String {
    let rows = Comparison(divergence, .first, .plain).lines
    guard rows.isEmpty else {
      return Markdown.fenced(
        rows.map { String($0.drop { $0 == " " }) }.joined(separator: "\n"), "diff")
    }
    return plain(clues?.absence?.sentence ?? divergence.sentence) + ".\n"
  }

  private func rule(_ divergence: Divergence, _ result: ScenarioResult) -> String {
    guard let id = divergence.rules.first else { return "" }
    guard let rule = RuleID(id).flatMap({ text.rules[$0] }) else { return "Rule \(id).\n" }
    let own = rule.differs.filter { $0.hasPrefix(result.profile.name + ":") }
    let quoted = (rule.text.split(separator: "\n").map(String.init) + own).map { "> \($0)\n>\n" }
    return """
      **\(rule.id) \(plain(rule.title))** (\(rule.level.rawValue))

      \(quoted.joined())> Source: \(rule.source)

      """
  }

  private func repetition(_ explanation: Explanation) -> String {
    let result = explanation.result
    let run = RepeatedRun(profile: result.profile.name, seed: result.seed, isMetamorphic: false)
    let adapter = origin.adapter.isEmpty ? [] : ["--"] + origin.adapter
    let command = ["kennel", "run", "case.yaml"] + text.options(run) + adapter
    return """
      - client: \(plain(origin.client))
      - kit: Kennel \(plain(origin.kit)), profile \(result.profile.name), seed \(result.seed)
      - command: \(Markdown.code(command.map(shellWord).joined(separator: " ")))

      """
        + "\nwith this as case.yaml:\n\n" + Markdown.fenced(explanation.scenarioText, "yaml")
  }

  /// Words as they are, in a text in which some marks mean something.
  private func plain(_ text: some StringProtocol) -> String {
    Escaping.markdown(String(text), also: "@")
  }
}

/// How calls look in the interface of a client: a text for each operation, with the names of its
/// arguments in braces, as `ref({path}).set({value})`.
public struct CallStyle: Hashable, Sendable {
  private let templates: [Operation.Kind: String]

  /// Takes a text for each operation that has one.
  public init(_ templates: [Operation.Kind: String] = [:]) { self.templates = templates }

  /// A call as its program has it; `nil` where its operation has no text.
  func text(of operation: ClientInterface.Operation) -> String? {
    guard let template = templates[operation.kind] else { return nil }
    var text = ""
    var rest = template[...]
    while let brace = rest.firstIndex(of: "{") {
      let name = rest[brace...].dropFirst().prefix { $0.isLetter }
      text += rest[..<brace]
      rest = rest[name.endIndex...]
      if name.isEmpty || !rest.hasPrefix("}") {
        text += "{" + name
      } else {
        rest = rest.dropFirst()
        text += words(for: String(name), of: operation)
      }
    }
    return text + rest
  }

  private func words(for argument: String, of operation: ClientInterface.Operation) -> String {
    switch argument {
    case "query":
      (operation.registration?.target.query.conditions ?? []).map { "." + $0 }.joined()
    case "update": operation.arguments.function?.words ?? ""
    default: operation.json[argument]?.text ?? ""
    }
  }
}

extension ClientInterface.Operation {
  /// The call in words, where there are better ones than its name and arguments.
  fileprivate var plainText: String? {
    if let registration {
      let events = registration.events
      let words =
        events.count == EventType.allCases.count
        ? "all events" : events.sorted().map(\.rawValue).joined(separator: ", ")
      return "\(name) \(registration.target.text) for \(words), as \(registration.listener.name)"
    }
    if case let .removesAll(target)? = listenerChange { return "\(name) \(target.text)" }
    guard let function = arguments.function, let path else { return nil }
    return "\(name) \(path), which \(function.words)"
  }
}
