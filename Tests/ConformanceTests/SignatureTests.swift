import ClientInterface
import Conformance
import Mutants
import TestKit
import Testing
import Tree
import Wire

/// What failures have in common.
@Suite struct SignatureTests {
  private func run(
    _ steps: String, _ script: [String: [ClientOutput]]
  ) throws -> ScenarioResult {
    try Kit.run("clients: [alice]\nsteps:\n" + steps) { _, _ in ScriptedClient(script: script) }
  }

  private func signature(
    _ steps: String, _ script: [String: [ClientOutput]]
  ) throws -> Signature? {
    try run(steps, script).signature
  }

  private func feed(_ expected: String, _ observed: [ClientOutput]) throws -> String? {
    try signature(
      """
        - alice.listen: {path: room, as: feed}
          expect: {alice.feed: [\(expected)]}
      """, ["feed": observed])?.text
  }

  private func call(_ step: String, _ expected: String, _ end: [ClientOutput]) throws -> String? {
    try signature("  - alice.\(step)\n    expect: \(expected)", ["w": end, "#1": end])?.text
  }

  /// What a mutant does wrong in a scenario in which everything has one of two names.
  private func run(of mutant: Mutant, renamed: Bool) throws -> ScenarioResult {
    let (client, path, key) = renamed ? ("zoe", "deep/er", "q") : ("alice", "room", "a")
    let (name, value) = renamed ? ("first", "{x: 7}") : ("feed", "1")
    let body = """
      clients: [\(client)]
      judge: invariants
      steps:
        - \(client).listen: {path: \(path), as: \(name)}
        - settle
        - \(client).set: {path: \(path)/\(key), value: \(value)}
      """
    return ScenarioRunner { mutant.makeClient($1) }
      .run(try Kit.scenario(body), in: .wilddog2)
  }

  private func signature(of mutant: Mutant, renamed: Bool) throws -> Signature? {
    try run(of: mutant, renamed: renamed).signature
  }

  @Test func `a pass has no signature, and neither has what is vacuous or unsupported`() throws {
    #expect(try feed("{value: 1}", [.value(1)]) == nil)
    #expect(try signature("  - settle", [:]) == nil)
    let result = try Kit.run("clients: [alice]\nneeds: [push]\nsteps:\n  - settle") { _, _ in
      ScriptedClient(script: [:], capabilities: [])
    }
    #expect(result.signature == nil)
  }

