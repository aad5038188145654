import ClientInterface
import Testing
import Tree
import Wire

@testable import Mutants

/// Answers each input with the next of the given outputs.
private struct Replayer: SyncClient {
  var answers: [[ClientOutput]]

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    if !answers.isEmpty { outputs += answers.removeFirst() }
  }
}

@Suite struct MutantTests {
  private let now = Instant(milliseconds: 0)
  private let data = ClientInput.frame(.put("room", .empty, tag: nil))

  private func outputs(
    of mutant: Mutant, _ inputs: [ClientInput], _ answers: [[ClientOutput]]
  ) throws -> [[ClientOutput]] {
    var client = try #require(mutant.wrap(Replayer(answers: answers)))
    return inputs.map { input in
      var outputs: [ClientOutput] = []
      client.handle(input, at: now, into: &outputs)
      return outputs
    }
  }

  private func added(
    _ key: Key, _ node: Node, after previous: Key? = nil, to listener: ListenerID = "L"
  ) -> ClientOutput {
    .event(Event(.childAdded, to: listener, key: key, previous: .init(previous), value: node))
  }

  private func removed(_ key: Key, _ node: Node) -> ClientOutput {
    .event(Event(.childRemoved, to: "L", key: key, value: node))
  }

  private func value(_ json: JSON, to listener: ListenerID = "L") -> ClientOutput {
    .event(Event(.value, to: listener, key: "room", value: Node(json: json)))
  }

  @Test func `every mutant has a name of its own and reports what is wrong with it`() {
    let all = Mutant.all + Mutant.subtle + Mutant.benign

    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.sentence)).count == all.count)
    #expect(all.allSatisfy { $0.sentence.last == "." && $0.name == $0.name.lowercased() })
    #expect((Mutant.all + Mutant.subtle).allSatisfy { !($0.origin + $0.violated).isEmpty })
    #expect(Mutant.all.allSatisfy { $0.component != .benign })
    #expect(all.allSatisfy { Mutant(named: $0.name)?.sentence == $0.sentence })
    #expect(Mutant(named: "reference") == nil)
  }

  @Test func `value first puts the value before the children of its change only`() throws {
    let answer = [
      added("a", Node(1)), value(["a": 1]), added("b", Node(2), after: "a"),
      added("x", Node(1), to: "M"), value(["a": 1, "b": 2]),
    ]

    #expect(
      try outputs(of: .valueFirst, [data], [answer]) == [
        [
          value(["a": 1]), added("a", Node(1)), value(["a": 1, "b": 2]),
          added("x", Node(1), to: "M"), added("b", Node(2), after: "a"),
        ]
      ])
  }

  @Test func `a stale previous key names what was there before`() throws {
    let listen = ClientInput.call("L", .listen("L", .init("room"), [.childAdded]))
    let answers = [
      [], [added("a", Node(1))],
      [added("b", Node(2), after: "a"), added("c", Node(3), after: "b")],
    ]

    #expect(
      try outputs(of: .stalePreviousKey, [listen, data, data], answers) == [
        [], [added("a", Node(1))],
        [added("b", Node(2), after: "a"), added("c", Node(3), after: "a")],
      ])
  }

  @Test func `a lost echo comes with the answer of the server`() throws {
    let write = ClientInput.call("w", .set("room/a", Node(1)))
    let sent = ClientOutput.send(.request(1, .put("room/a", Node(1), hash: nil)))
    let answer = ClientInput.frame(.response(.init(to: 1)))

    #expect(
      try outputs(
        of: .lostEcho, [write, answer],
        [[added("a", Node(1)), sent], [.completed("w", .ok)]]
      ) == [[sent], [added("a", Node(1)), .completed("w", .ok)]])
  }

  @Test func `a dropped write is sent on the first connection only`() throws {
    let hello = ClientInput.frame(
      .hello(.init(timestamp: 0, version: "5", host: "kennel.test", session: "s")))
    let listen = ClientOutput.send(.request(1, .listen(.init(path: "room"))))
    let write = ClientOutput.send(.request(2, .put("room/a", Node(1), hash: nil)))

    #expect(
      try outputs(of: .droppedWrite, [hello, hello], [[listen, write], [listen, write]])
        == [[listen, write], [.send(.request(3, .listen(.init(path: "room"))))]])
  }

  @Test func `no refill hides what comes from beyond the limit`() throws {
    let query = Query(ordering: .value, limit: .last(2))
    let listen = ClientInput.call("L", .listen("L", .init("room", query), [.childAdded, .value]))
    let answers = [
      [added("b", Node(2)), added("c", Node(3), after: "b"), value(["b": 2, "c": 3])],
      [removed("c", Node(3)), added("a", Node(1)), value(["a": 1, "b": 2])],
      [removed("b", Node(2)), added("d", Node(4), after: "a"), value(["a": 1, "d": 4])],
    ]

    #expect(
      try outputs(of: .noRefill, [listen, data, data], answers) == [
        answers[0], [removed("c", Node(3)), value(["b": 2])],
        [removed("b", Node(2)), added("d", Node(4), after: "a"), value(["d": 4])],
      ])
  }
}
