import ClientInterface
import Conformance
import Document
import Documentation
import Foundation
import Mutants
import ReferenceClient
import Rules
import Scenario
import ScenarioFiles
import Testing

enum Kit {
  static func scenario(_ body: String, id: String = "events/example") throws -> Scenario {
    let text = "kennel: 1\nrules: [EVT-1]\n" + body + "\n"
    let result = ScenarioReader.read(
      file: "Scenarios/\(id).yaml", bytes: Array(text.utf8), load: { _ in nil })
    #expect(result.problems.map(\.description) == [])
    return try #require(result.scenarios.first)
  }

  static func entry(_ body: String, mutant: String? = nil) throws -> DocumentedScenario {
    let mutant = try mutant.map { try #require(Mutant(named: $0)) }
    let runner = ScenarioRunner { _, profile in
      mutant?.makeClient(profile) ?? ReferenceClient(profile: profile)
    }
    return DocumentedScenario(try scenario(body), runner)
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

  /// A file of this source tree.
  static func text(of file: String) throws -> String {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    return try String(contentsOf: root.appending(path: file), encoding: .utf8)
  }

  static func files(below directory: String) throws -> [String] {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    return try FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: directory).path
    ).sorted().filter { $0.hasSuffix(".md") }.map { directory + "/" + $0 }
  }
}
