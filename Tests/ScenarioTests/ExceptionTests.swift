import Document
import Foundation
import Rules
import Scenario
import ScenarioFiles
import Testing

struct ExceptionTests {
  @Test(arguments: [
    Mistake(
      setup: "without: [{invariant: INV-3}]",
      "5:11: an element of without has no because; expected because: ..."),
    Mistake(
      setup: "without: [{because: it is slow}]",
      "5:11: an element of without has no invariant; expected invariant: ..."),
    Mistake(
      setup: "without: [{invariant: INV-3, because: ''}]",
      "5:39: because is empty; expected the reason for the exception"),
    Mistake(
      setup: "without: [{invariant: IVN-3, because: it is slow}]",
      "5:23: unknown invariant \"IVN-3\"; expected one from INV-1 to INV-54; did you mean INV-3?"),
    Mistake(
      setup: "without: [{invariant: INV-99, because: it is slow}]",
      """
      5:23: unknown invariant "INV-99"; expected one from INV-1 to INV-54; did you mean INV-9, \
      INV-19 or INV-29?
      """),
    Mistake(
      setup: """
        without:
          - {invariant: INV-3, because: it is slow}
          - {invariant: INV-3, because: it is very slow}
        """,
      "7:17: INV-3 occurs twice in without; expected it once"),
    Mistake(
      setup: "without: INV-3",
      "5:10: without is a string; expected a list of {invariant, because}"),
  ])
  func `mistakes in exceptions are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  @Test func `an exception names its invariant and the reason`() throws {
    let scenario = try #require(
      read(Mistake.head + "without: [{invariant: INV-9, because: it is slow}]\nsteps: [settle]")
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
