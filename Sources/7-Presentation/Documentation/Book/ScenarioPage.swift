internal import ClientInterface
internal import Conformance
internal import Document
internal import Faults
internal import Scenario
internal import Search
internal import Trace
internal import Tree

extension DocumentedScenario {
  /// The page of the scenario.
  func page(_ rules: RuleBook) -> DocumentationPage {
    var blocks: [Block] = [.paragraph([.file(scenario.pathInRepository)] + scope)]
    blocks += parts(\.events)
    if !scenario.why.isEmpty {
      blocks += [.heading(2, [.text("Why it matters")])] + MarkdownReader.prose(scenario.why)
    }
    blocks += [.heading(2, [.text("At the start")])] + startBlocks
    blocks += [
      .heading(2, [.text("Steps")]), .steps(scenario.steps.map(\.words)),
    ]
    blocks += parts(\.course)
    blocks += [.heading(2, [.text("Rules")])] + ruleBlocks(rules)
    var page = DocumentationPage(id, title: scenario.title, blocks)
    page.summary = MarkdownReader.prose(scenario.why).map(\.plain)
    page.keywords = keywords
    return page
  }

  /// Which events each listener receives, and what is done in which situation.
  private var keywords: [String] {
    let run = accounts.first
    let seen = (run?.orders.ways.first?.appEvents ?? []).compactMap {
      appEvent -> (String, String)? in
      guard let owner = run?.owner(of: appEvent) else { return nil }
      return switch appEvent.kind {
      case let .event(event): (owner, event.type.rawValue)
      case .cancelled: (owner, "cancelled")
      case .ended, .threw: nil
      }
    }
    let received = seen.grouped(by: \.0).map { events in
      "\(events[0].0) receives \(events.map(\.1).unique().joined(separator: ", "))."
    }
    let done = Situations(scenario).found.map { "\($0.operation) \($0.situation)." }.unique()
    return received + done
  }

  /// A part of what each group of profiles shows, below its names where there are several.
  private func parts(_ part: (ProfileRunBlocks) -> [Block]) -> [Block] {
    groups.flatMap { group -> [Block] in
      let blocks = part(group.shown)
      if groups.count == 1 { return blocks }
      let names = group.accounts.map(\.result.profile.name).joined(separator: ", ")
      return blocks.map { $0.naming(names) }
    }
  }

  /// For which profiles it holds.
  private var scope: [Inline] {
    let names = scenario.profiles.map(\.name).joined(separator: ", ")
    if groups.count > 1 { return [.text(" · \(names), which differ")] }
    return [.text(scenario.profiles.count == 3 ? " · all profiles" : " · \(names)")]
  }

  private func ruleBlocks(_ rules: RuleBook) -> [Block] {
    let cited = scenario.rules.compactMap { RuleID($0.id) }.compactMap { rules[$0] }
    return cited.flatMap { rule -> [Block] in
      let name: [Inline] = [
        .link(rule.id.description, .rules, anchor: rule.id.description), .text(" "),
        .strong(rule.title), .text(" (\(rule.level.rawValue))"),
      ]
      return [.paragraph(name)] + MarkdownReader.prose(rule.text)
    }
  }

  private var startBlocks: [Block] {
    var blocks: [Block] = [
      scenario.data.isEmpty
        ? .paragraph([.text("The server has nothing.")]) : .code(Shown.tree(scenario.data))
    ]
    var items: [[Inline]] = [[.text("Clients: \(scenario.clients.joined(separator: ", ")).")]]
    if scenario.start == .opening {
      items.append([.text("The steps begin before anybody is connected.")])
    }
    if scenario.databaseRules != nil {
      items.append([.text("The server has security rules; they are in the scenario's file.")])
    }
    for restriction in scenario.security {
      let denied = restriction.deny.map(\.rawValue).sorted().joined(separator: " and ")
      items.append([
        .text("The server refuses to \(denied) at "), .code("\(restriction.path)"), .text("."),
      ])
    }
    for client in scenario.clients where scenario.persistence[client] != nil {
      items.append([.code(client), .text(" keeps its data and writes over its end.")])
    }
    blocks.append(.list(items))
    return blocks
  }
}

