internal import ClientInterface
internal import Conformance
internal import Rules
internal import Scenario

/// Where the families and generations of clients differ.
struct ProfileIndex {
  private let entries: [DocumentedScenario]
  private let rules: RuleBook

  init(_ entries: [DocumentedScenario], _ rules: RuleBook) {
    self.entries = entries
    self.rules = rules
  }

  var page: DocumentationPage {
    var blocks: [Block] = [
      .paragraph([.text("What is not listed here is the same in all three profiles.")])
    ]
    let differed = entries.filter { $0.groups.count > 1 }
    if !differed.isEmpty {
      blocks.append(.heading(2, [.text("The same steps, other events or another order")]))
      blocks.append(.list(differed.map { [$0.link, .text(": " + Self.firstDifference(of: $0))] }))
    }
    for profile in Profile.all {
      let own = entries.map(\.scenario).enumerated().filter { _, scenario in
        scenario.profiles.count < 3 && scenario.profiles.contains(profile)
      }.map { entries[$0.offset] }
      if own.isEmpty { continue }
      blocks.append(
        .heading(
          2, [.text("In "), .code(profile.name), .text(" but not in all")], anchor: profile.name))
      blocks.append(.list(own.map { [$0.link] }))
    }
    let particular = rules.rules.filter { !$0.profiles.isEmpty || !$0.differs.isEmpty }
      .filter { RuleIndex.families.contains($0.id.family) }
    blocks.append(.heading(2, [.text("Rules that differ")]))
    blocks.append(.list(particular.map(Self.item)))
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
