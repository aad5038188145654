import ClientInterface
import Document
import Faults
import LiveServer
import Scenario
import ScenarioFiles
import Simulator
import TestKit
import Testing
import Trace

/// Faults from files: rules, and scenarios.
@Suite struct LiveRuleTests {
  private func read(_ text: String, clients: [String] = []) -> ReadFaultRules {
    ReadFaultRules(file: "f.yaml", bytes: Array(text.utf8), clients: clients, isJSON: false)
  }

  private func net(_ text: String) -> Net {
    let read = read(text)
    #expect(read.problems == [])
    var live = FaultyServer(LiveServer())
    live.take(read)
    var net = Net(live)
    for rule in read.rules { net.perform { $0.add(FaultRule(rule)) } }
    return net
  }

  @Test func `a rule for any is one for each client, also for those to come`() {
    var net = net(
      """
      - network.close-after: {client: any, messages: 3, direction: to-server}
      - network.latency: {any: 10ms}
      """)
    for name in ["ann", "ben"] {
      net.connect(name)
      net.wait(20)
    }
    for number in 1...3 { net.put("ann", "/a", "\(number)") }
    net.wait(20)

    #expect(net.received("ann") == ["hello", "closed"])
    #expect(net.received("ben") == ["hello"])
    #expect(net.live.clients == ["ann", "ben"])
    #expect(net.bitten == [true, true, false, true])
  }

  @Test func `a rule can hold several times`() {
    var net = net(
      "[{network.drop: {client: any, when: {frame: put, from: any}}, times: 2}]")
    for number in 1...3 {
      net.connect("ann")
      net.put("ann", "/a", "\(number)")
    }

    #expect(net.received("ann") == ["hello", "closed", "hello", "closed", "hello", "ok 1"])
    #expect(net.fired == [true, true])
  }

  @Test func `a file names clients, who come in this order, and their latency`() {
    var net = net(
      """
      kennel: 1
      clients: [ann, ben]
      network: {latency: 5ms, ben: {latency: 50ms}}
      faults:
        - server.shutdown: {when: {frame: listen, from: ben}}
      """)
    net.connect("x", isNamed: false)
    net.connect("y", isNamed: false)
    net.wait(20)
    #expect(net.received("x") == ["hello"])
    #expect(net.received("y") == [])
    net.wait(80)
    #expect(net.received("y") == ["hello"])
    net.listen("y", "/a")
    net.wait(60)
    #expect(net.live.clients == ["ann", "ben"])
    #expect(net.received("x") == ["shutdown server_kill"])
  }

  @Test(arguments: try Mistake.files(of: "fault-rules"))
  func `mistakes are told with their places`(mistake: Mistake) throws {
    let problems = read(try mistake.text).problems
    try mistake.check(problems.map { "\($0.position): \($0.message)" })
  }

  private func scenario(_ steps: String) throws -> Scenario {
    let text = """
      kennel: 1
      title: t
      rules: [EVT-1]
      clients: [ann, ben]
      data: {a: 1}
      network: {latency: 0ms}
      steps:
      \(steps)
      """
    let result = ScenarioReader.read(
      file: "Scenarios/t.yaml", bytes: Array(text.utf8), load: { _ in nil })
    #expect(result.problems == [])
    return try #require(result.scenarios.first)
  }

  @Test func `the faults of a scenario happen from the first greeting on`() throws {
    let scenario = try scenario(
      """
        - wait: 30ms
        - ann.set: {path: x, value: 1}
        - network.drop: ann
        - together: [{server.set: {path: b, value: 2}}, {ben.set: {path: y, value: 1}}]
        - network.cut: {client: ben, when: {frame: put, edge: before-delivery}}
        - wait: 20ms
        - network.drop: {client: ann, when: {messages: 1}}
        - disarm
        - ann.kill
      """)
    let script = FaultScript(scenario)
    #expect([script.stepCount, script.passedOver] == [4, 2])
    #expect(
      script.unsupportedReasons == [
        "Scenarios/t.yaml:16:5: a live client's process belongs to its user, so kill is"
          + " not possible"
      ])
    var net = Net(FaultyServer(LiveServer(LiveServerSettings(data: scenario.data)), scenario))
    net.wait(100)
    for name in ["ann", "ben"] { net.connect(name, isNamed: false) }
    #expect(net.received("ann") == ["hello"])
    net.wait(30)
    #expect(net.received("ann") == ["closed"])
    #expect(net.tree == #"{"a":1,"b":2}"#)
    net.put("ben", "/y", "1")
    #expect(net.received("ben") == ["hello", "closed"])
    net.wait(20)
    net.connect("ann", isNamed: false)

    #expect(net.received("ann") == ["hello"])
    #expect(net.live.clients == ["ann", "ben"])
    #expect(net.live.nextDue == nil)
    #expect(net.fired == [true, true, true, false])
  }

  @Test func `who a client is, it says itself, or its last session, or the order of coming`() {
    var net = Net("alice", "bob")
    net.connect("x", isNamed: false)
    net.connect("bob")
    net.connect("z", isNamed: false)
    #expect((1...4).map { net.live.client(of: $0)?.number } == [0, 1, 2, nil])
    net.leave("bob")
    net.leave("z")
    net.leave("x")
    net.connect("z", .segments, "ls=session3", isNamed: false)
    net.connect("x", .polling, isNamed: false)

    #expect((4...5).map { net.live.client(of: $0)?.number } == [2, 0])
    #expect(net.live.clients == ["alice", "bob", "client-3"])
    var request = HTTPRequest("GET", "/.ws", [.init("client=alice")])
    #expect(request.client == "alice")
    request.client = "bob"
    #expect(request.client == "bob")
  }
}
