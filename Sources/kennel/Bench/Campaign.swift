import ClientInterface
import Conformance
import Document
import ReferenceClient
import Scenario
import Tree
import Wire

/// Random scenarios as a campaign runs them: everything that can be judged in every run is judged.
struct Campaign {
  private var random: RandomNumbers
  private var calls = 0
  private let names = ["alice", "bob", "carol"]

  /// What some runs came to.
  struct Extent {
    var scenarios = 0
    var steps = 0
    var virtualNanoseconds: Int64 = 0
  }

  /// Runs the scenarios with the given seeds.
  static func run(_ seeds: Range<UInt64>) -> Extent {
    let runner = ScenarioRunner { ReferenceClient(profile: $1) }
    return seeds.reduce(into: Extent()) { extent, seed in
      var campaign = Campaign(random: RandomNumbers(seed: seed))
      let result = runner.run(campaign.scenario(actions: 36), in: .firebase)
      extent.scenarios += 1
      extent.steps += result.queueSteps
      extent.virtualNanoseconds += result.duration.nanoseconds
    }
  }

  private init(random: RandomNumbers) { self.random = random }

  private mutating func scenario(actions: Int) -> Scenario {
    var scenario = Scenario(id: "campaign", file: "campaign.yaml", title: "A run", clients: names)
    scenario.data = Node(json: ["room": ["a": ["n": 1], "b": 2, "c": ["n": 3]], "list": ["x": 1]])
    for _ in 0..<actions {
      scenario.steps.append(step(action()))
      if number(3) == 0 { scenario.steps.append(step(.wait(.milliseconds(number(60))))) }
    }
    for name in names { scenario.steps.append(step(.network(.heal(client: name)))) }
    var end = step(.expect)
    end.expectation = Expectation(position: end.position, timing: .settled)
    scenario.steps.append(end)
    return scenario
  }

  private mutating func action() -> Action {
    let name = names[number(names.count)]
    switch number(20) {
    case 0: return .network(.cut(client: name))
    case 1, 2: return .network(.heal(client: name))
    case 3: return .server(.set(path(), node()))
    default: return call(name)
    }
  }

  private mutating func call(_ name: String) -> Action {
    calls += 1
    let operation = operation()
    return .call(
      .init(client: name, id: CallID("l\(calls)"), isNamed: false, operation: operation))
  }

  private mutating func operation() -> Operation {
    switch number(10) {
    case 0, 1, 2: .listen(ListenerID("l\(calls)"), .init(path()), Set(EventType.allCases))
    case 3: .listen(ListenerID("l\(calls)"), .init(path(), query()), Set(EventType.allCases))
    case 4: .remove(path())
    case 5: .update("room", [.init("a", node()), .init("d", node())])
    case 6: .transaction("list/x", .increment(1), localEvents: .shown)
    case 7: .push("list", node())
    default: .set(path(), node())
    }
  }

  private mutating func query() -> Query {
    var query = Query(ordering: number(2) == 0 ? .value : .child("n"))
    query.limit = number(2) == 0 ? .first(1 + number(3)) : .last(1 + number(3))
    return query
  }

  private static let paths: [Path] = [
    "room", "room", "room/a", "room/b", "room/c", "room/a/n", "list", "list/x",
  ]

  private mutating func path() -> Path {
    Self.paths[number(Self.paths.count)]
  }

  private mutating func node() -> Node {
    switch number(4) {
    case 0: Node(json: ["n": .number(Double(number(5))), "t": "x"])
    default: Node(.number(Double(number(5))))
    }
  }

  private mutating func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private func step(_ action: Action) -> Step {
    Step(file: "c.yaml", position: Position(line: 1, column: 1), text: "", action: action)
  }
}
