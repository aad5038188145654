import Rules
package import Scenario
package import System

/// The part of a run that one of several machines does.
package struct Shard: Hashable, Sendable {
  /// From 1 to `count`.
  package let number: Int
  package let count: Int

  /// Reads `2/3`; `nil` for anything else.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1], number > 0,
      number <= count
    else { return nil }
    (self.number, self.count) = (number, count)
  }
}

extension ScenarioLibrary {
  /// Keeps the scenarios that are meant.
  ///
  /// - Throws: `Failure.unusable` for a tag that no scenario has and for a rule that does not exist.
  package mutating func select(_ selection: ScenarioSelection) throws(Failure) {
    if selection.isEverything { return }
    let tags = scenarios.flatMap(\.tags)
    for tag in selection.tags where !tags.contains(tag) {
      throw .unusable("no scenario among these has the tag \"\(tag)\"" + didYouMean(tag, tags))
    }
    let families = RuleBook.families.flatMap(\.prefixes)
    let ids = rules.rules.map(\.id.description)
    for rule in selection.rules where !ids.contains(rule) && !families.contains(rule) {
      throw .unusable(
        "there is no rule \"\(rule)\""
          + didYouMean(rule, rule.contains("-") ? ids : families))
    }
    for selector in selection.excluded
    where !scenarios.contains(where: { ScenarioSelection.excludes(selector, $0.id) }) {
      throw .unusable(
        "no scenario among these matches \"\(selector)\", which is to be excluded"
          + didYouMean(selector, scenarios.map(\.id)))
    }
    filter(where: { selection.selects($0) })
  }

  /// Keeps every scenario whose turn it is when several machines share them in turn.
  package mutating func select(_ shard: Shard) {
    let ids = Set(
      scenarios.enumerated().filter { $0.offset % shard.count == shard.number - 1 }
        .map { "\($0.element.file) \($0.element.id)" })
    filter(where: { ids.contains("\($0.file) \($0.id)") })
  }
}
