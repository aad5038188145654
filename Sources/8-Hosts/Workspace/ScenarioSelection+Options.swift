import ClientInterface
package import Scenario
package import System

extension OptionKind where Value == String {
  /// The name of a profile.
  package static var profile: OptionKind { .name(among: Profile.all.map(\.name)) }
}

extension ScenarioSelection {
  /// The options that restrict what a command works on.
  package static var options: [Option<ScenarioSelection>] {
    [
      .list(
        "tag", "TAG", \.tags, .text,
        "Only scenarios with this tag. May be repeated; one of them must be there."),
      .list(
        "rule", "RULE", \.rules, .rule,
        "Only scenarios that cite this rule, or one of this family. May be repeated."),
      .list(
        "needs", "CAPABILITY", \.needs, .name(among: Capability.inDetail),
        "Only scenarios that need this capability of a client. May be repeated."),
      .list(
        "exclude", "ID|PATTERN", \.excluded, .text,
        "Exclude scenarios with this id, folder or pattern. May be repeated."),
    ]
  }
}

extension OptionKind where Value == String {
  /// A rule or a family of rules, in any case.
  fileprivate static var rule: OptionKind { OptionKind("a rule", { $0.uppercased() }) }
}
