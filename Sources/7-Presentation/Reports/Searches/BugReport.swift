internal import ClientInterface
internal import Conformance
internal import Document
internal import Faults
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
    /// The documents that rules name as their sources, each beginning with its number.
    public var documents: [String]

    /// A run of a client in a scenario.
    public init(
      kit: String, client: String, adapter: [String], calls: CallStyle = CallStyle(),
      documents: [String] = []
    ) {
      (self.kit, self.client, self.adapter, self.calls) = (kit, client, adapter, calls)
      self.documents = documents
    }
  }

  /// Uses the rules and the reference of a text report.
  public init(_ text: TextReport, _ origin: Origin) {
    (self.text, self.origin) = (text, origin)
  }

  /// The text as Markdown, ending with a line feed.
  public func markdown(of explanation: Explanation) -> String {
    let result = text.citing(explanation.result)
    let divergence = result.divergences.first
    let clues = divergence.flatMap { text.clues(to: $0, in: result) }
    let history = RunHistory(of: result, clues, origin.calls)
    var parts = [heading(result), section("What is known", facts(explanation, clues))]
    parts.append(section("What happened", happenings(result, history)))
    parts += divergence.map { [section("Expected and observed", comparison($0, clues))] } ?? []
    parts += divergence.map { [section("Why it is wrong", rule($0, result))] } ?? []
    parts.append(section("To see it again", repetition(explanation)))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func section(_ title: String, _ content: String) -> String {
    content.isEmpty ? "" : "## \(title)\n\n\(content)"
  }

  private func heading(_ result: ScenarioResult) -> String {
    let divergence = result.divergences.first
    let sentence = divergence?.fullSentence ?? result.sentence
    let subject = divergence.map { "It shows \(place(of: $0.subject)). " } ?? ""
    let names = result.scenario.clients.map(Markdown.code)
    let instances = names.count == 1 ? "an instance" : "instances"
    let clients = list(names) + (names.count == 1 ? " is " : " are ") + instances
    return """
      # \(plain(sentence.prefix(1).uppercased() + sentence.dropFirst()))

      \(subject)The case: *\(plain(result.scenario.title))*.

      \(clients) of the client, \(Markdown.code(origin.client)). The test kit Kennel plays the applications, \
      the network and the server; times are those of its simulation.

      """
  }

  private func list(_ words: [String]) -> String {
    [words.dropLast().joined(separator: ", "), words.last ?? ""].filter { !$0.isEmpty }
      .joined(separator: " and ")
  }

  /// Where a divergence shows, with the names that the case has for it.
  private func place(of subject: Subject) -> String {
    switch subject {
    case let .listener(client, name, target):
      "at the listener \(Markdown.code(name)) of \(Markdown.code(client)), "
        + Markdown.code(target.text)
    case let .call(client, name, operation):
      "at the call \(Markdown.code(name)) of \(Markdown.code(client)), "
        + Markdown.code(operation.name + (operation.path.map { " \($0)" } ?? ""))
    case let .client(client): "at \(Markdown.code(client))"
    case .server: "at the server"
    }
  }
}

// What is known, and what happened.

extension BugReport {
  private func facts(_ explanation: Explanation, _ clues: Clues?) -> String {
    let result = explanation.result
    let changes = explanation.neighbours.prefix(3).compactMap { neighbour -> String? in
      switch neighbour {
      case let .earlier(number):
        words(ofStep: number, result).map { "it does not fail if \($0) comes one step earlier" }
      case let .without(number):
        words(ofStep: number, result).map { "it does not fail without \($0)" }
      }
    }
    let compared = result.divergences.first.map(comparedLines)?.isEmpty == false
    // Where no lines are compared, what is missing stands in their place.
    let told = compared ? nil : clues?.absence?.sentence
    let sentences = (clues?.sentences ?? []).filter { $0 != told }
    let known = (sentences + result.context).map(plain) + changes
    let stack = result.divergences.first?.stack ?? []
    return known.map { "- \($0)\n" }.joined()
      + (stack.isEmpty ? "" : "\n" + Markdown.fenced(stack.joined(separator: "\n")))
  }

