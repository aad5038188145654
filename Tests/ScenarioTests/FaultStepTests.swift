import ClientInterface
import Faults
import Scenario
import ScenarioFiles
import Testing
import Tree

struct FaultStepTests {
  private func steps(_ lines: [String]) throws -> [Step] {
    let result = read(
      scenarioHead + "steps:\n" + lines.map { "  - " + $0 }.joined(separator: "\n"))
    #expect(result.problems == [])
    return try #require(result.scenarios.first).steps
  }

  @Test func `faults of the network are read`() throws {
    let steps = try steps([
      "network.drop: alice", "network.stall: alice",
      "network.resume: {client: alice, direction: to-client}", "network.half-open: alice",
      "network.half-open: {client: alice, notices: server}",
      "network.close-after: {client: bob, messages: 3, direction: to-server}",
      "network.lose-acknowledgement: alice", "network.late-close: {client: bob, after: 5s}",
    ])

    let found = steps.compactMap(\.action.fault)
    #expect(
      found == [
        .drop("alice"), .stall("alice", .both), .resume("alice", .toClient),
        .halfOpen("alice", notices: .neither), .halfOpen("alice", notices: .server),
        .closeAfter("bob", messages: 3, .toServer), .loseAcknowledgement("alice"),
        .lateClose("bob", after: .seconds(5)),
      ])
  }

  @Test func `faults of a client's machine are read`() throws {
    let steps = try steps([
      "alice.clock: {skew: 500ms}", "alice.clock: {jump: -15m}", "bob.clock: {drift: -5ms}",
      "alice.storage: {fail: write, times: 2}", "alice.storage: {fail: torn}",
      "alice.storage: {fail: full}", "alice.storage: {fail: full, at: 1KB}",
      "alice.storage: {fail: nothing}",
    ])

    let found = steps.compactMap(\.action.fault)
    #expect(
      found == [
        .skew("alice", .milliseconds(500)), .jump("alice", .seconds(-900)),
        .drift("bob", ClockDrift(perSecond: .milliseconds(-5))), .writeError("alice", count: 2),
        .tornRecord("alice"), .storageFull("alice", bytes: 0), .storageFull("alice", bytes: 1024),
        .storageWorks("alice"),
      ])
  }

  @Test func `faults of the server are read`() throws {
    let steps = try steps([
      "server.restart", "server.restart: {down: 2s, on-disconnects: lost}",
      "server.redirect: {host: two.kennel.test}", "server.redirect: {client: bob, host: two}",
      "server.shutdown", "server.shutdown: bob", "server.clock: {skew: -1h}", "server.stale",
      "server.stale: {writes: 2, data: sent}", "server.stale: {writes: 0}",
    ])

    let found = steps.compactMap(\.action.fault)
    #expect(
      found == [
        .restart(down: .zero, .done), .restart(down: .seconds(2), .lost),
        .redirect(nil, host: "two.kennel.test"), .redirect("bob", host: "two"), .shutdown(nil),
        .shutdown("bob"), .serverClock(skew: .seconds(-3600)), .stale(writes: 1, .withheld),
        .stale(writes: 2, .sent), .stale(writes: 0, .withheld),
      ])
  }

  @Test func `a step takes back what waits`() throws {
    let steps = try steps(["disarm", "together: [disarm, server.restart]"])

    guard case .disarm = steps[0].action, case let .together(members) = steps[1].action,
      case .disarm? = members.first?.action
    else {
      Issue.record("\(steps)")
      return
    }
  }

  @Test(
    arguments: [
      ("network.cut: {client: alice, when: {after: 30ms}}", .after(.milliseconds(30))),
      (
        "network.cut: {client: alice, when: {frame: put, edge: before-delivery}}",
        .frame(.init(kind: "put", client: "alice", edge: .before))
      ),
      (
        "network.cut: {client: alice, when: {frame: put, from: bob, to: server, nth: 2}}",
        .frame(.init(kind: "put", client: "bob", count: 2, edge: .after))
      ),
      (
        "server.restart: {when: {frame: data, from: server}}",
        .frame(.init(kind: "data", client: nil, edge: .after))
      ),
      (
        "alice.kill: {when: {frame: acknowledgement, to: alice}}",
        .frame(.init(kind: "acknowledgement", client: "alice", edge: .after))
      ),
      (
        "network.latency: {latency: 5ms, when: {messages: 3, client: bob}}",
        .messages(3, .both, client: "bob")
      ),
      (
        "network.stall: {client: alice, when: {messages: 3, direction: to-client}}",
        .messages(3, .toClient, client: "alice")
      ),
      ("server.remove: {path: a, when: {after: 1m}}", .after(.seconds(60))),
      ("server.set: {path: a, value: 1, when: {after: 1m}}", .after(.seconds(60))),
      ("server.revoke: {path: a, when: {after: 1m}}", .after(.seconds(60))),
      ("server.reject: {path: a, deny: [read], when: {after: 1m}}", .after(.seconds(60))),
      ("server.revoke-auth: {client: alice, when: {after: 1m}}", .after(.seconds(60))),
      ("server.shutdown: {when: {after: 1m}}", .after(.seconds(60))),
    ] as [(String, Step.Trigger)])
  func `what a step waits for is read`(line: String, trigger: Step.Trigger) throws {
    #expect(try steps([line]).first?.trigger == trigger)
  }

  @Test func `faults can stand together with calls`() throws {
    let steps = try steps([
      "together: [{alice.remove: a}, {network.cut: alice}, bob.kill, server.restart]"
    ])

    guard case let .together(parts)? = steps.first?.action else {
      Issue.record("no step of its own")
      return
    }
    #expect(parts.count == 4)
  }
}
