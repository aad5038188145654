internal import ClientInterface
public import Conformance
internal import Document
public import Scenario
public import Search
internal import Trace

/// The documentation of event order: every page of it, made by running scenarios.
public struct DocumentationBook: Sendable {
  /// Where its Markdown is kept, from the folder of the repository.
  public static let folder = "Specs/event-order"
  /// The tag of the scenarios that have a page.
  public static let tag = "doc"

  /// The front page, the indexes, then the scenarios in reading order.
  public let pages: [DocumentationPage]
  /// Why it must not be believed: searches that were not complete, runs that diverge. A line each.
  public let problems: [String]

  /// - Parameters:
  ///   - entries: The scenarios that get a page, with what they show.
  ///   - scenarios: Every scenario there is: rules without a page name those that cite them.
  ///   - rules: All rules.
  public init(_ entries: [DocumentedScenario], scenarios: [Scenario], rules: RuleBook) {
    let entries = Chapter.sorted(entries)
    let indexes = [
      FrontPage.page(of: entries), OperationIndex.page(of: entries), EventIndex.page(of: entries),
      RuleIndex(entries, scenarios, rules).page, FaultIndex.page(of: entries),
      ProfileIndex.page(of: entries, rules),
    ]
    var pages = indexes + entries.map { $0.page(rules) }
    for index in pages.indices.dropFirst(indexes.count) {
      if index > indexes.count { pages[index].previous = pages[index - 1].id }
      if index + 1 < pages.count { pages[index].next = pages[index + 1].id }
    }
    self.pages = pages
    problems = entries.flatMap(\.problems)
  }
}

extension DocumentedScenario {
  /// Runs a scenario in all its profiles, in the order of time and in every other.
  public init(_ scenario: Scenario, _ runner: ScenarioRunner) {
    var explorer = Explorer(runner)
    explorer.scope = .deliveries
    explorer.limit = 2000
    let accounts = scenario.profiles.compactMap { profile -> ProfileRun? in
      explorer.eventOrders(of: scenario, in: profile).map {
        ProfileRun(runner.run(scenario, in: profile), $0)
      }
    }
    self.init(scenario, accounts)
  }

  fileprivate var problems: [String] {
    accounts.flatMap { profileRun -> [String] in
      let name = "\(scenario.id) in \(profileRun.result.profile.name)"
      var problems: [String] = []
      if profileRun.result.verdict.count == .failed {
        problems.append("\(name): the run is judged as \(profileRun.result.verdict.rawValue)")
      }
      if !profileRun.orders.isComplete {
        let count = counted(profileRun.orders.orders, "order")
        problems.append("\(name): the search was stopped after \(count)")
      } else if profileRun.orders.failures > 0 {
        let count = counted(profileRun.orders.failures, "order")
        problems.append("\(name): \(count) of \(profileRun.orders.orders) diverge")
      }
      return problems
    }
  }
}

/// The folders of the scenarios as chapters, in reading order.
enum Chapter {
  private static let titles = [
    ("events", "Events and their order"), ("observers", "Observers"), ("get", "Single gets"),
    ("callbacks", "Calls from inside callbacks"),
    ("queries", "Queries"), ("limits", "Limits and windows"), ("writes", "Writes"),
    ("push-ids", "Push ids"), ("values", "Values"), ("priorities", "Priorities"),
    ("server-values", "Server values"),
    ("races", "Several clients at once"), ("offline", "Offline"),
    ("connection", "Connections that come and go"), ("transactions", "Transactions"),
    ("on-disconnect", "On disconnect"), ("access", "What is refused"), ("auth", "Signing in"),
    ("persistence", "What is kept"), ("faults", "Faults"), ("guides", "From the guides"),
    ("regressions", "Past failures"),
  ]

  static func title(of chapter: String) -> String {
    titles.first { $0.0 == chapter }?.1 ?? chapter
  }

  /// By chapters; within one by id. A chapter that is not listed comes last.
  static func sorted(_ entries: [DocumentedScenario]) -> [DocumentedScenario] {
    func rank(_ entry: DocumentedScenario) -> Int {
      titles.firstIndex { $0.0 == entry.chapter } ?? titles.count
    }
    return entries.sorted { a, b in
      let (first, second) = (rank(a), rank(b))
      return first != second ? first < second : a.id < b.id
    }
  }
}

/// What a scenario shows in one profile: a run in the order of time, and all other orders.
public struct ProfileRun: Sendable {
  /// The run in the order of time, with its trace.
  public let result: ScenarioResult
  /// What the search over all orders of messages and concurrent steps found.
  public let orders: EventOrders
  let shared: SharedOrder

  init(_ result: ScenarioResult, _ orders: EventOrders) {
    self.result = result
    self.orders = orders
    shared = SharedOrder(orders.ways)
  }

  /// `alice.feed`.
  func owner(of appEvent: EventOrders.ApplicationEvent) -> String {
    let names = orders.scenario.clients
    let index = appEvent.client.number
    return (names.indices.contains(index) ? names[index] : "?") + ".\(appEvent.label)"
  }
}

/// A scenario of the documentation with what it shows.
public struct DocumentedScenario: Sendable {
  /// The scenario that the page is about.
  public let scenario: Scenario
  /// In the order of its profiles.
  public let accounts: [ProfileRun]
  let id: PageID
  /// The profiles in groups that show the same, each with the part of the page about them.
  let groups: [(accounts: [ProfileRun], shown: ProfileRunBlocks)]

  /// Writes the blocks of each run and groups the profiles whose blocks are equal.
  public init(_ scenario: Scenario, _ accounts: [ProfileRun]) {
    self.scenario = scenario
    self.accounts = accounts
    id = PageID(Self.path(of: scenario.id))
    groups = accounts.grouped { ProfileRunBlocks($0, hasCommands: false).blocks }.map {
      ($0, ProfileRunBlocks($0[0], hasCommands: true))
    }
  }

  /// The parameters of a matrix as part of the name of a file: `limits/window-root-a-limit-2`.
  private static func path(of id: String) -> String {
    guard let bracket = id.firstIndex(of: "[") else { return id }
    let words = id[bracket...].split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return ([id[..<bracket]] + words).joined(separator: "-")
  }

  /// The folder of the scenario.
  var chapter: String { String(scenario.id.prefix { $0 != "/" }) }

  var link: Inline { .link(scenario.title, id) }
}

extension Step {
  /// What the step does, in words.
  var words: [Inline] {
    switch action {
    case let .together(steps):
      [.text("at once, in any order: ")]
        + Array(steps.map { [Inline.code($0.shortText)] }.joined(separator: [.text(", ")]))
    case .expect where expectation?.timing == .settled: [.text("everything settles")]
    case .expect: [.text("what has happened by now is looked at")]
    default:
      [.code(shortText)]
        + (expectation?.timing == .settled ? [.text(", then everything settles")] : [])
    }
  }

  private var shortText: String { Truncation.countedMiddle(of: text, retention: Shown.valueLimit) }
}

extension Scenario {
  /// Its file below the folder of the repository, wherever that lies.
  var pathInRepository: String {
    let suffix = file.lastIndex(of: ".").map { file[$0...] } ?? ""
    return "Scenarios/" + id.prefix { $0 != "[" } + suffix
  }
}
