import Document
import Rules
import Scenario
import ScenarioFiles

/// A wrong scenario file with the problems that must be told about it, one on each line.
struct Mistake: Sendable, CustomStringConvertible {
  var text: String
  var expected: String

  init(file: String, _ expected: String) {
    text = file
    self.expected = expected
  }

  /// Lines 1 to 4 of the file are right, and the setup begins on line 5.
  init(setup: String, _ expected: String) {
    text = Self.head + setup + "\nsteps: [settle]"
    self.expected = expected
  }

  /// Lines 1 to 5 of the file are right, and each step begins at column 5 of a line of its own.
  init(steps: [String], _ expected: String) {
    text = Self.head + "steps:\n" + steps.map { "  - " + $0 }.joined(separator: "\n")
    self.expected = expected
  }

  static let head = """
    kennel: 1
    title: T
    rules: [EVT-1]
    clients: [alice, bob]

    """

  var found: String {
    read(text).problems.map { "\($0.position): \($0.message)" }.joined(separator: "\n")
  }

  var description: String { expected }
}

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
