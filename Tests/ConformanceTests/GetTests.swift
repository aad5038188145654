import ClientInterface
import Conformance
import ReferenceClient
import Scenario
import TestKit
import Testing
import Tree
import Wire

/// What scenarios notice of single reads that are made wrongly.
@Suite struct GetTests {
  private static func isGet(_ output: ClientOutput) -> Bool {
    if case .send(.request(_, .get)) = output { true } else { false }
  }

  private static let defects: [(name: String, change: @Sendable (ClientOutput) -> ClientOutput?)] =
    [
      (
        "get/window",
        { output in
          guard case let .send(.request(number, .get(path, _))) = output else { return output }
          return .send(.request(number, .get(path, .all)))
        }
      ),
      ("get/value-once", { isGet($0) ? nil : $0 }),
      (
        "get/refused",
        { output in
          if case .cancelled("read", _) = output { nil } else { output }
        }
      ),
      (
        "get/known-location",
        { output in
          guard case var .event(event) = output, event.listener == "read" else { return output }
          event.value = Node(json: ["a": 1])
          return .event(event)
        }
      ),
    ]

  @Test(arguments: defects.indices) func `a defect is noticed`(index: Int) throws {
    let defect = Self.defects[index]
    let scenario = try Kit.projectScenario(defect.name)
    let wrong = ScenarioRunner { ChangedClient($1, output: { defect.change($1) }) }

    #expect(wrong.run(scenario, in: .firebase).verdict == .fail)
    #expect(Kit.run(scenario).verdict == .pass)
  }

  @Test func `a read that is not asked again after a loss is not answered`() throws {
    let scenario = try Kit.projectScenario("get/connection-lost")
    final class Count { var gets = 0 }
    let runner = ScenarioRunner { _, profile in
      let count = Count()
      return ChangedClient(
        profile,
        output: { _, output in
          guard Self.isGet(output) else { return output }
          count.gets += 1
          return count.gets == 1 ? output : nil
        })
    }

    #expect(runner.run(scenario, in: .firebase).verdict == .fail)
  }
}
