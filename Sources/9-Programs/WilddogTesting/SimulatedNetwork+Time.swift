internal import ClientInterface
internal import Glibc
internal import Hosting
internal import Simulator
internal import Synchronization
public import Testing
internal import Trace

extension SimulatedNetwork {
  /// Lets time pass until nothing is under way, every device that can is connected, and nothing else is
  /// going to happen within two seconds.
  ///
  /// A device without a network need not connect, and keep-alives do not count. A network that does not
  /// settle is an issue that says what it waits for.
  ///
  /// - Parameters:
  ///   - limit: How much virtual time may pass.
  ///   - sourceLocation: Where issues are reported.
  public func settle(
    within limit: Duration = .seconds(600), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    drive("settle()", sourceLocation) {
      let end = simulator.now + Interval(limit)
      while true {
        if happenNow() { continue }
        if hasSettled { break }
        guard happen(until: end) else { return report(unsettled(within: limit)) }
      }
      _ = inside { $0.settle(quiet: Self.quiet, deadline: .zero) }
    }
  }

  /// Lets time pass.
  ///
  /// - Parameters:
  ///   - interval: How much; nothing, for what is due already.
  ///   - sourceLocation: Where issues are reported.
  public func advance(by interval: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
    drive("advance(by:)", sourceLocation) {
      if interval < .zero { return report("time cannot go back by \(Duration.zero - interval)") }
      let end = simulator.now + Interval(interval)
      while happenNow() || happen(until: end) {}
      if simulator.runaway == nil { return inside { $0.advance(by: end - $0.now) } }
      report(unsettled(within: interval))
    }
  }

  /// Does work of the application or of the test when time has passed, like a block of the SDK.
  ///
  /// - Parameters:
  ///   - interval: After how long.
  ///   - work: What is done then.
  public func schedule(after interval: Duration, _ work: @escaping () -> Void) {
    guard let now = asked("schedule", { $0.now }) else { return }
    lastNumber += 1
    agenda.append((now + max(.zero, Interval(interval)), lastNumber, work))
    agenda.sort { ($0.due, $0.number) < ($1.due, $1.number) }
  }

  /// Does what needs no time: blocks, and tasks that do not wait.
  ///
  /// - Returns: Whether there was anything.
  func happenNow() -> Bool {
    guard let block = blocks.popFirst() else { return executor.runOne() }
    depth = block.depth + 1
    block.work()
    depth = 0
    return true
  }

  /// Lets the next thing happen that takes time.
  ///
  /// - Returns: Whether there is one until then.
  func happen(until end: Interval) -> Bool {
    let due = inside { $0.nextDue() }
    if let next = agenda.first, next.due <= end, due.map({ next.due < $0 }) ?? true {
      agenda.removeFirst()
      inside { $0.advance(by: next.due - $0.now) }
      blocks.append((0, next.work))
      return true
    }
    guard let due, due <= end else { return false }
    return inside { $0.runNext() }
  }

  private var hasSettled: Bool {
    let horizon = simulator.now + Self.quiet
    if let next = agenda.first, next.due <= horizon { return false }
    return inside { $0.isSettled(quiet: Self.quiet) }
  }

  func unsettled(within limit: Duration) -> String {
    var reason = (simulator.runaway ?? simulator.unsettledReason(quiet: Self.quiet)).text
    if let next = agenda.first {
      reason += "; scheduled work is due in \((next.due - simulator.now).text)"
    }
    return "the network has not settled within \(limit): \(reason)\n\(trace.rawValue)"
  }

  /// Lets time pass, on this thread alone.
  func drive(_ call: String, _ sourceLocation: SourceLocation, _ work: () -> Void) {
    let own = UInt(pthread_self())
    guard
      driver.compareExchange(expected: 0, desired: own, ordering: .sequentiallyConsistent).exchanged
    else {
      return report(
        "\(call) inside a block or a task, or on another thread, while time passes already; let the"
          + " test alone decide how time passes", at: sourceLocation)
    }
    defer { driver.store(0, ordering: .sequentiallyConsistent) }
    location = sourceLocation
    let escapes = executor.escapes
    defer { reportStrays() }
    executor.duringInput(work)
    if executor.escapes > escapes {
      report(
        "a task came from a thread of its own, so that its turn is open; begin it with wait or task"
      )
    }
  }

  private func reportStrays() {
    let names = strays.withLock { names in
      defer { names = [] }
      return names
    }
    for name in names {
      report(
        "\(name) was called on another thread while time passed, so that its turn is open, and the call"
          + " was dropped; call the SDK on the thread of the test, in its blocks, or in a task of the"
          + " network")
    }
  }
}
