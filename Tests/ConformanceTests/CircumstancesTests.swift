import ClientInterface
import Conformance
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

  @Test func `a run without a failure has none`() throws {
    #expect(try circumstances(Self.listen.replacing("value: 1", with: "value: 2")) == nil)
  }
}
