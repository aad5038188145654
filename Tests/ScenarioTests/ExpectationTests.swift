import ClientInterface
import Document
import Scenario
import ScenarioFiles
import Testing
import Tree

struct ExpectationTests {
  private static let named = [
    "alice.listen: {path: room, as: feed}", "alice.set: {path: a, value: 1, as: w}",
    "alice.push: {path: a, value: 1, as: p}", "bob.listen: {path: room, as: other}",
    "alice.transaction: {path: n, update: {increment: 1}, as: t}",
  ]
  private static let others = ["alice.w: {ok: true}", "alice.p: {ok: true}", "alice.t: {error: x}"]

  /// The expectation with these lines; outcomes that they leave out are listed after it.
  private func expectation(_ lines: String...) throws -> ScenarioExpectation {
    let rest = Self.others.filter { other in
      let label = other.prefix(8)
      return !lines.contains { $0.contains(label) }
    }
    let steps =
      Self.named + [
        "expect:\n" + lines.map { "      " + $0 }.joined(separator: "\n"),
        "expect: {" + rest.joined(separator: ", ") + "}",
      ]
    let result = read(
      scenarioHead + "steps:\n" + steps.map { "  - " + $0 }.joined(separator: "\n"))
    #expect(result.problems == [])
    return try #require(result.scenarios.first?.steps[Self.named.count].expectation)
  }

