internal import ClientInterface
internal import Conformance
internal import Document
internal import Faults
internal import Scenario
internal import Search
internal import Trace
internal import Tree
internal import Wire

extension PageID {
  static let operations = PageID("by-operation")
  static let events = PageID("by-event")
  static let rules = PageID("by-rule")
  static let faults = PageID("by-fault")
  static let profiles = PageID("by-profile")
}

/// The page that one begins with.
enum FrontPage {
  static func page(of entries: [DocumentedScenario]) -> DocumentationPage {
    let chapters = entries.grouped(by: \.chapter).flatMap { entries -> [Block] in
      let title = Chapter.title(of: entries[0].chapter)
      return [.heading(2, [.text(title)]), .list(entries.map { [$0.link] })]
    }
    return DocumentationPage(.front, title: "Event order", introduction(to: entries) + chapters)
  }

  private static func introduction(to entries: [DocumentedScenario]) -> [Block] {
    let accounts = entries.flatMap(\.accounts)
    let orders = accounts.reduce(0) { $0 + $1.orders.orders }
    let isComplete = accounts.allSatisfy(\.orders.isComplete)
    let extent = isComplete ? "and every search was complete" : "but not every search was complete"
    return [
      .paragraph([
        .text(
          """
          Which events a client raises, and in which order. Every page is made by running a scenario \
          against the reference client and by trying every order in which messages and concurrent \
          steps can come; nothing here is written by hand. \(counted(entries.count, "scenario")), \
          \(counted(accounts.count, "run")) in their profiles, \(counted(orders, "order")) explored, \
          \(extent).
          """)
      ]),
      .list([
        [
          .link("By operation", .operations),
          .text(": what happens when I set, listen, go offline"),
        ],
        [.link("By event", .events), .text(": when is child_moved raised")],
        [.link("By rule", .rules), .text(": every rule of events, observers, queries and limits")],
        [.link("By fault", .faults), .text(": what a lost connection or a restart does")],
        [.link("By profile", .profiles), .text(": where the families of clients differ")],
      ]),
      .heading(2, [.text("How to read a page")]),
      .paragraph([
        .text(
          """
          The tables show one run, in which every message takes 10 ms. "What may vary" lists \
          every outcome that these steps can have, whatever the message delays. Each explored order represents \
          all equivalent orders, which differ only in exchanges that cannot matter; a way \
          is what such orders show: which events come, and which before which. In a diagram an \
          event is above another when it comes first in every order that has both.
          """)
      ]),
    ]
  }
}

/// That a page shows something, in some situation.
private struct Showing {
  var topic: String
  var situation = ""
  var link: Inline
}

extension [Showing] {
  /// The topics, each once.
  fileprivate var topics: [String] { map(\.topic).unique() }

  /// The pages that show something in a situation, each once.
  fileprivate func items(of topic: String, _ situation: String = "") -> [[Inline]] {
    let links = filter { $0.topic == topic && $0.situation == situation }.map(\.link)
    return links.unique().map { [$0] }
  }

  /// A list for each situation in which a topic is shown, below a heading.
  fileprivate func blocks(
    of topic: String, in situations: [String], heading: (String) -> String = { $0 }
  ) -> [Block] {
    situations.flatMap { situation -> [Block] in
      let items = items(of: topic, situation)
      return items.isEmpty ? [] : [.heading(3, [.text(heading(situation))]), .list(items)]
    }
  }
}

/// What happens when something is done, by what listens there and whether there is a connection.
enum OperationIndex {
  static func page(of entries: [DocumentedScenario]) -> DocumentationPage {
    let showings = entries.flatMap { entry in
      Situations(entry.scenario).found.map {
        Showing(topic: $0.operation, situation: $0.situation, link: entry.link)
      }
    }
    var blocks: [Block] = [.paragraph([.text("What happens when I ...")])]
    let topics = showings.topics
    for name in order.filter(topics.contains) + topics.filter({ !order.contains($0) }).sorted() {
      blocks.append(.heading(2, [.code(name)], anchor: name))
      blocks += showings.blocks(of: name, in: Situations.names) { "... \($0)" }
    }
    return DocumentationPage(.operations, title: "By operation", blocks)
  }

