import ClientInterface
import Conformance
import Faults
import Reports
import Scenario
import TestKit
import Testing
import Trace
import TraceFiles
import Tree
import Wire

/// What is told of replays, on runs that are written down here.
@Suite struct ReplayReportTests {
  @Test func `a run that differs is told with both sides and what may be the reason`()
    throws
  {
    var replay = try Self.replay { $0[8].kind = .output(Self.bob, .event(Self.event("b"))) }
    replay.file.header.kit = "0.0.9"
    replay.result.verdict = .fail
    replay.result.reason = "of the rain"
    var report = ReplayReport(replay, name: "t/x.jsonl", kit: "0.1.0")
    report.client = "other"
    report.isOfCurrentFile = true

    #expect(report.text == Self.report)
  }

  private static let report = """
    DIFFERS  An example
          t/x.jsonl
          test/example  firebase   seed 7   client reference

      the run differs from the trace at event 8 of 10, at 20 ms, in step 1 of 3

         3  10 ms  bob              asks for a connection
         4  10 ms  network (alice)  cut
         5  20 ms  step 1           bob.set: {path: n, value: 2, as: w}
         6  20 ms  bob              set /n 2   as w
         7  20 ms  bob -> server    put /n 2   request 1
      -  8  20 ms  bob              raised value "a"   on feed
      +  8  20 ms  bob              raised value "b"   on feed
          (- recorded, + now)

      recorded because of 6: bob  set /n 2   as w
      now because of 6: bob  set /n 2   as w

      the trace was made by kennel 0.0.9; this is 0.1.0
      the trace is of the client reference; this is other
      the scenario was run as its file is now
      judged fail now; the trace says pass
      now: of the rain

    """

  @Test func `what is the same in words is shown as it is in the file`() throws {
    let replay = try Self.replay { $0[3].cause = 0 }

    let text = ReplayReport(replay, name: "x", kit: "0.1.0").text
    #expect(
      text.contains(
        """
          -  3  10 ms  bob    asks for a connection
          +  3  10 ms  bob    asks for a connection
          -     {"n":3,"cause":2,"t":10,"step":-1,"client":"bob","out":{"connect":{}}}
          +     {"n":3,"cause":0,"t":10,"step":-1,"client":"bob","out":{"connect":{}}}
              (- recorded, + now)

          recorded because of 2: bob  starts
          now because of 0: alice  starts

        """), "\(text)")
  }

  @Test func `a run that ends before its trace says that nothing more happened`() throws {
    let replay = try Self.replay { $0.removeLast() }

    let text = ReplayReport(replay, name: "x", kit: "0.1.0").text
    #expect(
      text.contains("  -  9  30 ms  bob              completed w: ok\n  +  9 "), "\(text)")
    #expect(text.contains(" nothing more happened\n"), "\(text)")
  }

  @Test func `a walk goes where it is told and shows causes and sights`() throws {
    let replay = try Self.replay { _ in }
    var walk = TraceWalk(replay)
    var reported = walk.text
    for command in ["", "p", "p", "3", "c", "v", "8", "v", "d", "999", "x", "h", "9", "n"] {
      reported += "> \(command).\n" + (walk.answer(to: command) ?? "")
    }

    #expect(reported == Self.walk)
    #expect(walk.answer(to: "q") == nil)
  }

  private static let walk = """
    0 of 0...9   before the first step, 0 ms
      alice  starts
    > .
    1 of 0...9   before the first step, 0 ms
      alice  asks for a connection
      because of 0: alice  starts
    > p.
    0 of 0...9   before the first step, 0 ms
      alice  starts
    > p.
    there is no event -1; there are 0 to 9
    > 3.
    3 of 0...9   before the first step, 10 ms
      bob  asks for a connection
      because of 2: bob  starts
    > c.
      2   0 ms  bob  starts
      3  10 ms  bob  asks for a connection
    > v.
      nothing is shown and nothing waits
    > 8.
    8 of 0...9   step 1, 20 ms
      bob  raised value "a"   on feed
      because of 6: bob  set /n 2   as w
    > v.
      shown  bob.feed  raised value "a"   on feed
      waits  bob.w     set /n 2   as w
    > d.
    the run does not differ
    > 999.
    there is no event 999; there are 0 to 9
    > x.
    there is no command "x"
    Enter or n: next   p: previous   NUMBER: go to that event   c: what led here
    v: what listeners show and which calls wait   d: where it differs   f: where it fails   q: quit
    > h.
    Enter or n: next   p: previous   NUMBER: go to that event   c: what led here
    v: what listeners show and which calls wait   d: where it differs   f: where it fails   q: quit
    > 9.
    9 of 0...9   step 1, 30 ms
      bob  completed w: ok
      because of 7: bob -> server  put /n 2   request 1
    > n.
    that was the last event

    """

  @Test func `a walk shows the recorded event where the run differs`() throws {
    let replay = try Self.replay { $0[8].kind = .output(Self.bob, .event(Self.event("b"))) }
    var walk = TraceWalk(replay)

    let shown = walk.answer(to: "d")

    #expect(
      shown == """
        8 of 0...9   step 1, 20 ms
          bob  raised value "b"   on feed
          because of 6: bob  set /n 2   as w
          recorded was: step 1, 20 ms  bob  raised value "a"   on feed

        """)
  }

  @Test func `a walk goes to the event by which a failure became apparent`() throws {
    let body = """
      clients: [alice]
      steps:
        - alice.listen: {path: n, as: feed}
        - expect: {alice.feed: [{value: 1}]}
        - alice.set: {path: n, value: 1}
        - settle
      """
    let replay = try TraceReplay(
      of: Kit.trace(body), named: "x", by: Kit.runner())
    var walk = TraceWalk(replay)
    var passing = TraceWalk(try Self.replay { _ in })
    let text = ReplayReport(replay, name: "x", kit: "0.1.0").text

    #expect(passing.answer(to: "f") == "the run does not fail\n")
    #expect(
      text.hasSuffix("\n  fail, as recorded at event 18: value /n is nothing, expected 1\n"))
    #expect(
      walk.answer(to: "f") == """
        18 of 0...30   step 2, 60 ms
          alice  raised value null   on feed
          because of 17: alice <- server  answer ok   request 2
          value /n is nothing, expected 1

        """)
  }

  @Test func `a walk through no events says so`() throws {
    #expect(TraceWalk(try Self.replay { $0 = [] }).text == "nothing happened\n")
  }
}