  @Test func `events are read with key, value, previous key and time`() throws {
    let expectation = try expectation(
      "alice.feed:", "  - {child_added: a, value: {x: 1}, prev: null, at: 40ms}",
      "  - {child_changed: a, value: $any, prev: b, within: [0s, 1s]}",
      "  - {child_moved: {$bind: id}, value: 1}", "  - {child_removed: $pushId}",
      "  - {value: null}", "  - {cancelled: permission_denied}")

    let events = try #require(expectation.listeners.first).items.compactMap { item in
      if case let .event(event) = item { event } else { nil }
    }
    #expect(
      events.map(\.kind) == [
        .event(.childAdded), .event(.childChanged), .event(.childMoved), .event(.childRemoved),
        .event(.value), .cancelled("permission_denied"),
      ])
    #expect(events.map(\.key) == [.exactly("a"), .exactly("a"), .bind("id"), .pushID, nil, nil])
    #expect(
      events.map(\.value) == [
        .exactly(["x": 1]), .any, .exactly(1), nil, .exactly(.null), nil,
      ])
    #expect(
      events.map(\.time) == [
        .at(.milliseconds(40)), .within(.zero ... .seconds(1)), nil, nil, nil, nil,
      ])
    guard case .first = events[0].previous, case .key(.exactly("b")) = events[1].previous,
      case .unstated = events[2].previous
    else {
      Issue.record("\(events.map(\.previous))")
      return
    }
  }

  @Test func `groups without an order and gaps are read`() throws {
    let expectation = try expectation(
      "alice.feed:", "  - $unordered: [{child_added: a}, {child_added: b}]",
      "  - each-gap: {min: 1s, max: 2s, growth: 1.3}")

    let listener = try #require(expectation.listeners.first)
    guard case let .unordered(events)? = listener.items.first else {
      Issue.record("\(listener.items)")
      return
    }
    #expect(events.map(\.key) == [.exactly("a"), .exactly("b")])
    #expect(listener.gap == .init(minimum: .seconds(1), maximum: .seconds(2), growth: 1.3))
  }

  @Test func `outcomes are read`() throws {
    let expectation = try expectation(
      "alice.w: {error: permission_denied, at: 20ms}", "alice.p: {key: $pushId, ok: true}",
      "alice.t: {committed: true, value: 5, inputs: [null, 5]}")

    let outcomes = expectation.outcomes
    #expect(outcomes.map(\.call.name) == ["w", "p", "t"])
    #expect(outcomes[0].time == .at(.milliseconds(20)))
    #expect(outcomes[1].outcome.key == .pushID)
    #expect(outcomes[2].outcome.inputs == [.exactly(.null), .exactly(5)])
    guard case .error("permission_denied")? = outcomes[0].outcome.end,
      case .ok? = outcomes[1].outcome.end,
      case .committed(.exactly(5)?)? = outcomes[2].outcome.end
    else {
      Issue.record("\(outcomes)")
      return
    }
  }

  @Test func `a refusal and a transaction that gives up are outcomes`() throws {
    let expectation = try expectation(
      "alice.w: {threw: invalid_path}", "alice.t: {committed: false, value: 7}")

    guard case .threw("invalid_path")? = expectation.outcomes[0].outcome.end,
      case .notCommitted(.exactly(7)?)? = expectation.outcomes[1].outcome.end
    else {
      Issue.record("\(expectation.outcomes)")
      return
    }
  }

  @Test func `the server, frames and convergence are read`() throws {
    let expectation = try expectation(
      "server: {$subset: {room: {a: 1}}}", "frames: {alice: {put: 1, listen: 0}}",
      "converged: true")

    #expect(expectation.server == .subset([.init("room", .exactly(["a": 1]))]))
    #expect(expectation.frames.map(\.client) == ["alice", "alice"])
    #expect(expectation.frames.map(\.kind) == ["put", "listen"])
    #expect(expectation.frames.map(\.count) == [1, 0])
    #expect(expectation.isConverged)
  }

  @Test func `an order names events and outcomes, and chains become pairs`() throws {
    let expectation = try expectation(
      "alice.feed: [{value: 1}, {value: 2}]", "alice.w: {ok: true}", "bob.other: [{value: 1}]",
      "order: [feed#2 < w < bob.other]")

    #expect(
      expectation.order.map { "\($0.first) < \($0.second)" } == [
        "alice.feed#2 < alice.w", "alice.w < bob.other",
      ])
  }

  @Test func `each alternative repeats what is common`() throws {
    let expectation = try expectation(
      "alice.feed: [{value: 1}]", "one-of:", "  - {alice.w: {ok: true}, order: [feed < w]}",
      "  - {alice.w: {error: set}}")

    #expect(
      expectation.alternatives.map { $0.listeners.map(\.listener.name) } == [["feed"], ["feed"]])
    #expect(expectation.alternatives.map { $0.outcomes.map(\.call.name) } == [["w"], ["w"]])
    #expect(expectation.alternatives.map(\.order.count) == [1, 0])
    #expect(expectation.alternatives.map(\.position.description) == ["14:11", "15:11"])
  }

  @Test(
    arguments: [
      ("5", .exactly(5)), ("[1, {a: b}]", .exactly([1, ["a": "b"]])), ("$any", .any),
      ("{$any: {}}", .any), ("{a: $serverTime}", .mapping([.init("a", .serverTime)])),
      ("[$any]", .list([.any])), ("{$type: number}", .type(.number)),
      ("{$type: [null, string]}", .oneOf([.type(.null), .type(.string)])),
      ("{$oneOf: [1, $any]}", .oneOf([.exactly(1), .any])), ("{$not: null}", .not(.exactly(.null))),
      ("{$unordered: [1]}", .unordered([.exactly(1)])), ("{$each: {$gte: 1}}", .each(.gte(1))),
      ("{$gte: 1, $lte: 2}", .all([.gte(1), .lte(2)])),
      ("{$approx: {value: 1, tolerance: 0.5}}", .approx(1, tolerance: 0.5)),
      ("{a: {$bind: x}, b: {$ref: x}}", .mapping([.init("a", .bind("x")), .init("b", .ref("x"))])),
      ("$5", .exactly("$5")), ("{$exactly: $any}", .exactly("$any")),
      ("{a: {$exactly: $any}}", .mapping([.init("a", .exactly("$any"))])),
      (
        "{.value: 1, .priority: $any}",
        .mapping([.init(".value", .exactly(1)), .init(".priority", .any)])
      ),
    ] as [(String, Pattern)])
  func `a pattern is read`(text: String, pattern: Pattern) throws {
    #expect(try expectation("server: \(text)").server == pattern)
  }
}
