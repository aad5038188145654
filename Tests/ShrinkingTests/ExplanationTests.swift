import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Reports
import Scenario
import Search
import TestKit
import Testing
import Tree
import Wire

/// Keeps what it should say to itself while it waits for an answer of the server: a race, since it
/// matters only when somebody else's change arrives just then.
private struct Inattentive: SyncClient {
  var client: ReferenceClient
  private var waiting = 0

  init(_ profile: Profile) {
    client = ReferenceClient(profile: profile)
  }

  var capabilities: Set<String> { client.capabilities }

  mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    if case .frame(.put) = input, waiting > 0 {
      caused.removeAll { if case .event = $0 { true } else { false } }
    }
    if case .frame(.response) = input { waiting = max(0, waiting - 1) }
    waiting += caused.filter { if case .send(.request(_, .put)) = $0 { true } else { false } }.count
    outputs += caused
  }
}

/// Why scenarios fail.
@Suite struct ExplanationTests {
  private func explain(
    _ body: String, scope: Explorer.Scope = .stated,
    client: @escaping ScenarioRunner.Factory = { Inattentive($1) }
  ) throws -> String? {
    let failingSetup = FailingSetup(
      ScenarioRunner(client: client), reference: Kit.runner(), profile: .wilddog2)
    var explorer = Explorer(client: client)
    explorer.scope = scope
    let scenario = try Kit.found(body)
    return failingSetup.explain(scenario, with: explorer).map {
      WhyReport(TextReport(rules: RuleBook(files: []))).text(of: $0)
    }
  }

  @Test func `a race of calls is told by the call that comes first`() throws {
    let text = try explain(
      """
      judge: invariants
      clients: [alice, bob]
      data: {doc: 0}
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - settle
        - together:
            - alice.set: {path: other, value: 1}
            - bob.set: {path: doc, value: 2}
        - settle
      """)
    #expect(
      text == """
        WHY  An example
             Scenarios/found/example.yaml:12

          the listener shows 0, but the server has 2 (INV-40)
          on  alice.feed = /doc

          what led there

            60 ms  bob              set /doc 2   as #1
            60 ms  bob -> server    put /doc 2   request 2
          > 80 ms  alice <- server  data /doc 2

          rule EVT-23: not among the rules that were read

          how likely it was, with the order of the rest left to chance

             51 %  before anything is open
          > 100 %  after  bob.set: {path: doc, value: 2}

          passes if  alice.set: {path: other, value: 1}
             before  bob.set: {path: doc, value: 2}

        """)
  }

  @Test func `a race of messages is told by the message that arrives first`() throws {
    let text = try explain(
      """
      judge: invariants
      clients: [alice, bob]
      network: {latency: 5ms..50ms}
      data: {doc: 0}
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - settle
        - alice.set: {path: other, value: 1}
        - bob.set: {path: doc, value: 2}
        - settle
      """)
    #expect(
      text == """
        WHY  An example
             Scenarios/found/example.yaml:12

          the listener shows 0, but the server has 2 (INV-40)
          on  alice.feed = /doc

          what led there

            155.8 ms  bob              set /doc 2   as #1
            155.8 ms  bob -> server    put /doc 2   request 2
          > 220.7 ms  alice <- server  data /doc 2

          rule EVT-23: not among the rules that were read

          how likely it was, with the order of the rest left to chance

             50 %  before anything is open
          > 100 %  after  server <- bob  put /doc 2   request 2

          passes if  server <- alice  put /other 1   request 3
             before  server <- bob  put /doc 2   request 2

        """)
  }

  @Test func `where nothing is open the steps tell, but for those that take away what fails`()
    throws
  {
    let text = try explain(
      """
      judge: invariants
      clients: [alice]
      steps:
        - network.cut: alice
        - alice.set: {path: doc, value: 2}
        - network.heal: alice
        - settle
      """
    ) { Mutant.droppedWrite.makeClient($1) }
    #expect(
      text == """
        WHY  An example
             Scenarios/found/example.yaml:9

          the call has not ended although the client is connected and nothing is under way (INV-39)
          on  alice.#1 = set /doc

          what led there

          > 40 ms  alice  set /doc 2   as #1

          rule WRT-10: not among the rules that were read

          passes without step 1  network.cut: alice

        """)
  }

  @Test func `a long step is shown whole`() throws {
    let step =
      "alice.set: {path: room/c, value: a text with which the step is longer than one line of a report}"
    let mutant = try #require(Mutant.all.first { $0.name == "data-dropped-while-pending" })
    let text = try explain(
      """
      judge: invariants
      clients: [alice]
      data: {room: {a: 1, b: 2}}
      steps:
        - alice.listen: {path: room, event: value, as: feed}
        - settle
        - \(step)
        - server.set: {path: room/a, value: 9}
        - settle
      """
    ) { mutant.makeClient($1) }
    let words = try #require(text).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("passes without step 3 " + step), "\(words)")
    #expect(!words.contains("without step 1"), "\(words)")
  }

  @Test func `what passes is not explained`() throws {
    #expect(
      try explain("judge: invariants\nclients: [a]\nsteps: [a.set: {path: x, value: 1}]") {
        ReferenceClient(profile: $1)
      } == nil)
  }
}
