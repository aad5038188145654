import ClientInterface
import Faults
import Simulator
import TestKit
import Testing
import Trace
import Tree
import Wire

@Suite struct OpenOrderTests {
  /// Two connected clients with a write each on its way, alice's a little earlier.
  private func run() -> Simulator {
    var run = Simulator(Puppet(), Puppet())
    #expect(run.settle() == .settled)
    run.openOrder()
    run.set("a", 1, by: alice)
    run.set("b", 2, by: alice)
    run.set("c", 3, by: bob)
    return run
  }

  private func words(_ run: Simulator) -> [String] {
    run.deliveries().compactMap { delivery in
      run.event(of: delivery).map { "\($0.route(names: run.names))  \($0.text)" }
    }
  }

  @Test func `only what each link carries in front can happen, the earliest first`() {
    #expect(
      words(run()) == [
        "server <- alice  put /a 1   request 1",
        "server <- bob  put /c 3   request 1",
      ])
  }

  @Test func `what can happen stays possible when something else happens`() {
    var run = run()
    let deliveries = run.deliveries()

    run.perform(deliveries[1])

    #expect(run.deliveries().map(\.link).contains(deliveries[0].link))
    #expect(words(run).contains("bob <- server  answer ok   request 1"))
  }

  @Test func `two things that do not conflict leave the same in either order, times included`()
    throws
  {
    var run = run()
    for _ in 0..<3 { run.perform(run.deliveries()[0]) }
    let arrivals = run.deliveries().filter { $0.reach.touchesClient }
    var first = run
    var second = run

    for arrival in arrivals { first.perform(arrival) }
    for arrival in arrivals.reversed() { second.perform(arrival) }

    try #require(arrivals.count == 2)
    #expect(!arrivals[0].reach.conflicts(with: arrivals[1].reach))
    func arrived(_ run: Simulator) -> [String] { run.lines(with: "answer ok").sorted() }
    #expect(arrived(first) == arrived(second))
    first.meet()
    second.meet()
    #expect(first.now == second.now)
  }

  @Test(arguments: [("c", "70 ms"), ("c/x", "70 ms"), ("d", "30 ms")] as [(Path, String)])
  func `what is late makes what depends on it late`(path: Path, time: String) {
    var run = run()
    run.inject(.latency(.fixed(.milliseconds(50)), alice))
    run.set(path, 4, by: alice)
    for client in [0, 0, 0, 1] {
      let next = run.deliveries().first { $0.reach.client == client && !$0.reach.touchesClient }
      if let next { run.perform(next) }
    }

    #expect(
      run.lines(with: "server <- bob  put") == ["\(time)  server <- bob  put /c 3   request 1"])
  }

  @Test func `timers fire when nothing is under way`() {
    var run = Simulator(Puppet(opening: [.connect, .setTimer(1, after: .milliseconds(1), .other)]))
    run.openOrder()
    while let next = run.deliveries().first { run.perform(next) }
    #expect(run.lines(with: "is due") == [])

    #expect(run.settleFurther(quiet: .seconds(2), until: .seconds(600)) == nil)
    #expect(run.settleFurther(quiet: .seconds(2), until: .seconds(600)) == .settled)

    #expect(run.lines(with: "is due") == ["20 ms  alice  timer 1 is due"])
  }

  @Test func `until a moment only that can happen which is due by then`() {
    var run = run()

    #expect(run.deliveries(until: .milliseconds(25)).isEmpty)
    #expect(run.deliveries(until: .milliseconds(30)).count == 2)
    let fires = run.advanceFurther(to: .milliseconds(25))
    #expect(!fires)
    #expect(run.now == .milliseconds(25))
  }

  @Test func `messages without end end the run`() {
    let put = ClientOutput.send(.request(9, .put("a", Node(1), hash: nil)))
    var run = Simulator(Puppet(onFrame: [put]))
    _ = run.settle()
    run.openOrder()
    run.set("a", 1)

    while let next = run.deliveries().first { run.perform(next) }

    let reason =
      "10000 messages and timers came without rest; a message from alice to the server comes next"
    #expect(run.runaway?.text == reason)
    #expect(
      run.settleFurther(quiet: .seconds(2), until: .seconds(600))?.reason == reason)
  }

  @Test func `a timer without end ends the run`() {
    let again = ClientOutput.setTimer(1, after: .zero, .other)
    var run = Simulator(Puppet(opening: [again], onTimer: [again]))
    run.openOrder()

    while run.advanceFurther(to: .seconds(1)) {}

    #expect(
      run.runaway?.text
        == "10000 messages and timers came without rest; timer 1 of alice comes next")
  }
}