  @Test func `a cause leaves out the circumstances`() throws {
    func feed(_ expected: String, _ observed: [ClientOutput]) throws -> String? {
      let step = "  - alice.listen: {path: room, query: {limitToFirst: 1}, as: feed}\n"
      return try run(step + "    expect: {alice.feed: [\(expected)]}", ["feed": observed])
        .cause?.text
    }
    func set(_ expected: String, _ outputs: [ClientOutput]) throws -> String? {
      let step = "  - alice.set: {path: a, value: 1, as: w}\n"
      return try run(step + "    expect: {\(expected)}", ["w": outputs]).cause?.text
    }
    let refused = ClientOutput.completed("w", Completion(error: "set"))
    let put = ClientOutput.send(.request(1, .put("a", Node(1), hash: nil)))

    #expect(try feed("{value: 1}", [.value(1)]) == nil)
    #expect(try feed("{value: 1}", []) == "missing-event value")
    #expect(try feed("{child_added: a}", [.value(1)]) == "missing-event child_added")
    #expect(try feed("{value: 1}", [.value(2)]) == "event-value value")
    #expect(
      try feed("{cancelled: x}", [.cancelled("feed", "x"), .value(1)])
        == "unexpected-event value after-cancel")
    #expect(try set("alice.w: {ok: true}", []) == "missing-outcome")
    #expect(try set("alice.w: {ok: true}", [refused]) == "different-outcome ok by error set")
    #expect(
      try set("alice.w: {ok: true}, frames: {alice: {put: 1}}", [.completed("w", .ok)])
        == "frames put few")
    #expect(
      try run("  - alice.go-offline: {}\n    expect: {}", ["opened": [put]]).cause?.text
        == "protocol mon-1")
    #expect(try run(of: .valueFirst, renamed: false).cause?.text == "inv-4")
  }

  @Test func `names, locations and values do not matter`() throws {
    for mutant in [Mutant.valueFirst, .lostEcho] {
      let plain = try #require(try signature(of: mutant, renamed: false))
      #expect(try signature(of: mutant, renamed: true) == plain)
    }
    #expect(
      try feed("{child_added: a, value: 1}", [])
        == (try feed("{child_added: b, value: {c: 2}, prev: a}", [])))
  }

  @Test func `invariants and kinds of calls are told apart`() throws {
    #expect(try signature(of: .valueFirst, renamed: false)?.text == "inv-4 listener on-set")
    #expect(try signature(of: .lostEcho, renamed: false)?.text == "inv-22 listener on-set")
  }

  @Test func `kinds of queries and of functions are told apart`() {
    func details(_ operation: ClientInterface.Operation) -> String {
      operation.circumstances.joined(separator: " ")
    }
    let all = Query.all
    let queries = [
      all, Query(ordering: .key), Query(ordering: .key, start: .init("a")),
      Query(start: .init(1), limit: .first(2)),
    ]
    #expect(
      queries.map { details(.listen("feed", .init("room", $0), [.value])) }
        == ["listen", "listen ordered", "listen bounded", "listen limited"])
    #expect(details(.once("feed", .init("room", queries[3]), .value)) == "once limited")
    let functions: [TransactionFunction] = [
      .increment(1), .set(1), .merge(["a": 1]), .abort, .setIfNull(1), .fail, .setIfNullOrFail(1),
    ]
    #expect(
      functions.map { details(.transaction("room", $0, localEvents: .shown)) }
        == [
          "transaction writing", "transaction writing", "transaction writing",
          "transaction aborting", "transaction aborting-later", "transaction failing",
          "transaction failing-later",
        ])
    #expect(details(.remove("room")) == "remove")
  }

  @Test func `differences between events say which events`() throws {
    #expect(try feed("{value: 1}", []) == "missing-event value listener")
    #expect(try feed("", [.value(1)]) == "unexpected-event value listener")
    #expect(
      try feed("{child_added: a}", [.value(1)]) == "other-event child_added by value listener")
    #expect(try feed("{value: 1}", [.value(2)]) == "event-value value listener")
    #expect(
      try feed("{child_added: a, prev: b}", [.added("a", 1)])
        == "event-previous child_added listener")
    #expect(
      try feed("{child_added: a, value: 1}, {value: {a: 1}}", [.value(["a": 1]), .added("a", 1)])
        == "event-order value before child_added listener")
    #expect(
      try feed("{value: 1}", [.cancelled("feed", "permission_denied")])
        == "other-event value by cancelled listener")
    #expect(
      try feed("{cancelled: permission_denied}", [])
        == "missing-event cancelled listener")
  }

  @Test func `an event after the end of a listener says after what`() throws {
    let late = [ClientOutput.value(1)]
    let removal = """
        - alice.listen: {path: room, as: feed}
        - alice.unlisten: feed
          expect: {}
      """
    #expect(
      try signature(removal, ["#1": late])?.text == "unexpected-event value after-removal listener")
    let kill = """
        - alice.listen: {path: room, as: feed}
          expect: {}
        - alice.kill
        - alice.start
        - alice.go-offline: {}
          expect: {}
      """
    #expect(
      try signature(kill, ["#1": late])?.text == "unexpected-event value after-kill listener")
    #expect(
      try feed("{cancelled: x}", [.cancelled("feed", "x"), .value(1)])
        == "unexpected-event value after-cancel listener")
    let once = "  - alice.once: {path: room, as: feed}\n    expect: {alice.feed: [{value: 1}]}"
    #expect(
      try signature(once, ["feed": [.value(1), .value(2)]])?.text
        == "unexpected-event value once-again listener")
  }

  @Test func `outcomes say of what call and how it ended`() throws {
    let set = "set: {path: a, value: 1, as: w}"
    let refused = ClientOutput.completed("w", Completion(error: "permission_denied"))
    #expect(try call(set, "{alice.w: {ok: true}}", []) == "missing-outcome ok set")
    #expect(
      try call(set, "{alice.w: {ok: true}}", [refused])
        == "different-outcome ok by error permission_denied set")
    #expect(
      try call(set, "{alice.w: {ok: true}}", [.threw("w", "invalid_path")])
        == "different-outcome ok by threw invalid_path set")
    #expect(
      try call(set, "{alice.w: {ok: true}}", [.completed("w", .ok), .completed("w", .ok)])
        == "second-completion ok set")
    #expect(
      try call(set, "{alice.w: {ok: true, at: 5ms}}", [.completed("w", .ok)])
        == "different-outcome time ok by ok set")
    #expect(
      try call(
        "remove: a", "{}", [.completed("#1", Completion(error: "permission_denied"))])
        == "failed-call error permission_denied remove")
  }

  @Test func `a refused call has one signature, whatever it would have listened to`() throws {
    func signature(_ query: String) throws -> String? {
      try call(
        "listen: {path: a, query: {\(query)}, as: w}", "{}", [.threw("w", "Invalid query!")])
    }
    #expect(try signature("limitToLast: 1") == "unexpected-outcome threw invalid_query_ listen")
    #expect(try signature("orderBy: n") == "unexpected-outcome threw invalid_query_ listen")
  }

  @Test func `transactions, pushes and inspections have ends of their own`() throws {
    let run = "transaction: {path: a, update: {increment: 1}, as: w}"
    let stopped = ClientOutput.completed("w", Completion(committed: false, value: .empty))
    #expect(
      try call(run, "{alice.w: {committed: true}}", [stopped])
        == "different-outcome committed by not-committed transaction writing")
    #expect(
      try call(run, "{alice.w: {committed: false}}", [])
        == "missing-outcome not-committed transaction writing")
    #expect(
      try call(
        run, "{alice.w: {committed: true, inputs: [1]}}",
        [
          .completed("w", Completion(committed: true, value: .empty))
        ]) == "different-outcome inputs committed by committed transaction writing")
    #expect(
      try call("push: {path: a, as: w}", "{alice.w: {key: x}}", [.answered("w", "y")])
        == "different-outcome key key by key push")
    #expect(
      try call(
        "inspect: {path: a, ask: key, as: w}", "{alice.w: {answer: a}}",
        [
          .threw("w", "invalid_path")
        ]) == "different-outcome answer by threw invalid_path inspect")
    #expect(
      try call(
        "inspect: {path: a, ask: key, as: w}", "{alice.w: {threw: x}}",
        [
          .answered("w", "a")
        ]) == "different-outcome threw x by answer inspect")
    #expect(
      try call("remove: {path: a, as: w}", "{alice.w: {error: x}}", [.completed("w", .ok)])
        == "different-outcome error x by ok remove")
  }

  @Test func `frames and breaches of the protocol say which messages`() throws {
    let frames = "  - alice.set: {path: a, value: 1}\n    expect: {frames: {alice: {put: 1}}}"
    let put = ClientOutput.send(.request(1, .put("a", Node(1), hash: nil)))
    #expect(try signature(frames, [:])?.text == "frames put few")
    #expect(try signature(frames, ["#1": [put, put]])?.text == "frames put many")
    let step = "  - alice.go-offline: {}\n    expect: {}"
    #expect(
      try signature(step, ["open": [put]])?.text == "protocol mon-1")
    #expect(
      try signature(step, ["opened": [put]])?.text == "protocol mon-1")
    #expect(
      try signature(step, ["opened": [.send(.request(1, .stats([])))]])?.text == "protocol mon-1")
    #expect(
      try signature(step, ["opened": [.connect]])?.text == "protocol mon-2")
  }
}
