import ClientInterface
import Document
import Faults
import Scenario
import ScenarioFiles
import Testing
import Tree

struct FileTests {
  private static let whole = """
    kennel: 1
    id: writes/merge
    title: A title
    rules: [EVT-1]
    profiles: [firebase]
    needs: [listen.child]
    tags: [smoke, reconnect]
    why: |
      Because.
    clients: [alice, bob]
    start: opening
    network: {latency: 20ms, bob: {latency: 10ms..60ms}}
    quiet: 5s
    data: {room: {a: 1}}
    security: [{path: secret, deny: [read]}]
    steps: [settle]
    """

  @Test func `everything beside the steps is read`() throws {
    let result = read(Self.whole, file: "x/Scenarios/writes/merge.yaml")

    #expect(result.problems == [])
    let scenario = try #require(result.scenarios.first)
    #expect(scenario.id == "writes/merge")
    #expect(scenario.file == "x/Scenarios/writes/merge.yaml")
    #expect(scenario.title == "A title")
    #expect(scenario.rules.map(\.id) == ["EVT-1"])
    #expect(scenario.rules.map(\.position.description) == ["4:9"])
    #expect(scenario.profiles == [.firebase])
    #expect(scenario.needs == ["listen.child"])
    #expect(scenario.tags == ["smoke", "reconnect"])
    #expect(scenario.why == "Because.\n")
    #expect(scenario.clients == ["alice", "bob"])
    #expect(scenario.start == .opening)
    #expect(scenario.latency.range(of: "alice") == .milliseconds(20)...(.milliseconds(20)))
    #expect(scenario.latency.range(of: "bob") == .milliseconds(10)...(.milliseconds(60)))
    #expect(scenario.quiet == .seconds(5))
    #expect(scenario.data == Node(json: ["room": ["a": 1]]))
    #expect(scenario.security == [SecurityRule("secret", deny: [.read])])
  }

  @Test func `what is not stated has the values of the documentation`() throws {
    let result = read(scenarioHead + "steps: [settle]")

    let scenario = try #require(result.scenarios.first)
    #expect(scenario.profiles == Profile.all)
    #expect(scenario.start == .connected)
    #expect(scenario.latency.range(of: "alice") == .milliseconds(10)...(.milliseconds(10)))
    #expect(scenario.quiet == .seconds(2))
    #expect(scenario.data == .empty)
  }

  @Test func `JSON is read like YAML`() {
    let result = read(
      """
      {"kennel": 1, "title": "T", "rules": ["EVT-1"], "clients": ["alice"],
       "steps": [{"alice.remove": "a"}]}
      """, file: "Scenarios/a/b.json")

    #expect(result.problems == [])
    #expect(result.scenarios.map(\.id) == ["a/b"])
  }

  @Test func `a matrix gives a scenario for each combination`() throws {
    let result = read(
      """
      kennel: 1
      title: Limit $(limit) at $(root)
      rules: [EVT-1]
      clients: [alice]
      matrix: {root: [/, deep/a], limit: [1, 2]}
      steps:
        - alice.listen: {path: $(root)/room, query: {limitToFirst: $(limit)}}
      """)

    #expect(result.problems == [])
    #expect(
      result.scenarios.map(\.id) == [
        "s[root=/,limit=1]", "s[root=/,limit=2]", "s[root=deep/a,limit=1]",
        "s[root=deep/a,limit=2]",
      ])
    let last = try #require(result.scenarios.last)
    #expect(last.title == "Limit 2 at deep/a")
    #expect(
      last.steps.first?.text == "alice.listen: {path: deep/a/room, query: {limitToFirst: 2}}")
    #expect(
      last.parameters == [.init(name: "root", value: "deep/a"), .init(name: "limit", value: 2)])
  }

  @Test func `a mistake in a matrix is told once`() {
    let result = read(
      "kennel: 1\ntitle: T $(n)\nrules: [EVT-1]\nclients: [alice]\nmatrix: {n: [1, 2]}\n"
        + "steps: [wait: 5]")

    #expect(
      result.problems.map(\.description) == [
        "Scenarios/s.yaml:6:15: wait is a number; expected a duration such as 30ms, 5s or 1m"
      ])
  }

  @Test func `syntax errors and other mistakes are told together`() {
    let result = read(scenarioHead + "steps: [settle]\nsteps: [settle]\ntgas: [a]")

    #expect(result.scenarios.isEmpty)
    #expect(result.problems.map(\.position.description) == ["6:1", "7:1"])
  }

  @Test func `no beginning and no cut of a scenario makes the reader fail`() {
    let bytes = Array(Self.whole.utf8)

    for length in 0...bytes.count {
      let start = ScenarioReader.read(
        file: "a.yaml", bytes: Array(bytes[..<length]), load: { _ in nil })
      let rest = ScenarioReader.read(
        file: "a.yaml", bytes: Array(bytes[length...]), load: { _ in nil })
      let complete = length == 0 ? rest : length == bytes.count ? start : nil
      #expect(start.scenarios.isEmpty || start.problems.isEmpty)
      #expect(rest.scenarios.isEmpty || rest.problems.isEmpty)
      #expect(complete.map { !$0.problems.isEmpty } ?? true)
    }
  }
}
