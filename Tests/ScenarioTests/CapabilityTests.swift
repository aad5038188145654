import Scenario
import ScenarioFiles
import Testing

@Suite struct CapabilityTests {
  @Test(arguments: [
    ("alice.listen: {path: a, event: value, as: l}", ["listen.value"]),
    ("alice.listen: {path: a, as: l}", ["listen.value", "listen.child"]),
    (
      "alice.listen: {path: a, event: child_added, query: {limitToFirst: 1}, as: l}",
      ["listen.child", "listen.query"]
    ),
    ("alice.listen: {path: .info/connected, event: value, as: l}", ["info"]),
    ("alice.once: {path: a, event: value, as: l}", ["once"]),
    ("alice.set: {path: a, value: {b: {.value: 1, .priority: 2}}}", ["set", "priority"]),
    ("alice.set: {path: a, value: {.sv: timestamp}}", ["set", "server-values"]),
    ("alice.update: {path: a, value: {b: 1}}", ["update"]),
    ("alice.push: {path: a, value: 1}", ["push"]),
    ("alice.transaction: {path: a, update: {increment: 1}}", ["transaction"]),
    (
      "alice.transaction: {path: a, update: {merge: {b: {.sv: timestamp}}}}",
      ["transaction", "server-values"]
    ),
    (
      "alice.transaction: {path: a, update: {set: {.value: 1, .priority: 2}}}",
      ["priority", "transaction"]
    ),
    ("alice.set-priority: {path: a, priority: {.sv: timestamp}}", ["priority", "server-values"]),
    (
      "alice.on-disconnect-set: {path: a, value: {b: {.sv: timestamp}}}",
      ["on-disconnect", "server-values"]
    ),
    ("alice.on-disconnect-remove: {path: a}", ["on-disconnect"]),
    ("alice.go-offline: {}", ["offline"]),
    ("together: [alice.set: {path: a, value: 1}, alice.remove: {path: b}]", ["set"]),
    ("server.set: {path: a, value: 1}", []),
  ])
  func `what the steps use is needed without being named`(
    step: String, capabilities: [String]
  )
    throws
  {
    let text = "kennel: 1\ntitle: t\nrules: [EVT-1]\nclients: [alice]\nsteps:\n  - \(step)\n"
    let reading = ScenarioReader.read(file: "a.yaml", bytes: Array(text.utf8), load: { _ in nil })

    #expect(reading.problems == [])
    #expect(reading.scenarios.first?.capabilities == capabilities)
  }

  @Test func `what the file names is added`() throws {
    let text = """
      kennel: 1
      title: t
      rules: [EVT-1]
      needs: [transaction]
      clients: [alice]
      persistence: true
      data: {a: {.value: 1, .priority: 2}}
      steps:
        - alice.set: {path: a, value: 1}
      """
    let reading = ScenarioReader.read(file: "a.yaml", bytes: Array(text.utf8), load: { _ in nil })

    #expect(
      reading.scenarios.first?.capabilities == ["set", "priority", "transaction", "persistence"])
  }
}
