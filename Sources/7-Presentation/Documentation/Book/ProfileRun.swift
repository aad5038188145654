internal import ClientInterface
public import Conformance
public import Exploration
public import Scenario
internal import Text
internal import Trace

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
    var groups: [(accounts: [ProfileRun], blocks: [Block])] = []
    for profileRun in accounts {
      let blocks = ProfileRunBlocks(profileRun, hasCommands: false).blocks
      if let index = groups.firstIndex(where: { $0.blocks == blocks }) {
        groups[index].accounts.append(profileRun)
      } else {
        groups.append(([profileRun], blocks))
      }
    }
    self.groups = groups.map {
      ($0.accounts, ProfileRunBlocks($0.accounts[0], hasCommands: true))
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