extension Block {
  /// With the profiles in its heading, if it is one of level 2.
  fileprivate func naming(_ profiles: String) -> Block {
    guard case let .heading(2, words, anchor) = self else { return self }
    return .heading(2, words + [.text(" in \(profiles)")], anchor: anchor)
  }
}

/// The part of a page that describes runs: the sequence, the events, and what may vary.
struct ProfileRunBlocks {
  private let profileRun: ProfileRun
  private let hasCommands: Bool
  private var scenario: Scenario { profileRun.result.scenario }

  /// - Parameters:
  ///   - profileRun: What is described.
  ///   - hasCommands: Whether ways are listed with the commands that show them, and the run with its
  ///     picture. These differ from profile to profile even where all else is the same.
  init(_ profileRun: ProfileRun, hasCommands: Bool) {
    self.profileRun = profileRun
    self.hasCommands = hasCommands
  }

  /// Everything, for comparing profiles.
  var blocks: [Block] { events + course }

  /// What happens: the answer for which most readers come.
  var events: [Block] {
    let certainty = hasVariants ? [] : [Block.paragraph(search)]
    return [.heading(2, [.text("Events")])] + tables + outcomes + certainty
  }

  /// How it comes about, and what may vary if anything does.
  var course: [Block] {
    let sequence = SequenceDiagram(profileRun.result) { $0.words.plain }
    let variants = hasVariants ? [.heading(2, [.text("What may vary")])] + variation : []
    return [.heading(2, [.text("Messages")]), .sequence(sequence)] + drawing + variants
  }

  /// Where it is final, the picture of the run too.
  private var drawing: [Block] {
    guard hasCommands else { return [] }
    let id = "run-" + profileRun.result.profile.name
    return [.drawing("In space and time", svg: SpaceTime.svg(of: profileRun.result, id: id))]
  }

  /// A table for each listener, in the order in which they are registered.
  private var tables: [Block] {
    scenario.calls.flatMap { call -> [Block] in
      guard let new = call.operation.registration else { return [] }
      let (label, target, types) = (new.listener.name, new.target, new.events)
      let name = "\(call.client).\(label)"
      let head: [Inline] = [
        .code(name), .text(" listens to "), .code(Shown.key(target.text)),
        .text(types.count == EventType.allCases.count ? "" : " for \(Self.list(types))"),
      ]
      let rows = profileRun.result.trace.events.compactMap { row($0, of: call.client, label) }
      if rows.isEmpty {
        return [.heading(3, head), .paragraph([.text("It receives nothing.")])]
      }
      let table = Table(
        "Events of \(name)",
        head: ["Time", "Step", "Event", "Key", "Previous key", "Value"], rows: rows)
      return [.heading(3, head), .table(table)]
    }
  }

  private static func list(_ types: Set<EventType>) -> String {
    types.sorted().map(\.rawValue).joined(separator: ", ")
  }

  private func row(_ event: TraceEvent, of client: String, _ label: String) -> [[Inline]]? {
    guard case let .output(index, output) = event.kind, event.step >= 1,
      scenario.clients.firstIndex(of: client) == index.number
    else { return nil }
    let moment: [[Inline]] = [[.text(event.time.shortText)], [.text(String(event.step))]]
    switch output {
    case let .event(raised) where raised.listener.name == label:
      return moment + Self.cells(of: raised)
    case let .cancelled(listener, error) where listener.name == label:
      return moment + [[.code("cancelled")], [], [], [.code(error.name)]]
    case let .threw(call, error) where call.name == label:
      return moment + [[.text("refused at once")], [], [], [.code(error.name)]]
    default: return nil
    }
  }

  private static func cells(of event: Event) -> [[Inline]] {
    let previous: [Inline] =
      switch event.previous {
      case .none: []
      case .first: [.text("none, it is the first")]
      case let .key(key): [.code(Shown.key(key.string))]
      }
    let key: [Inline] = event.type == .value ? [] : [.code(Shown.key(event.key?.string ?? ""))]
    return [[.code(event.type.rawValue)], key, previous, [.code(Shown.value(event.value))]]
  }

