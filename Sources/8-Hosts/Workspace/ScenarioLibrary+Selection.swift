import Rules
package import Scenario
package import System

extension ScenarioLibrary {
  /// Keeps the scenarios that are meant.
  ///
  /// - Throws: `Failure.unusable` for a tag that no scenario has and for a rule that does not exist.
  package mutating func keep(_ selection: ScenarioSelection) throws(Failure) {
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
    keep(where: { selection.selects($0) })
  }
}
