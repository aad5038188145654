internal import Rules
internal import Scenario

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
    var blocks: [Block] = [
      .paragraph([
        .text("The rules, with the pages that show them and the scenarios that test them.")
      ])
    ]
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
    return DocumentationPage(.rules, title: "By rule", blocks)
  }

  private func blocks(of rule: Rule) -> [Block] {
    let anchor = rule.id.description
    let scope = rule.profiles.isEmpty ? "" : ", \(rule.profiles.joined(separator: ", "))"
    var blocks: [Block] = [
      .heading(3, [.text("\(rule.id) \(rule.title)")], anchor: anchor),
      .paragraph([.text("\(rule.level.rawValue)\(scope)")]),
    ]
    blocks += Prose.blocks(rule.text)
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
    var files: [String] = []
    for scenario in scenarios where scenario.rules.contains(where: { $0.id == rule.description }) {
      let file = scenario.pathInRepository
      if files.last != file { files.append(file) }
    }
    return files
  }
}