  /// How the named calls end.
  private var outcomes: [Block] {
    let listening = scenario.calls.compactMap { $0.operation.registration?.listener.name }
    let rows = profileRun.result.trace.events.compactMap { event -> [[Inline]]? in
      guard let appEvent = EventOrders.ApplicationEvent(event), !listening.contains(appEvent.label)
      else {
        return nil
      }
      return [
        [.text(event.time.shortText)], [.text(String(event.step))],
        [.code(profileRun.owner(of: appEvent))], [.text(EventWords(appEvent).text)],
      ]
    }
    if rows.isEmpty { return [] }
    let table = Table(
      "How calls end", head: ["Time", "Step", "Call", "How it ends"], rows: rows)
    return [.heading(3, [.text("Calls")]), .table(table)]
  }
}

// The part of a page about other orders than that of time.

extension ProfileRunBlocks {
  private var orders: EventOrders { profileRun.orders }

  /// How many ways are shown with a witness.
  private static let shownWays = 24

  /// Whether there is more than one sequence of events, or the search was stopped.
  private var hasVariants: Bool {
    !orders.isComplete || orders.ways.count != 1 || orders.ways[0].sequences != 1
  }

  private var variation: [Block] {
    var blocks: [Block] = [.paragraph(search)]
    if let reason = orders.scenario.fixedOrder {
      blocks.append(
        .paragraph([
          .text("The scenario runs in one order, since "), .text(visible(reason)),
          .text(". Other orders are tried all the same."),
        ]))
    }
    let shared = profileRun.shared
    if shared.appEvents.count > 1 {
      let diagram = OrderDiagram(shared) { profileRun.owner(of: $0) }
      blocks.append(.order(diagram))
      if diagram.nodes.count < shared.appEvents.count {
        blocks.append(
          .paragraph([.text("Only events that come in every order are drawn.")]))
      } else if diagram.nodes.contains(where: { !$0.isCertain }) {
        blocks.append(
          .paragraph([.text("Events in dashed boxes do not come in every order.")]))
      }
    }
    let sentences = Sentences(profileRun)
    for (word, items) in [
      ("Always", sentences.always), ("May", sentences.may), ("Never", sentences.never),
    ] where !items.isEmpty {
      blocks += [.heading(3, [.text(word)]), .list(items)]
    }
    return blocks + witnesses
  }

  /// How many orders were tried, and what they came to.
  private var search: [Inline] {
    let extent =
      orders.isComplete
      ? "the search was complete"
      : "the search was stopped, so there may be more than what follows"
    var text = "\(counted(orders.orders, "order")) explored; \(extent)."
    let ways = orders.ways
    let counts = ways.map(\.sequences)
    let sequences = counts.reduce(0) { $0 + ($1 ?? 0) }
    if ways.count == 1, sequences == 1 {
      text += " Nothing varies: the events come in one sequence, whatever is delivered first."
    } else {
      let more = counts.contains(nil) ? "more than a million" : String(sequences)
      text += " The events come in \(ways.count == 1 ? "one way" : "\(ways.count) ways"), which"
      text += " \(ways.count == 1 ? "allows" : "allow") \(more) sequences."
    }
    return [.text(text)]
  }

  private var witnesses: [Block] {
    var blocks: [Block] = []
    for (number, way) in orders.ways.prefix(Self.shownWays).enumerated() {
      let share =
        orders.ways.count == 1 ? "" : ", in \(counted(way.count, "order")) of \(orders.orders)"
      blocks.append(
        .paragraph([.strong("Way \(number + 1) of \(orders.ways.count)"), .text(share + ":")]))
      blocks.append(
        .steps(
          way.appEvents.map { appEvent in
            [.code(profileRun.owner(of: appEvent)), .text(" "), .text(EventWords(appEvent).text)]
          }))
      if hasCommands { blocks.append(.code(command(way.witness))) }
    }
    if blocks.isEmpty { return [] }
    let hidden = orders.ways.count - Self.shownWays
    if hidden > 0 { blocks.append(.paragraph([.text("... and \(counted(hidden, "more way"))")])) }
    let title = orders.ways.count == 1 ? "A witness" : "A witness of each way"
    return [.folded(title, blocks)]
  }

  private func command(_ order: Order) -> String {
    "tools/kennel explore '\(orders.scenario.id)' --deliveries "
      + "--profile \(orders.profile.name) --order \(order)"
  }
}
