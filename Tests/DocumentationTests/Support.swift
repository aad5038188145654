import Documentation
import Foundation
import Scenario
import TestKit
import Testing

extension Kit {
  static func documented(_ body: String, id: String = "events/example") throws -> Scenario {
    try scenario(
      whole: "kennel: 1\nrules: [EVT-1]\n\(body)\n", file: "Scenarios/\(id).yaml")
  }

  static func entry(_ body: String, mutant: String? = nil) throws -> DocumentedScenario {
    DocumentedScenario(try documented(body), runner(client: mutant))
  }

  static let rules = RuleBook(files: [
    (
      "Specs/rules/events.md",
      """
      ## EVT-1 Quiet & calm

      - level: MUST
      - profiles: all
      - source: decision

      What `a < b` says, *always*, holds; see [there](there.md).

      - one thing
      - another

      | Name | Means |
      |---|---|
      | `x` | nothing |

      ## EVT-2 Without a page

      - level: MUST
      - profiles: firebase
      - source: decision
      - differs: wilddog-1: it does not

      Nobody shows this.
      """
    )
  ])

  static func book(_ bodies: String..., mutant: String? = nil) throws -> DocumentationBook {
    let entries = try bodies.map { try entry($0, mutant: mutant) }
    return DocumentationBook(entries, scenarios: entries.map(\.scenario), rules: rules)
  }

  /// The page of the first scenario.
  static func page(_ body: String, mutant: String? = nil) throws -> DocumentationPage {
    try #require(try book(body, mutant: mutant).pages.last)
  }

  /// The page of the first scenario as the site has it, without the one script that searches.
  static func html(_ body: String) throws -> String {
    let book = try book(body)
    let path = "event-order/" + HTMLWriter.file(of: try #require(book.pages.last).id)
    let text = try #require(Site([], book).files.first { $0.path == path }?.text)
    let script = "<script src=\"../../search.js\" data-root=\"../../\" defer></script>\n"
    try #require(text.components(separatedBy: script).count == 2)
    return text.replacingOccurrences(of: script, with: "")
  }
}
