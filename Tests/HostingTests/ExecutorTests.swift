import ClientInterface
import Hosting
import Synchronization
import TestKit
import Testing

/// Tasks under the kit's executor.
@Suite struct ExecutorTests {
  private final class Puppet: AsyncHostedSDK {
    let environment: Environment
    let act: @Sendable (Environment) async -> Void

    init(_ environment: Environment, _ act: @escaping @Sendable (Environment) async -> Void) {
      self.environment = environment
      self.act = act
    }

    func perform(_ operation: Operation, as call: CallID) async { await act(environment) }
  }

  private func client(
    seed: UInt64 = 0, _ act: @escaping @Sendable (Environment) async -> Void
  ) -> HostedClient {
    let client = HostedClient(profile: .firebase, async: { Puppet($0, act) })
    _ = client.outputs(.open(.init(seed: seed)))
    return client
  }

  private let call = ClientInput.call("c", .goOnline)

  /// What one call of such an SDK logs.
  private func log(
    seed: UInt64, _ act: @escaping @Sendable (Environment) async -> Void
  ) -> String {
    client(seed: seed, act).outputs(call).map { if case let .log(text) = $0 { text } else { "?" } }
      .joined()
  }

  private static let race: @Sendable (Environment) async -> Void = { environment in
    await withTaskGroup(of: Void.self) { group in
      for name in ["a", "b", "c"] {
        group.addTask {
          environment.log(name)
          await Task.yield()
          environment.log(name)
        }
      }
    }
  }

  @Test func `tasks run in an order that the seed decides`() {
    let orders = Set((UInt64(0)..<200).map { log(seed: $0, Self.race) })

    // Three tasks of two parts each: all 90 orders are possible.
    #expect(orders.count > 60)
    #expect(orders.allSatisfy { $0.count == 6 })
    for seed in UInt64(0)..<20 { #expect(log(seed: seed, Self.race) == log(seed: seed, Self.race)) }
  }

  private actor Plain {
    private var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }

  @Test func `an actor without an executor runs on that of the task`() {
    let text = log(seed: 1) { environment in
      let actor = Plain()
      async let first = actor.next()
      async let second = actor.next()
      environment.log("\(await first + second)")
    }

    #expect(text == "3")
  }

  private actor Named {
    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var count = 0

    init(_ executor: any SerialExecutor) { self.executor = executor }

    /// Begins a task elsewhere, which comes back after a while.
    func leave(_ ends: Ends) {
      Task.detached {
        try? await Task.sleep(for: .milliseconds(20))
        ends.add("returning")
        await self.comeBack(ends)
      }
    }

    private func comeBack(_ ends: Ends) { ends.add("back") }

    /// Begins a task that is not a child, and does not wait for it.
    func begin(_ work: @escaping @Sendable () -> Void) {
      Task {
        self.count += 1
        work()
      }
    }
  }

  @Test func `what an actor begins runs where the actor does`() {
    let text = log(seed: 1) { environment in
      await Named(environment.actorExecutor).begin { environment.log("done") }
    }

    #expect(text == "done")
  }

  @Test func `sleeping takes virtual time`() {
    let client = client { environment in
      try? await Task.sleep(for: .milliseconds(20), clock: environment.clock)
      environment.log("\(environment.clock.now.moment.milliseconds)")
    }

    #expect(client.outputs(call) == [.setTimer(1, after: .milliseconds(20), .other)])
    #expect(client.outputs(.timer(1), at: 20) == [.log("20.0")])
  }

  @Test func `a sleep that is cancelled ends at once`() {
    let client = client { environment in
      let sleeper = environment.task {
        do {
          try await Task.sleep(for: .seconds(9), clock: environment.clock)
        } catch {
          environment.log("\(type(of: error))")
        }
      }
      await Task.yield()
      try? await Task.sleep(for: .milliseconds(1), clock: environment.clock)
      sleeper.cancel()
    }
    var ended: [ClientOutput] = []
    for case let .setTimer(timer, after, _) in client.outputs(call)
    where after == .milliseconds(1) {
      ended += client.outputs(.timer(timer), at: 1)
    }

    #expect(ended.contains(.log("CancellationError")))
  }

  @Test func `the events of a connection are a stream that ends with it`() {
    let client = client { environment in
      let (_, events) = environment.connect()
      for await event in events { environment.log("\(event)") }
      environment.log("over")
    }

    #expect(client.outputs(call) == [.connect])
    #expect(client.outputs(.opened) == [.log("opened")])
    #expect(client.outputs(.closed) == [.log("closed"), .log("over")])
  }

  /// Tasks that wait for something for ever, at the end of their process: those that heed their
  /// cancellation end, and those that do not never run again.
  @Test func `the end of the process ends what waits`() {
    let ends = Ends()
    let client = client { environment in
      environment.task {
        let (_, events) = environment.connect()
        for await _ in events {}
        ends.add("stream")
      }
      environment.task {
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(1), clock: environment.clock)
        }
        ends.add("sleeper")
      }
      while true { try? await Task.sleep(for: .seconds(1), clock: environment.clock) }
    }
    _ = client.outputs(call)

    #expect(client.outputs(.close) == [])
    #expect(ends.names.sorted() == ["sleeper", "stream"])
  }

  private final class Ends: Sendable {
    private let list = Mutex<[String]>([])
    var names: [String] { list.withLock { $0 } }
    func add(_ name: String) { list.withLock { $0.append(name) } }
  }

  /// A real sleep leaves the kit's thread, and comes back whenever it likes.
  @Test func `a task that leaves the executor is told`() async {
    let client = client { environment in try? await Task.sleep(for: .milliseconds(1)) }
    _ = client.outputs(call)
    var reported: [ClientOutput] = []
    var turn = 1000
    _ = await eventually {
      turn += 1
      reported = client.outputs(.timer(TimerID(turn)))
      return !reported.isEmpty
    }

    #expect(
      reported
        == [.log("a task came from a thread that is not the kit's; give it the kit's executor")])
  }

  /// The actor keeps its executor, but nothing keeps the environment that it came from.
  @Test func `what comes back after the client is gone goes nowhere`() async {
    let ends = Ends()
    do {
      let client = client { await Named($0.actorExecutor).leave(ends) }
      _ = client.outputs(call)
    }
    _ = await eventually { !ends.names.isEmpty }
    try? await Task.sleep(for: .milliseconds(20))

    #expect(ends.names == ["returning"])
  }
}
