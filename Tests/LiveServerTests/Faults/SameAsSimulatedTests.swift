import ClientInterface
import Faults
import LiveServer
import Simulator
import TestKit
import Testing
import Trace
import Tree
import Wire

/// The same faults at the same moments of the same messages: in the simulator, and in real time.
@Suite struct SameAsSimulatedTests {
  /// What a run comes to.
  private struct Outcome: Equatable {
    var received: [String]
    var tree: String
    var fired: [Bool]
    var bitten: [Bool]
  }

  private static let faults: [IndexedFault] = [
    .cut(alice), .drop(alice), .refuse(alice), .latency(.fixed(.milliseconds(25)), alice),
    .halfOpen(alice, notices: .neither), .halfOpen(alice, notices: .client),
    .halfOpen(alice, notices: .server), .stall(alice, .toServer), .stall(alice, .toClient),
    .closeAfter(alice, messages: 2, .both), .closeAfter(alice, messages: 2, .toClient),
    .loseAcknowledgement(alice), .lateClose(alice, after: .milliseconds(15)),
    .redirect(alice, host: "there"), .shutdown(alice, reason: "away"),
    .reject(SecurityRule("/x", deny: [.write])), .revoke("/"),
    .restart(down: .milliseconds(50), .done), .restart(down: .zero, .lost),
    .write(.set("/z", Node(json: 1))),
  ]

  private static let triggers: [Trigger?] = [
    nil, .after(.milliseconds(33)), .count(3, alice, .both), .count(2, alice, .toServer),
    .message(.request(.put), of: alice, nth: 2, .before),
    .message(.request(.put), of: nil, nth: 2, .after),
    .message(.acknowledgement, of: alice, .before), .message(.answer(.listen), of: alice, .after),
    .message(.data, of: nil, nth: 2, .after), .message(.hello, of: bob, .after),
  ]

  /// The calls, at these milliseconds after the start: what alice writes, or that she listens.
  private static let calls: [(at: Int, path: String?)] = [
    (25, nil), (27, "/x/a"), (40, "/x/b"), (41, "/y"), (61, "/x/c"),
  ]

  private func simulated(_ fault: IndexedFault, _ trigger: Trigger?) -> Outcome {
    let setups = ["alice", "bob"].map { ClientSetup(name: $0, client: Puppet()) }
    var run = Simulator(Configuration(profile: .wilddog2, clients: setups))
    run.open()
    run.advance(by: .milliseconds(5))
    if let trigger { run.arm(fault, when: trigger) }
    var time = 5
    for call in Self.calls {
      run.advance(by: .milliseconds(call.at - time))
      time = call.at
      if time == 25, trigger == nil { run.inject(fault) }
      let listen = Operation.listen("l", .init("/"), [.value])
      run.call(alice, "c", call.path.map { .set(Path($0), Node(json: 1)) } ?? listen)
    }
    run.advance(by: .milliseconds(200))
    let received = run.trace.events.compactMap { event -> String? in
      switch event.kind {
      case let .input(alice, .frame(message)) where alice == ClientIndex(0): message.short
      case let .input(alice, .closed) where alice == ClientIndex(0): "closed"
      default: nil
      }
    }
    return Outcome(
      received: received, tree: run.serverTree.json.text, fired: run.faultMarks.map(\.hasFired),
      bitten: run.faultMarks.map(\.hasTakenEffect))
  }

  private func live(_ fault: IndexedFault, _ trigger: Trigger?) -> Outcome {
    var net = played(fault, trigger, .standard)
    return Outcome(
      received: net.received("alice"), tree: net.tree, fired: net.fired, bitten: net.bitten)
  }

  private func played(_ fault: IndexedFault, _ trigger: Trigger?, _ latency: Latency) -> Net {
    var net = Net("alice", "bob", latency: latency, seed: 7)
    for name in ["alice", "bob"] { net.connect(name) }
    net.wait(5)
    if let trigger { net.arm(fault, when: trigger) }
    var time = 5
    for call in Self.calls {
      net.wait(call.at - time)
      time = call.at
      if time == 25, trigger == nil { net.inject(fault) }
      if let path = call.path { net.put("alice", path, "1") } else { net.listen("alice", "/") }
    }
    net.wait(200)
    return net
  }

  @Test func `the same inputs at the same moments have the same effects`() {
    let drawn = Latency(.milliseconds(1), through: .milliseconds(30))
    for fault in Self.faults {
      for trigger in Self.triggers {
        var first = played(fault, trigger, drawn)
        var second = played(fault, trigger, drawn)
        #expect(first.effects == second.effects, "\(fault.text)")
        #expect(first.received("alice") == second.received("alice"), "\(fault.text)")
        #expect(first.live.marks == second.live.marks)
      }
    }
  }

  @Test(arguments: triggers)
  func `they come to the same`(trigger: Trigger?) {
    for fault in Self.faults {
      #expect(live(fault, trigger) == simulated(fault, trigger), "\(fault.text)")
    }
  }
}
