import ClientInterface
import Faults
import Simulator
import TestKit
import Testing
import Trace
import Tree

@Suite struct ProcessTests {
  /// Stores the path of every write, and logs what it finds.
  private struct Keeper: SyncClient {
    var calls = 0

    mutating func handle(
      _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
    ) {
      switch input {
      case let .open(opening):
        outputs.append(.connect)
        let stored = opening.storage.map { "\($0.key)=\($0.text)" }.joined(separator: " ")
        outputs.append(.log("after \(calls) calls found [\(stored)]"))
      case let .call(_, .set(path, node)):
        calls += 1
        outputs.append(.store(key: path.relativeText, text: "\(node)"))
      case let .call(_, .remove(path)): outputs.append(.erase(key: path.relativeText))
      case .close: outputs.append(.store(key: "last", text: "will"))
      default: break
      }
    }
  }

  private final class Shared: SyncClient {
    private var isUsed = false

    func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
      outputs.append(.log(isUsed ? "old" : "new"))
      isUsed = true
    }
  }

  @Test func `a new process is a new client that finds what was stored`() {
    var run = Simulator(Keeper())
    _ = run.settle()
    run.set("b", 1)
    run.set("a", 2)
    run.set("c", 3)
    run.call(alice, "r", .remove("c"))

    run.inject(.kill(alice))
    run.inject(.start(alice, .kept))

    #expect(
      run.lines(with: "found") == [
        "0 ms  alice  log: after 0 calls found []",
        "20 ms  alice  log: after 0 calls found [a=2 b=1]",
      ])
  }

  @Test func `storage can be lost, or rolled back to when the run last came to rest`() {
    func found(_ condition: StorageCondition) -> String? {
      var run = Simulator(Keeper())
      run.set("a", 1)
      _ = run.settle()
      run.set("b", 2)
      run.inject(.kill(alice))
      _ = run.settle()
      run.inject(.start(alice, condition))
      return run.lines(with: "found").last
    }

    #expect(found(.kept) == "20 ms  alice  log: after 0 calls found [a=1 b=2]")
    #expect(found(.lost) == "20 ms  alice  log: after 0 calls found []")
    #expect(found(.rolledBack) == "20 ms  alice  log: after 0 calls found [a=1]")
  }

  @Test func `a killed process does nothing more and the server notices at once`() {
    var run = Simulator(Puppet(onTimer: [.log("late")]))
    _ = run.settle()
    run.set("a", 1)
    run.advance(by: .milliseconds(3))
    let start = run.trace.count

    run.inject(.kill(alice))
    run.set("b", 1)
    let settlement = run.settle()

    #expect(settlement == .settled)
    #expect(
      run.lines(from: start) == [
        "23 ms  alice  ends", "23 ms  alice -> server  lost: put /a 1   request 1",
        "23 ms  server <- alice  connection closed   session session1",
        "23 ms  network (alice)  called while it was not running",
      ])
    #expect(run.serverTree.isEmpty)
    #expect(!run.isRunning(alice))
  }

  @Test func `a request for a connection and the timers go with the process`() {
    let timer = ClientOutput.setTimer(1, after: .seconds(1), .other)
    var run = Simulator(Puppet(opening: [.connect, timer]))

    run.inject(.kill(alice))

    #expect(run.settle() == .settled)
    #expect(run.nextDue() == nil)
    run.inject(.start(alice, .kept))
    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
  }

  @Test func `a client that is a class is made anew`() {
    var setup = ClientSetup(name: "alice", client: Shared())
    setup.renew = { Shared() }
    var run = Simulator(Configuration(profile: .firebase, clients: [setup]))
    run.open()

    run.inject(.kill(alice))
    run.inject(.start(alice, .kept))

    #expect(run.lines(with: "log") == ["0 ms  alice  log: new", "0 ms  alice  log: new"])
  }

  @Test func `every process has random numbers of its own`() {
    var run = Simulator(Puppet())
    run.inject(.kill(alice))
    run.inject(.start(alice, .kept))
    let seeds = run.trace.events.compactMap {
      if case let .input(_, .open(opening)) = $0.kind { opening.seed } else { nil }
    }

    #expect(Set(seeds).count == 2)
  }
}
