import Document
import Scenario
import ScenarioFiles

/// The first four lines of a scenario, which are right.
let scenarioHead = """
  kennel: 1
  title: T
  rules: [EVT-1]
  clients: [alice, bob]

  """

/// Reads a file among others; the only rules are EVT-1, and EVT-2, which binds servers.
func read(
  _ text: String, file: String = "Scenarios/s.yaml", others: [String: String] = [:]
) -> ScenarioReader.Result {
  ScenarioReader.read(
    file: file, bytes: Array(text.utf8), load: { others[$0].map { Array($0.utf8) } },
    rules: rules)
}

private let rules = RuleBook(files: [
  (
    "events.md",
    """
    ## EVT-1 Order

    - level: MUST
    - profiles: all
    - source: 004

    It happens.

    ## EVT-2 Greeting

    - level: SHOULD
    - binds: server
    - profiles: all
    - source: 004

    It greets.
    """
  )
])

/// Where `Testing` is imported, `Expectation` by itself is ambiguous.
typealias ScenarioExpectation = Expectation
