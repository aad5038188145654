import ClientInterface
import Commands
import Rules
import Scenario
import System
import Tree

extension Selection {
  /// The options that narrow down what a command works on.
  static let grammar: [Grammar.Option] = [
    .init(
      name: "tag", value: "TAG",
      summary: "Only scenarios with this tag. May be repeated; one of them must be there."),
    .init(
      name: "rule", value: "RULE",
      summary: "Only scenarios that cite this rule, or one of this family. May be repeated."),
    .init(
      name: "needs", value: "CAPABILITY",
      summary: "Only scenarios that need this capability of a client. May be repeated.",
      choices: Capability.inOrder),
  ]
}

extension Arguments {
  /// What the options say about which scenarios are meant.
  ///
  /// - Throws: `Failure.usage` for a capability that does not exist.
  func selection() throws(Failure) -> Selection {
    let needs = values(of: "needs")
    for name in needs where !Capability.all.contains(name) {
      throw failure(unknown("value", name, of: "needs", among: Capability.inOrder))
    }
    return Selection(tags: values(of: "tag"), rules: values(of: "rule"), needs: needs)
  }
}

extension Selection {
  /// The options that ask for this.
  var words: [String] {
    tags.flatMap { ["--tag", $0] } + rules.flatMap { ["--rule", $0] }
      + needs.flatMap { ["--needs", $0] }
  }
}

extension ScenarioLibrary {
  /// Keeps the scenarios that are meant.
  ///
  /// - Throws: `Failure.unusable` for a tag that no scenario has and for a rule that does not exist.
  mutating func keep(_ selection: Selection) throws(Failure) {
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

extension ScenarioLibrary {
  /// What a run is about.
  ///
  /// - Throws: `Failure` when something cannot be found or read, or has mistakes; they are printed.
  init(_ options: RunOptions) throws(Failure) {
    try self.init(options.selectors)
    try requireNoProblems()
    try keep(options.selection)
  }
}
