import ClientInterface
import Document
import Faults
import Scenario
import ScenarioFiles
import Testing
import Tree
import Wire

struct StepTests {
  private func steps(_ lines: String...) throws -> [Step] {
    let result = read(
      scenarioHead + "steps:\n" + lines.map { "  - " + $0 }.joined(separator: "\n"))
    #expect(result.problems == [])
    return try #require(result.scenarios.first).steps
  }

  private func call(_ line: String) throws -> Action.Call {
    guard case let .call(call)? = try steps(line).first?.action else {
      throw Failure(line: line)
    }
    return call
  }

  private struct Failure: Error {
    var line: String
  }

  @Test(
    arguments: [
      ("alice.listen: room", .listen("L1", .init("room"), Set(EventType.allCases))),
      (
        "alice.listen: {path: room, events: [value, child_added]}",
        .listen("L1", .init("room"), [.value, .childAdded])
      ),
      ("alice.listen: {path: room, event: value}", .listen("L1", .init("room"), [.value])),
      ("alice.once: room", .once("L1", .init("room"), .value)),
      ("alice.once: {path: room, event: child_added}", .once("L1", .init("room"), .childAdded)),
      ("alice.unlisten-all: /room", .unlistenAll(.init("room"))),
      ("alice.set: {path: room/a, value: {b: 1}}", .set("room/a", Node(json: ["b": 1]))),
      ("alice.set: {path: a, value: 1, priority: 2}", .set("a", Node(1, priority: 2))),
      ("alice.remove: ''", .remove(.root)),
      ("alice.set-priority: {path: a, priority: {b: [1]}}", .setPriority("a", ["b": [1]])),
      ("alice.set: {path: a, value: null, priority: 1}", .set("a", .nothing(priority: 1))),
      ("alice.set-priority: {path: a, priority: null}", .setPriority("a", .null)),
      ("alice.update: {path: a, value: {b/c: 1}}", .update("a", [.init("b/c", Node(1))])),
      ("alice.push: a", .push("a", nil)),
      ("alice.push: {path: a, value: x}", .push("a", Node("x"))),
      ("alice.go-offline: {}", .goOffline),
      ("alice.go-online", .goOnline),
      ("alice.on-disconnect-set: {path: a, value: 1}", .onDisconnectSet("a", Node(1))),
      ("alice.on-disconnect-remove: a", .onDisconnectRemove("a")),
      ("alice.on-disconnect-cancel: a", .onDisconnectCancel("a")),
      (
        "alice.on-disconnect-update: {path: a, value: {b: null}}",
        .onDisconnectUpdate("a", [.init("b", .empty)])
      ),
    ] as [(String, ClientInterface.Operation)])
  func `a call of a client is read`(line: String, operation: ClientInterface.Operation) throws {
    #expect(try call(line).operation == operation)
  }

  @Test(
    arguments: [
      ("{increment: 2}", .increment(2)), ("{set: {a: 1}}", .set(["a": 1])),
      ("{setIfNull: x}", .setIfNull("x")), ("{merge: {a: 1}}", .merge(["a": 1])),
      ("{abort: true}", .abort),
    ] as [(String, TransactionFunction)])
  func `a function of a transaction is read`(text: String, function: TransactionFunction) throws {
    let call = try call("alice.transaction: {path: a, update: \(text), localEvents: false}")

    #expect(call.operation == .transaction("a", function, localEvents: .hidden))
  }

  @Test(arguments: [
    ("{orderBy: .key, startAt: a}", Query(ordering: .key, start: .init("a"))),
    ("{endBefore: 2}", Query(end: .init(2, edge: .exclusive))),
    (
      "{orderBy: .value, startAfter: {value: 1, key: k}, limitToLast: 2}",
      Query(
        ordering: .value, start: .init(1, key: "k", edge: .exclusive), limit: .last(2))
    ),
    (
      "{orderBy: size/w, equalTo: null}",
      Query(ordering: .child("size/w"), start: .init(nil), end: .init(nil))
    ),
    ("{limitToFirst: 3}", Query(limit: .first(3))),
  ])
  func `a query is read`(text: String, query: Query) throws {
    let call = try call("alice.unlisten-all: {path: a, query: \(text)}")

    #expect(call.operation == .unlistenAll(.init("a", query)))
  }

  @Test func `a label names a call, and calls without one are numbered for each client`() throws {
    let steps = try steps(
      "alice.remove: a", "bob.remove: a", "alice.set: {path: a, value: 1, as: w}",
      "alice.listen: a", "alice.listen: {path: b, as: feed}", "alice.listen: c",
      "alice.unlisten: L3", "expect: {alice.w: {ok: true}}")

    let calls = steps.compactMap { step in
      if case let .call(call) = step.action { call } else { nil }
    }
    #expect(calls.map(\.id.name) == ["#1", "#1", "w", "L1", "feed", "L3", "#2"])
    #expect(calls.map(\.isNamed) == [false, false, true, false, true, false, false])
  }

  @Test func `steps of time, network and server are read`() throws {
    let steps = try steps(
      "wait: 1.5s", "settle", "network.cut: alice", "network.heal: alice",
      "network.refuse: bob", "network.latency: 5ms..2s", "network.latency: {bob: 1m}",
      "server.set: {path: a, value: 1, priority: x}", "server.update: {path: a, value: {b: 1}}",
      "server.remove: a", "server.reject: {path: a, deny: [read, write]}")

    let actions = steps.map(\.action)
    guard case .wait(.milliseconds(1500)) = actions[0], case .settle = actions[1] else {
      Issue.record("\(actions[0]) \(actions[1])")
      return
    }
    #expect(
      actions.compactMap(\.fault) == [
        .cut("alice"), .heal("alice"), .refuse("bob"),
        .latency(Latency(.milliseconds(5), through: .seconds(2)), nil),
        .latency(.fixed(.seconds(60)), "bob"), .write(.set("a", Node(1, priority: "x"))),
        .write(.update("a", [.init("b", Node(1))])), .write(.remove("a")),
        .reject(SecurityRule("a", deny: [.read, .write])),
      ])
  }

  @Test func `together holds steps without expectations`() throws {
    let steps = try steps("together: [{alice.remove: a}, {server.remove: b}]")

    guard case let .together(parts)? = steps.first?.action else { throw Failure(line: "together") }
    #expect(parts.map(\.text) == ["alice.remove: a", "server.remove: b"])
  }

  @Test func `a step has a text, a location and the expectation that follows it`() throws {
    let steps = try steps(
      "alice.set: {path: a, value: 'yes: no', as: w}\n    expect-now: {}",
      "expect: {alice.w: {ok: true}}")

    #expect(
      steps.map(\.text) == [
        "alice.set: {path: a, value: \"yes: no\", as: w}", "expect: {alice.w: {ok: true}}",
      ])
    #expect(steps.map(\.position.description) == ["6:5", "8:5"])
    #expect(steps.map(\.expectation?.timing) == [.now, .settled])
  }

  @Test func `an expectation that settles is added at the end where there is none`() throws {
    let steps = try steps("wait: 5s", "alice.remove: a\n    expect-now: {}")

    #expect(steps.count == 3)
    #expect(steps.last?.text == "expect: {} (implied at the end)")
    #expect(steps.last?.expectation?.timing == .settled)
  }
}
