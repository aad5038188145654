import ClientInterface
import Document
import Exploration
import ReferenceClient
import Scenario
import Tree

/// Clients that write the same locations, and what exploring all orders of that takes.
struct Race {
  var clients: Int
  var writes: Int
  /// Whether messages arrive between the calls as well.
  var calls: Calls

  enum Calls {
    case first
    case interleaved
  }

  /// Explores it once.
  ///
  /// - Returns: How many orders there are.
  func explore() -> Int {
    var explorer = Explorer { ReferenceClient(profile: $1) }
    explorer.scope = .deliveries
    return explorer.explore(scenario, in: .firebase).orders
  }

  private var scenario: Scenario {
    let names = (0..<clients).map { "client\($0)" }
    var scenario = Scenario(id: "race", file: "race.yaml", title: "A race", clients: names)
    let writes = names.flatMap { name in self.writes(of: name) }
    scenario.steps = calls == .interleaved ? [step(.together(writes))] : writes
    var end = step(.expect)
    end.expectation = Expectation(position: end.position, timing: .settled)
    scenario.steps.append(end)
    return scenario
  }

  private func writes(of name: String) -> [Step] {
    (0..<writes).map { number in
      let call = Action.Call(
        client: name, id: CallID("#\(number)"), isNamed: false,
        operation: .set(Path.root.appending(Key("\(number)")), Node(json: .string(name))))
      return step(.call(call))
    }
  }

  private func step(_ action: Action) -> Step {
    Step(file: "race.yaml", position: Position(line: 1, column: 1), text: "", action: action)
  }
}