  private static let order =
    Operation.Kind.allCases.map(\.rawValue) + ["server.set", "server.update", "server.remove"]
}

/// The operations of a scenario, each with the situation in which it is done.
struct Situations {
  private(set) var found: [(operation: String, situation: String)] = []
  private var listening: [String: ClientInterface.Operation.Target] = [:]
  private var absent: Set<String> = []
  /// Whether the listens that a story begins with count: where it is about nothing else.
  private var isAboutListening = false
  private var hasBegun = false

  static let names = [
    "for everything at a location", "with an ordering", "with a range", "with a limit",
    "under a listener for everything", "under a query with an ordering",
    "under a query with a range", "under a limited query", "where no client listens",
    "while there is no connection",
    "at any time", "in a callback",
  ]

  init(_ scenario: Scenario) {
    isAboutListening = scenario.actions.allSatisfy {
      $0.call.map { $0.operation.registration != nil } ?? ($0.category == .observation)
    }
    for step in scenario.steps {
      for part in step.parts { take(part.action) }
      if step.expectation?.timing == .settled { hasBegun = true }
    }
  }

  private mutating func take(_ action: Action) {
    if let call = action.call { take(call) }
    if action.passesTime { hasBegun = true }
    if let client = action.client, let access = action.fault?.kind.access {
      change(access != .up, client)
    }
    if case let .write(change)? = action.fault { write(change.step, at: change.path) }
  }

  private mutating func change(_ isAbsent: Bool, _ client: String) {
    if isAbsent { absent.insert(client) } else { absent.remove(client) }
  }

  private mutating func take(_ call: Action.Call) {
    let operation = call.operation
    let name = operation.name
    if operation.kind == .on {
      for call in operation.nestedCalls { found.append((call.operation.name, "in a callback")) }
      return
    }
    if absent.contains(call.client), hasBegun { found.append((name, Self.names[9])) }
    if let new = operation.registration {
      listening["\(call.client).\(new.listener.name)"] = new.target
      guard hasBegun || isAboutListening else { return }
      found.append((name, Self.names[new.target.query.kind]))
    } else if case let .removes(id, _) = operation.listenerChange {
      listening["\(call.client).\(id.name)"] = nil
    } else if let isOnline = operation.isOnline {
      change(!isOnline, call.client)
    } else if let path = operation.path, operation.ending != .none {
      return write(name, at: path)
    } else if operation.arguments.synchronization != nil, let query = operation.arguments.query {
      found.append((name, Self.names[query.kind]))
    }
    if found.last?.operation != name, name != "inspect" { found.append((name, "at any time")) }
  }

  private mutating func write(_ name: String, at path: Path) {
    let near = listening.values.filter { $0.path.isRelated(to: path) }
    let kinds = Set(near.map { $0.query.kind + 4 }).sorted()
    if kinds.isEmpty { found.append((name, "where no client listens")) }
    for kind in kinds { found.append((name, Self.names[kind])) }
  }
}

extension Query {
  /// 0 for everything in the default order, 1 with an ordering, 2 with a range, 3 with a limit.
  fileprivate var kind: Int {
    if limit != nil { return 3 }
    if hasRange { return 2 }
    return ordering == .priority ? 0 : 1
  }
}

/// When each kind of event is raised, by what the client was given when it raised it.
enum EventIndex {
  private static let kinds: [(name: String, meaning: String)] = [
    ("value", "Everything that a query shows, after all child events of a change."),
    ("child_added", "A child is in the window that was not there before."),
    ("child_changed", "A child has another value than before."),
    ("child_moved", "A child has another ordering value than before."),
    ("child_removed", "A child is no longer in the window."),
    ("cancelled", "The server has ended the listener."),
  ]

