import ClientInterface
import Conformance
import Search
import TestKit
import Testing
import Tree

/// What failures can be told by from failures of other causes.
@Suite struct CircumstancesTests {
  private func circumstances(_ steps: String) throws -> Circumstances? {
    let observed: [ClientOutput] = [.value(2)]
    return try Kit.run("clients: [alice]\nsteps:\n" + steps) { _, _ in
      ScriptedClient(script: ["feed": observed])
    }.circumstances
  }

  private static let listen = """
      - alice.listen: {path: room, query: {limitToFirst: 1}, as: feed}
        expect: {alice.feed: [{value: 1}]}
    """

  @Test func `a failure says what is wrong where, and upon what`() throws {
    let found = try #require(try circumstances(Self.listen))

    #expect(found.breach == "event-value")
    #expect(found.act == "value")
    #expect(found.subject == "listener limited")
    #expect(found.trigger == "listen")
    #expect(found.surroundings == [])
    #expect(
      found.description
        == "{breach: event-value, act: value, subject: listener limited, on: listen}")
  }

  @Test func `what is in place around the subject belongs to it`() throws {
    let found = try circumstances(
      """
        - alice.listen: {path: room, as: plain}
        - alice.listen: {path: elsewhere, as: other}
        - alice.set: {path: room/a, value: 1}

      """ + Self.listen)

    #expect(found?.surroundings == ["listener at", "set open below"])
  }

  private func surroundings(with mutant: String, _ body: String) throws -> [String]? {
    let scenario = try Kit.scenario("judge: invariants\nclients: [alice]\n" + body)
    return Kit.runner(client: mutant).run(scenario, in: .firebase).circumstances?.surroundings
  }

  @Test func `keys that are no plain ones belong to it`() throws {
    let found = try surroundings(
      with: "value-first",
      """
      steps:
        - alice.set: {path: room/__proto__/2147483648, value: 1}
        - alice.listen: {path: room, as: feed}
        - settle
      """)

    #expect(found == ["long number key below", "nothing shown", "object key below"])
  }

  @Test func `names of several keys belong to it, and a set to nothing is a removal`() throws {
    let found = try surroundings(
      with: "value-first",
      """
      steps:
        - alice.listen: {path: room, as: feed}
        - alice.update: {path: room, value: {b/c: 1, d: 2}}
        - alice.set: {path: room/e, value: null}
        - settle
      """)

    #expect(
      found == [
        "deep name open below", "remove open below", "several open", "update open at",
      ])
  }

  @Test func `what a window was given, and which listeners have ended, belong to it`() throws {
    let found = try surroundings(
      with: "changes-kept-quiet",
      """
      data: {room: {a: 1, c: 3}}
      steps:
        - alice.listen: {path: room, query: {limitToFirst: 2}, as: feed}
        - alice.listen: {path: room, query: {limitToFirst: 2}, as: other}
        - settle
        - alice.unlisten: other
        - alice.listen: {path: room, query: {limitToFirst: 2}, as: late}
        - server.update: {path: room, value: {a: 2, b: 2}}
        - settle
      """)

    #expect(
      found == [
        "full window", "given child not shown", "given child shown", "given several children",
        "listener limited at", "removed listener limited at",
      ])
  }

  @Test func `a run without a failure has none`() throws {
    #expect(try circumstances(Self.listen.replacing("value: 1", with: "value: 2")) == nil)
  }
}
