import ClientInterface
import Conformance
import Document
import Reports
import Scenario
import TestKit
import Testing

/// Reports say when data are lost.
@Suite struct LossTests {
  @Test(arguments: [
    (Invariant.atomicTransaction, "data of another writer are lost" as String?),
    (Invariant.acknowledgedIsKept, "data are lost that were reported to the application as stored"),
    (Invariant.newValue, nil),
  ])
  func `a broken invariant says what it means for the data`(
    invariant: Invariant, consequence: String?
  ) throws {
    let divergence = Divergence(
      .broken(invariant, "it is wrong"), of: .server, at: Position(line: 7, column: 1))
    let scenario = try Kit.scenario("clients: [alice]\nsteps: [settle]")
    let result = ScenarioResult(
      scenario, .firebase, seed: 0, .fail, divergences: [divergence])
    let text = TextReport(rules: Kit.rules).text(of: result)

    #expect(divergence.consequence == consequence)
    #expect(text.contains("  it is wrong (\(invariant.id))\n  " + (consequence ?? "on  server")))
  }
}