  private static let situations = [
    "Within the call that registers the listener", "Within another call of the application",
    "With data from the server", "With the server's answer to a request", "At another moment",
  ]

  static func page(of entries: [DocumentedScenario]) -> DocumentationPage {
    let showings = entries.flatMap { entry in
      entry.accounts.flatMap { raised(in: $0.result.trace) }.map {
        Showing(topic: $0.kind, situation: situations[$0.situation], link: entry.link)
      }
    }
    var blocks: [Block] = [.paragraph([.text("When each kind of event is raised.")])]
    let topics = showings.topics
    for (name, meaning) in kinds where topics.contains(name) {
      blocks += [.heading(2, [.code(name)], anchor: name), .paragraph([.text(meaning)])]
      blocks += showings.blocks(of: name, in: situations)
    }
    return DocumentationPage(.events, title: "By event", blocks)
  }

  private static func raised(in trace: Trace) -> [(kind: String, situation: Int)] {
    trace.events.compactMap { event in
      guard event.step >= 1, case let .output(_, output) = event.kind else { return nil }
      let kind: String
      switch output {
      case let .event(raised): kind = raised.type.rawValue
      case .cancelled: kind = "cancelled"
      default: return nil
      }
      let cause = event.cause.flatMap { trace.events.indices.contains($0) ? trace.events[$0] : nil }
      return (kind, situation(of: cause))
    }
  }

  private static func situation(of cause: TraceEvent?) -> Int {
    guard case let .input(_, input)? = cause?.kind else { return 4 }
    switch input {
    case .call(_, .listen), .call(_, .once), .call(_, .get): return 0
    case .call: return 1
    case .frame(.put), .frame(.merge): return 2
    case .frame(.response): return 3
    case .frame, .open, .opened, .refused, .closed, .timer, .close: return 4
    }
  }
}

/// The rules with the pages that show them. Of events, observers, queries and limits every rule is
/// listed; of other families those that have a page.
struct RuleIndex {
  private let entries: [DocumentedScenario]
  private let scenarios: [Scenario]
  private let rules: RuleBook

  /// The families of which every rule is listed.
  static let families = ["EVT", "OBS", "QRY", "LIM"]
  private static let titles = [
    "EVT": "Events", "OBS": "Observers", "QRY": "Queries", "LIM": "Limits", "WRT": "Writes",
    "TXN": "Transactions", "OND": "On disconnect", "CON": "Connection", "OFF": "Offline",
    "ACC": "Access", "PRI": "Priorities", "SRV": "Server values", "ERR": "Errors",
    "VAL": "Values", "KEY": "Keys", "SNP": "Snapshots", "REF": "References", "PSH": "Push ids",
    "CBK": "Callbacks", "WIR": "Wire", "HSH": "Hashes", "MUT": "Mutable data",
  ]

  init(_ entries: [DocumentedScenario], _ scenarios: [Scenario], _ rules: RuleBook) {
    self.entries = entries
    self.scenarios = scenarios
    self.rules = rules
  }

  var page: DocumentationPage {
    let introduction = "The rules, with the pages that show them and the scenarios that test them."
    var blocks: [Block] = [.paragraph([.text(introduction)])]
    let others = RuleBook.families.flatMap(\.prefixes).filter { !Self.families.contains($0) }
    for family in Self.families + others {
      let members = rules.rules.filter { rule in
        rule.id.family == family
          && (Self.families.contains(family) || !pages(of: rule.id).isEmpty)
      }
      if members.isEmpty { continue }
      blocks.append(.heading(2, [.text(Self.titles[family] ?? family)]))
      for rule in members { blocks += self.blocks(of: rule) }
    }
    var page = DocumentationPage(.rules, title: "By rule", blocks)
    // A search finds the rules where they are stated.
    page.summary = [introduction]
    return page
  }

