import AdapterProtocol
import ClientInterface
import Conformance
import Reports
import Scenario
import ScenarioFiles
import Tree

/// Lines of an adapter, in pieces whose length the first byte gives: the answer to hello, and what a
/// client does first.
func fuzzAdapter(_ bytes: [UInt8]) {
  var dialogue = AdapterDialogue()
  let asked: [AdapterRequest] = [
    .hello(AdapterRun(.firebase, seed: 0)),
    .input(
      client: "alice", .open(.init(host: "h", seed: 1, storage: [])),
      at: Instant(milliseconds: 1_480_000_000_000)),
  ]
  var requests = asked[...]
  let size = max(1, Int(bytes.first ?? 1))
  var rest = bytes.dropFirst()
  while !rest.isEmpty {
    if dialogue.id == 0 || dialogue.answer.isComplete, let request = requests.popFirst() {
      _ = dialogue.ask(request)
    }
    guard (try? dialogue.receive(rest.prefix(size))) != nil else { return }
    rest = rest.dropFirst(size)
  }
}

/// What an adapter answers in a whole run: its lines go through the conversation, the simulator, the
/// server, the verdict and the report.
///
/// An empty line of the input ends an answer; the idle line of the protocol is added to it.
func fuzzRun(_ bytes: [UInt8]) {
  let adapter = HostileAdapter(bytes)
  let runner = ScenarioRunner { _, _ in
    ClientFactory(
      makeClient: { HostileClient(name: $0, of: adapter) }, outage: { adapter.outage })
  }
  let result = runner.run(HostileAdapter.scenario, in: .firebase)
  let text = TextReport(rules: RuleBook(files: [])).text(of: result)
  require(
    text.unicodeScalars.allSatisfy { $0 == "\n" || (" "..."~").contains($0) },
    "a report has other characters than those of ASCII: \(text)")
}

/// Answers one request after another with what an input has.
private final class HostileAdapter {
  static let scenario: Scenario = {
    let text = """
      kennel: 1
      title: An adapter answers what it likes
      rules: [LIM-7]
      why: It shows what adapters can do.
      profiles: [firebase]
      clients: [alice, bob]
      data: {room: {a: 1, b: 2, c: 3}}
      steps:
        - alice.listen: {path: room, query: {limitToFirst: 2}, as: first}
        - bob.set: {path: room/d, value: 4, as: write}
        - alice.transaction: {path: room/a, update: {increment: 1}}
        - network.drop: alice
        - alice.on-disconnect-set: {path: room/gone, value: true}
        - bob.remove: room/a
        - settle
        - expect:
            alice.first: [{child_added: a, value: 1, prev: null}, {value: {a: 1}}]
            bob.write: {ok: true}
      """
    let read = ScenarioReader.read(file: "a/b.yaml", bytes: Array(text.utf8), load: { _ in nil })
    guard let scenario = read.scenarios.first else { fatalError("\(read.problems)") }
    return scenario
  }()

  private var dialogue = AdapterDialogue()
  private var answers: ArraySlice<ArraySlice<UInt8>>
  private(set) var outage: ClientOutage?

  init(_ bytes: [UInt8]) {
    answers =
      bytes.split(
        separator: UInt8(ascii: "\n"), maxSplits: 500, omittingEmptySubsequences: false)[...]
    let run = AdapterRun(.firebase, seed: 0)
    _ = dialogue.ask(.hello(run))
    let hello = AdapterHello(name: "a", version: "1", capabilities: Capability.all)
    answer(with: [Array(hello.json.text.utf8)[...]])
  }

  /// What a client does upon an input; nothing after something went wrong.
  func handle(_ input: ClientInput, of client: String, at now: Instant) -> [ClientOutput] {
    if outage != nil { return [] }
    _ = dialogue.ask(.input(client: client, input, at: now))
    let lines = answers.prefix { !$0.isEmpty }
    answers = answers.dropFirst(lines.count + 1)
    answer(with: Array(lines))
    return outage == nil ? dialogue.answer.outputs : []
  }

  private func answer(with lines: [ArraySlice<UInt8>]) {
    do throws(AdapterFault) {
      for line in lines { try dialogue.receive(line + [UInt8(ascii: "\n")]) }
      try dialogue.receive(Array("{\"idle\":\(dialogue.id)}\n".utf8)[...])
    } catch {
      outage = ClientOutage(.brokenProtocol, reason: error.description)
    }
  }
}

private struct HostileClient: SyncClient {
  let name: String
  let adapter: HostileAdapter

  init(name: String, of adapter: HostileAdapter) { (self.name, self.adapter) = (name, adapter) }

  func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    outputs += adapter.handle(input, of: name, at: now)
  }
}
