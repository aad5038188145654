import ClientInterface
import Mutants
import ReferenceClient
import Reports
import Scenario
import Search
import TestKit
import Testing

extension Kit {
  /// A scenario that was found, with this text below the title.
  static func found(_ body: String) throws -> Scenario {
    try scenario(
      whole: "kennel: 1\ntitle: An example\n\(body)\n", file: "Scenarios/found/example.yaml")
  }

  static func failingSetup(_ mutant: Mutant, profile: Profile = .wilddog2) -> FailingSetup {
    FailingSetup(runner(client: mutant.name), reference: runner(), profile: profile)
  }

  /// A report without rules that knows what a conforming client does.
  static var report: TextReport {
    var report = TextReport(rules: RuleBook(files: []))
    report.reference = { ReferenceClient(profile: $0) }
    return report
  }
}
