import ClientInterface
import Scenario
import ScenarioFiles
import Testing
import Tree

struct InspectionTests {
  static let inspections: [(String, Inspection)] = [
    ("{path: a/b, ask: key, as: x}", Inspection(.reference("a/b"), "key")),
    ("{path: a, of: b, ask: child, with: c, as: x}", .init(.reference("a"), of: "b", "child", "c")),
    ("{url: 'https://h/a', ask: root, as: x}", Inspection(.address("https://h/a"), "root")),
    ("{snapshot: feed, ask: children, as: x}", Inspection(.snapshot("feed"), "children")),
    (
      "{snapshot: feed, ask: children, with: value, as: x}",
      Inspection(.snapshot("feed"), "children", "value")
    ),
    ("{snapshot: feed, nth: 2, ask: key, as: x}", .init(.snapshot("feed", nth: 2), "key")),
    ("{completion: w, ask: ref, as: x}", Inspection(.completion("w"), "ref")),
    ("{mutable: {a: 1}, ask: value, as: x}", .init(.mutableData(["a": 1], changes: []), "value")),
    (
      "{mutable: null, changes: [{child: a/b, priority: true}], of: a, ask: export, as: x}",
      Inspection(
        .mutableData(.null, changes: [["child": "a/b", "priority": true]]), of: "a", "export")
    ),
    (
      "{path: a, query: [{orderBy: x}, {limitToFirst: 0}], ask: valid, as: x}",
      Inspection(.query("a", steps: [["orderBy": "x"], ["limitToFirst": 0]]), "valid")
    ),
    (
      "{path: a, query: [{orderBy: x}], ask: valid, with: [{startAt: 1}], as: x}",
      Inspection(.query("a", steps: [["orderBy": "x"]]), "valid", [["startAt": 1]])
    ),
  ]

  @Test(arguments: inspections)
  func `an inspection is read`(text: String, inspection: Inspection) throws {
    let steps = [
      "alice.listen: {path: a, as: feed}", "alice.set: {path: b, value: 1, as: w}",
      "alice.inspect: \(text)",
    ]
    let result = read(
      scenarioHead + "steps:\n"
        + (steps + ["expect: {alice.w: {ok: true}, alice.x: {answer: 1}}"]).map { "  - \($0)\n" }
        .joined())

    #expect(result.problems == [])
    let scenario = try #require(result.scenarios.first)
    guard case let .call(call) = scenario.steps[2].action else {
      Issue.record("no call")
      return
    }
    #expect(call.operation == .inspect(inspection))
    #expect(call.id == "x")
  }
}