extension ReplayReportTests {
  private static let bob = ClientIndex(1)

  private static func event(_ text: String) -> Event {
    Event(.value, to: "feed", key: "n", value: Node(Scalar.string(Text(text))))
  }

  private static let events: [(kind: TraceEvent.Kind, cause: Int?, milliseconds: Int, step: Int)] =
    [
      (.input(ClientIndex(0), .open(.init())), nil, 0, -1),
      (.output(ClientIndex(0), .connect), 0, 0, -1),
      (.input(bob, .open(.init())), nil, 0, -1),
      (.output(bob, .connect), 2, 10, -1),
      (.fault(.fault(.cut(ClientIndex(0)))), nil, 10, -1),
      (.step("bob.set: {path: n, value: 2, as: w}"), nil, 20, 1),
      (.input(bob, .call("w", .set("n", Node(Scalar.number(2))))), nil, 20, 1),
      (.output(bob, .send(.request(1, .put("n", Node(Scalar.number(2)), hash: nil)))), 6, 20, 1),
      (.output(bob, .event(event("a"))), 6, 20, 1),
      (.output(bob, .completed("w", .ok)), 7, 30, 1),
    ]

  /// The replay of the run above with a run that was changed.
  private static func replay(_ change: (inout [TraceEvent]) -> Void) throws -> TraceReplay {
    var file = try Kit.trace(Kit.race)
    file.header.seed = 7
    file.trace = Trace()
    for event in events {
      file.trace.append(
        event.kind, cause: event.cause, time: .milliseconds(event.milliseconds), step: event.step)
    }
    var changed = Array(file.trace.events)
    change(&changed)
    var scenario = try Kit.scenario(Kit.race)
    scenario.choices = file.header.choices
    var result = ScenarioResult(scenario, .firebase, seed: 7, .pass)
    for event in changed {
      result.trace.append(
        event.kind, cause: event.cause, time: event.time, step: event.step)
    }
    return TraceReplay(of: file, result: result)
  }
}
