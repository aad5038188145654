internal import ClientInterface
internal import Conformance
internal import Faults
internal import Rules
internal import Scenario
internal import Tree

extension DocumentedScenario {
  /// The page of the scenario.
  func page(_ rules: RuleBook) -> DocumentationPage {
    var blocks: [Block] = [.paragraph([.file(scenario.pathInRepository)] + scope)]
    blocks += parts(\.events)
    if !scenario.why.isEmpty {
      blocks += [.heading(2, [.text("Why it matters")])] + Prose.blocks(scenario.why)
    }
    blocks += [.heading(2, [.text("At the start")])] + startBlocks
    blocks += [
      .heading(2, [.text("Steps")]), .steps(scenario.steps.map(\.words)),
    ]
    blocks += parts(\.course)
    blocks += [.heading(2, [.text("Rules")])] + ruleBlocks(rules)
    return DocumentationPage(id, title: scenario.title, blocks)
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
      return [.paragraph(name)] + Prose.blocks(rule.text)
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
