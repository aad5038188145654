import Document
import Foundation
import Scenario
import ScenarioFiles
import Testing

struct ExceptionTests {
  @Test func `an exception names its invariant and the reason`() throws {
    let scenario = try #require(
      read(scenarioHead + "without: [{invariant: INV-9, because: it is slow}]\nsteps: [settle]")
        .scenarios.first)

    #expect(
      scenario.without == [
        .init(.newValue, because: "it is slow", position: Position(line: 5, column: 23))
      ])
  }

  @Test func `the documentation lists every invariant with its rule`() throws {
    let file = SourceFiles.root.appending(path: "Specs/invariants.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let rows = text.split(separator: "\n").prefix { $0 != "## On a real clock" }
      .filter { $0.hasPrefix("| INV-") }.map { $0.split(separator: "|").map(trimmed) }

    #expect(
      rows.map { Array($0.prefix(3)) } == Invariant.all.map { [$0.id, $0.sentence, $0.rule] })
  }

  @Test func `invariants are numbered and follow from rules that exist`() throws {
    let known = try SourceFiles.rules().rules.map(\.id.description)

    let givenUp = [42, 43]
    let numbers = (1...Invariant.all.count + givenUp.count).filter { !givenUp.contains($0) }

    #expect(Invariant.all.map(\.id) == numbers.map { "INV-\($0)" })
    #expect(Invariant.all.filter { !known.contains($0.rule) }.map(\.id) == [])
  }

  private func trimmed(_ cell: Substring) -> String {
    String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