  /// A step in the words of the client's interface, and which one it is of several alike; `nil` where
  /// there is none of that number, from 1.
  private func words(ofStep number: Int, _ result: ScenarioResult) -> String? {
    let steps = result.scenario.steps.map { words(of: $0) }
    guard steps.indices.contains(number - 1) else { return nil }
    let step = steps[number - 1]
    let alike = steps.indices.filter { steps[$0] == step }
    guard alike.count > 1, let place = alike.firstIndex(of: number - 1) else { return step }
    return "\(step) (number \(place + 1) of \(alike.count))"
  }

  private func words(of step: Step) -> String {
    guard let call = step.action.call else { return Markdown.code(step.text) }
    return Markdown.code(origin.calls.words(for: call.operation)) + " of " + call.client
  }

  /// The calls, the messages of the client that fails, and what it did, in order.
  private func happenings(_ result: ScenarioResult, _ history: RunHistory) -> String {
    let data = result.scenario.data
    let start =
      data.isEmpty
      ? "The server has no data at first."
      : "The server has \(Markdown.code(data.description)) at first."
    let faults = history.faults.map { "- \(Markdown.code($0.name)): \($0.effect)\n" }
    return "\(start)\n\n" + Markdown.fenced(history.lines.joined(separator: "\n"))
      + (faults.isEmpty ? "" : "\n" + faults.joined())
  }
}

// What should have been, why, and how to see it again.

extension BugReport {
  /// The lines of what was expected and what was observed, side by side; none where no events or
  /// outcomes are compared.
  private func comparedLines(_ divergence: Divergence) -> [String] {
    Comparison(divergence, .first, .plain).lines.map { String($0.drop { $0 == " " }) }
  }

  private func comparison(_ divergence: Divergence, _ clues: Clues?) -> String {
    let rows = comparedLines(divergence)
    guard rows.isEmpty else { return Markdown.fenced(rows.joined(separator: "\n"), "diff") }
    return plain(clues?.absence?.sentence ?? divergence.sentence) + ".\n"
  }

  private func rule(_ divergence: Divergence, _ result: ScenarioResult) -> String {
    guard let id = divergence.rules.first else { return "" }
    guard let rule = RuleID(id).flatMap({ text.rules[$0] }) else { return "Rule \(id).\n" }
    let own = rule.differs.filter { $0.hasPrefix(result.profile.name + ":") }
    let quoted = (rule.text.split(separator: "\n").map(String.init) + own).map { "> \($0)\n>\n" }
    let cited = rule.text.split { !($0.isLetter || $0.isNumber || $0 == "-") }
      .compactMap { RuleID(String($0)) }.unique().compactMap { text.rules[$0] }
    let sources =
      origin.documents.filter { rule.source.contains($0.prefix(3)) }
      + Self.sources.filter { rule.source.contains($0.name) }.map { "\($0.name): \($0.meaning)" }
    let notes = cited.map { "\($0.id): \($0.text.replacing("\n", with: " "))" } + sources
    return """
      **\(rule.id) \(plain(rule.title))** (\(rule.level.rawValue))

      \(quoted.joined())> Source: \(rule.source)

      \(notes.map { "- \($0)\n" }.joined())
      """
  }

  /// What the words mean that rules have for their sources.
  private static let sources = [
    ("public fact", "what users of shipped clients can observe, or read in public documentation"),
    ("recordings", "what shipped clients did, as recorded"),
    ("vectors", "values computed by another implementation"),
    (
      "decision", "the kit's own choice where the other sources are silent or contradict each other"
    ),
  ].map { (name: $0.0, meaning: $0.1) }

  private func repetition(_ explanation: Explanation) -> String {
    let result = explanation.result
    let run = RepeatedRun(
      profile: result.profile.name, seed: result.seed, isMetamorphic: false,
      clients: result.scenario.clients)
    let adapter = origin.adapter.isEmpty ? [] : ["--"] + origin.adapter
    let command = ["kennel", "run", "case.yaml"] + text.options(run) + adapter
    return """
      - client: \(Markdown.code(origin.client))
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
