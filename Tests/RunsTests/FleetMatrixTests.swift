import AdapterSessions
import ClientInterface
import Conformance
import Scenario
import System
import TestKit
import Testing

@testable import Runs

@Suite struct FleetMatrixTests {
  private let scenario: Scenario

  init() throws { scenario = try Kit.projectScenario("races/three-writers") }

  /// A row of runs with these parts, of which some fail.
  private func row(_ runs: [([Int], Verdict)]) -> FleetMatrix.Row {
    FleetMatrix.Row(
      scenario: scenario, profile: .firebase,
      runs: runs.map { parts, verdict in
        .init(
          parts: parts, ScenarioResult(scenario, .firebase, seed: 0, verdict, reason: "it differs"))
      })
  }

  private let both = FleetMatrix(
    [("old", "old 1.2"), ("new", "new 2.0")].map { name, version in
      .init(name: name, subject: ClientUnderTest(called: version) { Kit.reference("", $0) })
    })

  @Test func `of combinations in which equal clients change places one is left`() {
    let all = FleetMatrix.combinations(of: 3, among: 2)
    #expect(FleetMatrix.reduced(all, by: [0, 1, 2]) == all)
    #expect(
      FleetMatrix.reduced(all, by: [0, 1, 0])
        == [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    #expect(FleetMatrix.reduced(all, by: [0, 0, 0]).count == 4)
    #expect(
      FleetMatrix.reduced(FleetMatrix.combinations(of: 3, among: 3), by: [0, 0, 0]).count == 10)
  }

  @Test func `what was left out is told`() {
    var row = row([([0, 0, 0], .pass), ([1, 1, 1], .pass), ([0, 0, 1], .pass)])
    row.leftOut = 4
    #expect(
      both.summary(of: [row]).hasSuffix(
        "left out 4 of 7 runs, in which clients that do the same change places\n"))
    #expect(both.json(of: row).contains(#""leftOut":4"#))
  }

  @Test func `every combination is made once`() {
    #expect(FleetMatrix.combinations(of: 2, among: 2) == [[0, 0], [0, 1], [1, 0], [1, 1]])
    #expect(FleetMatrix.combinations(of: 3, among: 3).count == 27)
    #expect(FleetMatrix.combinations(of: 0, among: 2) == [[]])
  }

  @Test func `a pair diverges that fails together what each passes alone`() {
    let row = row([
      ([0, 0, 0], .pass), ([1, 1, 1], .pass), ([0, 1, 0], .fail), ([1, 0, 1], .pass),
    ])

    #expect(row.pairs == [[0, 1]])
    #expect(row.failingAlone == [])
    #expect(
      both.text(of: row) == """
        DIVERGES  races/three-writers  firebase
          alice: old 1.2, bob: new 2.0, carol: old 1.2
          it differs
          \(programWord) run races/three-writers --profile firebase --client alice=old --client bob=new --client carol=old


        """)
    #expect(
      both.summary(of: [row]) == """
        old alone: passes 1
        new alone: passes 1
        old with new: fails 1 of 1, such as races/three-writers in firebase

        """)
  }

  @Test func `what fails alone says nothing about a pair`() {
    let row = row([([0, 0, 0], .pass), ([1, 1, 1], .crash), ([0, 1, 0], .fail)])

    #expect(row.pairs == [])
    #expect(row.failingAlone == [1])
    #expect(both.text(of: row) == "")
  }

  @Test func `what was not judged is not said to pass`() {
    let row = row([([0, 0, 0], .pass), ([1, 1, 1], .unsupported), ([0, 1, 0], .unsupported)])

    #expect(
      both.summary(of: [row]) == """
        old alone: passes 1
        new alone: nothing was judged
        old with new: nothing was judged

        """)
  }

  @Test func `three diverge as pairs only where no two do`() {
    let alone: [([Int], Verdict)] = [0, 1, 2].map { ([$0, $0, $0], .pass) }

    #expect(row(alone + [([0, 1, 2], .fail)]).pairs == [[0, 1], [0, 2], [1, 2]])
    #expect(row(alone + [([0, 1, 2], .fail), ([1, 2, 2], .fail)]).pairs == [[1, 2]])
  }

  @Test func `rows have the runs of one implementation first`() {
    let row = both.row(scenario, in: .firebase, seed: 0)

    #expect(row.runs.count == 8)
    #expect(row.runs.map(\.isAlone) == [true, true] + Array(repeating: false, count: 6))
    #expect(row.runs.map(\.verdict) == Array(repeating: .pass, count: 8))
    #expect(row.runs.map(\.sentence) == Array(repeating: "", count: 8))
  }
}
