import ClientInterface
import Faults
import ReferenceClient
import Simulator
import Testing
import Tree

@Suite struct StorageFaultTests {
  private func run() -> Simulator {
    var run = Simulator(ReferenceClient(profile: .firebase)) {
      $0.clients[0].persistence = .init()
    }
    run.call(alice, "off", .goOffline)
    #expect(run.settle() == .settled)
    return run
  }

  /// What arrives at the server after a restart of the process.
  private func restarted(_ run: inout Simulator) -> String {
    run.inject(.kill(alice))
    run.inject(.start(alice, .kept))
    #expect(run.settle() == .settled)
    return run.serverTree.description
  }

  @Test func `a write error loses so many records, and the rest is kept`() {
    var run = run()
    run.inject(.writeError(alice, count: 1))
    #expect(!run.faultMarks[0].hasTakenEffect)
    run.set("a", 1)
    run.set("b", 2)

    #expect(
      run.lines(with: "not stored") == ["0 ms  network (alice)  not stored: write/0000000001"])
    #expect(run.faultMarks[0].hasTakenEffect)
    #expect(restarted(&run) == #"{"b":2}"#)
  }

  @Test func `a torn record is discarded`() {
    var run = run()
    run.set("a", 1)
    run.set("b", 2)
    run.inject(.tornRecord(alice))
    #expect(!run.faultMarks[0].hasTakenEffect)

    #expect(restarted(&run) == #"{"a":1}"#)
    #expect(run.faultMarks[0].hasTakenEffect)
    #expect(run.lines(with: "log: what is stored as").count == 1)

    run.inject(.tornRecord(alice))
    #expect(restarted(&run) == #"{"a":1}"#)
    #expect(!run.faultMarks[3].hasTakenEffect)
  }

  @Test func `a full storage takes what fits`() {
    var run = run()
    run.inject(.storageFull(alice, bytes: 50))
    run.set("a", 1)
    #expect(!run.faultMarks[0].hasTakenEffect)
    run.call(alice, "w", .set("b", Node(.string("a text that is rather long, too long"))))
    #expect(run.faultMarks[0].hasTakenEffect)
    run.set("c", 3)

    #expect(restarted(&run) == #"{"a":1,"c":3}"#)
  }

  @Test func `storage can work again`() {
    var run = run()
    run.inject(.storageWorks(alice))
    run.inject(.storageFull(alice, bytes: 0))
    run.inject(.writeError(alice, count: 100))
    run.inject(.tornRecord(alice))
    run.inject(.storageWorks(alice))
    run.set("a", 1)

    #expect(restarted(&run) == #"{"a":1}"#)
    #expect(run.faultMarks.map(\.hasTakenEffect) == [false, false, false, false, true, true, true])
  }

  @Test(arguments: 0..<40)
  func `no half of what is stored harms the next process`(cut: Int) {
    var run = Simulator(ReferenceClient(profile: .wilddog2)) {
      $0.clients[0].persistence = .init()
      $0.data = Node(json: ["a": ["x": 1, "y": "text"]])
    }
    run.call(alice, "l", .listen("L", .init("a", Query(limit: .first(1))), [.value]))
    run.call(alice, "in", .authenticate(token: "token"))
    for number in 0..<cut % 5 { run.set(Path("w\(number)"), 1) }
    run.advance(by: .milliseconds(cut * 3))
    run.inject(.tornRecord(alice))
    run.inject(.kill(alice))
    run.inject(.start(alice, .kept))
    run.call(alice, "m", .listen("M", .init("a"), [.value]))

    #expect(run.settle() == .settled)
    #expect(run.isConnected(alice))
    #expect(run.lines(with: #"raised value {"x":1,"y":"text"}"#).count == 1)
  }
}