  private func blocks(of rule: Rule) -> [Block] {
    let anchor = rule.id.description
    let scope = rule.profiles.isEmpty ? "" : ", \(rule.profiles.joined(separator: ", "))"
    var blocks: [Block] = [
      .heading(3, [.text("\(rule.id) \(rule.title)")], anchor: anchor),
      .paragraph([.text("\(rule.level.rawValue)\(scope)")]),
    ]
    blocks += MarkdownReader.prose(rule.text)
    for difference in rule.differs { blocks.append(.paragraph([.text("Differs: \(difference)")])) }
    let pages = pages(of: rule.id)
    if !pages.isEmpty {
      blocks.append(.list(pages.map { [$0.link] }))
      return blocks
    }
    let ids = citations(of: rule.id)
    let items = ids.prefix(Self.citationLimit).map { [Inline.file($0)] }
    blocks.append(.paragraph([.text(ids.isEmpty ? "Not tested by scenarios." : "Scenarios:")]))
    if !items.isEmpty { blocks.append(.list(Array(items))) }
    return blocks
  }

  private static let citationLimit = 8

  private func pages(of rule: RuleID) -> [DocumentedScenario] {
    entries.filter { $0.scenario.rules.contains { $0.id == rule.description } }
  }

  /// The files of the scenarios that cite a rule.
  private func citations(of rule: RuleID) -> [String] {
    let citing = scenarios.filter { $0.rules.contains { $0.id == rule.description } }
    return citing.map(\.pathInRepository).unique()
  }
}

/// What each fault does.
enum FaultIndex {
  static func page(of entries: [DocumentedScenario]) -> DocumentationPage {
    let showings = entries.flatMap { entry in
      entry.scenario.actions.compactMap { $0.fault?.kind.topic }.map {
        Showing(topic: $0, link: entry.link)
      }
    }
    var blocks: [Block] = [
      .paragraph([.text("What happens when something goes wrong, by the step that makes it so.")])
    ]
    for name in showings.topics.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      blocks += [.heading(2, [.code(name)], anchor: name), .list(showings.items(of: name))]
    }
    return DocumentationPage(.faults, title: "By fault", blocks)
  }
}

/// Where the families and generations of clients differ.
enum ProfileIndex {
  static func page(of entries: [DocumentedScenario], _ rules: RuleBook) -> DocumentationPage {
    var blocks: [Block] = [
      .paragraph([.text("What is not listed here is the same in all three profiles.")])
    ]
    let differed = entries.filter { $0.groups.count > 1 }
    if !differed.isEmpty {
      blocks.append(.heading(2, [.text("The same steps, other events or another order")]))
      blocks.append(.list(differed.map { [$0.link, .text(": " + firstDifference(of: $0))] }))
    }
    for profile in Profile.all {
      let own = entries.filter {
        $0.scenario.profiles.count < 3 && $0.scenario.profiles.contains(profile)
      }
      if own.isEmpty { continue }
      blocks.append(
        .heading(
          2, [.text("In "), .code(profile.name), .text(" but not in all")], anchor: profile.name))
      blocks.append(.list(own.map { [$0.link] }))
    }
    let particular = rules.rules.filter { !$0.profiles.isEmpty || !$0.differs.isEmpty }
      .filter { RuleIndex.families.contains($0.id.family) }
    blocks.append(.heading(2, [.text("Rules that differ")]))
    blocks.append(.list(particular.map(item)))
    return DocumentationPage(.profiles, title: "By profile", blocks)
  }

  /// `wilddog-1, wilddog-2 / firebase`.
  private static func firstDifference(of entry: DocumentedScenario) -> String {
    entry.groups.map { group in
      group.accounts.map(\.result.profile.name).joined(separator: ", ")
    }.joined(separator: " / ")
  }

  private static func item(_ rule: Rule) -> [Inline] {
    var words: [Inline] = [
      .link(rule.id.description, .rules, anchor: rule.id.description), .text(" \(rule.title)"),
    ]
    if !rule.profiles.isEmpty {
      words.append(.text(": \(rule.profiles.joined(separator: ", ")) only"))
    }
    for difference in rule.differs { words.append(.text("; \(difference)")) }
    return words
  }
}
