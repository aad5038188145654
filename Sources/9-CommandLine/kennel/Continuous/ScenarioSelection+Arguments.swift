import ClientInterface
import Commands
import Rules
import Scenario
import System
import Tree

/// The options that several commands have.
extension Grammar.Option {
  static let profile = Grammar.Option(
    name: "profile", value: "PROFILE",
    summary: "Run for this profile: wilddog-1, wilddog-2 or firebase. May be repeated.")
  static let client = Grammar.Option(
    name: "client", value: "NAME", summary: "Test the client NAME instead of the reference client.")
  static let format = Grammar.Option(
    name: "format", value: "FORMAT", summary: "Report as text (the default) or json.",
    choices: ["text", "json"])
  static let documentFormat = Grammar.Option(
    name: "format", value: "FORMAT", summary: "Report as text (the default), markdown or json.",
    choices: DocumentFormat.allCases.map(\.rawValue))
}

extension ScenarioSelection {
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
      choices: Capability.inDetail),
    .init(
      name: "exclude", value: "ID|PATTERN",
      summary: "Exclude scenarios with this id, folder or pattern. May be repeated."),
  ]
}

extension Arguments {
  /// Which scenarios the options select.
  ///
  /// - Throws: `Failure.usage` for a capability that does not exist.
  func selection() throws(Failure) -> ScenarioSelection {
    let needs = values(of: "needs")
    for name in needs where !Capability.inDetail.contains(name) {
      throw failure(unknown("value", name, of: "needs", among: Capability.inDetail))
    }
    return ScenarioSelection(
      tags: values(of: "tag"), rules: values(of: "rule"), needs: needs,
      excluded: values(of: "exclude"))
  }
}
