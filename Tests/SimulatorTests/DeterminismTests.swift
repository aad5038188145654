import ClientInterface
import Faults
import Simulator
import TestKit
import Testing
import Trace
import Tree

@Suite struct DeterminismTests {
  private let jitter = Latency(.milliseconds(10), through: .milliseconds(60))

  private func run(
    seed: UInt64 = 0, tape: ChoiceTape = ChoiceTape(), retention: Trace.Retention = .events
  ) -> Simulator {
    var run = Simulator(Puppet(), Puppet(), latency: jitter) {
      $0.seed = seed
      $0.tape = tape
      $0.retention = retention
    }
    _ = run.settle()
    for number in 0..<20 {
      run.beginStep(number, "set")
      run.set(Path("x/\(number % 3)"), Scalar(integerLiteral: number), by: alice)
      run.set(Path("x/\(number % 3)"), Scalar(integerLiteral: -number), by: bob)
      run.advance(by: .milliseconds(15))
    }
    _ = run.settle()
    return run
  }

  @Test func `the same seed gives the same run and another seed another`() {
    #expect(run(seed: 1).lines() == run(seed: 1).lines())
    #expect(run(seed: 1).trace.hash == run(seed: 1).trace.hash)
    #expect(run(seed: 1).trace.hash != run(seed: 2).trace.hash)
  }

  @Test func `a trace that keeps no events has the same hash and checkpoints`() {
    let full = run().trace
    let bare = run(retention: .hashOnly).trace

    #expect(bare.events.isEmpty)
    #expect(bare.count == full.count)
    #expect(bare.hash == full.hash)
    #expect(bare.checkpoints == full.checkpoints)
    #expect(bare.checkpoints.count == bare.count / 64)
  }

  @Test func `a run is replayed from the choices that were not zero`() {
    let original = run(seed: 3)

    let replayed = run(
      seed: 4, tape: ChoiceTape(stated: original.tape.used, missing: .benign))

    #expect(replayed.lines().dropFirst(2) == original.lines().dropFirst(2))
    #expect(replayed.tape.used == original.tape.used)
    #expect(replayed.tape.unused == [])
  }

  @Test func `a copy goes its own way with what is in flight`() {
    var original = Simulator(Puppet(), Puppet())
    _ = original.settle()
    original.set("a", 1)
    var copy = original

    copy.inject(.cut(alice))
    copy.set("b", 2, by: bob)
    _ = copy.settle()
    _ = original.settle()

    #expect(original.serverTree == Node(json: ["a": 1]))
    #expect(copy.serverTree == Node(json: ["b": 2]))
    #expect(original.isConnected(alice))
    #expect(!copy.isConnected(alice))
  }

  @Test func `clients start with random numbers of their own`() {
    func seeds(_ seed: UInt64) -> [UInt64] {
      Simulator(Puppet(), Puppet()) { $0.seed = seed }.trace.events.compactMap {
        if case let .input(_, .open(opening)) = $0.kind { opening.seed } else { nil }
      }
    }

    #expect(Set(seeds(1) + seeds(2)).count == 4)
    #expect(seeds(1) == seeds(1))
  }

  @Test func `clients see the epoch plus the time of the run`() {
    struct Clock: SyncClient {
      func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
        outputs.append(.log("\(now.nanoseconds)"))
      }
    }
    var run = Simulator(Clock())

    run.advance(by: .milliseconds(3))
    run.call(alice, "w", .remove("a"))

    #expect(
      run.lines(with: "log") == [
        "0 ms  alice  log: 1480000000000000000", "3 ms  alice  log: 1480000000003000000",
      ])
  }
}
