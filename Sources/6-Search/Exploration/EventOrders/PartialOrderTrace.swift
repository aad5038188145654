internal import ClientInterface
internal import Conformance
public import Trace

/// One order, move by move, with what had to happen before what.
///
/// Two moves keep their order when one of them can read or change what the other does, or when one
/// is the delivery of what the other sent. Whatever happens without anybody choosing, such as the
/// next step, comes after everything before it.
struct PartialOrderTrace {
  private let order: Order
  private let result: ScenarioResult
  private let server: RunOutcome
  /// The acts of the run, each with the events of the trace that it consists of.
  private var acts: [Act] = []

  private struct Act {
    /// `nil` for what happened without a choice.
    var move: Transition?
    var events: Range<Int>
    /// The acts before it that it depends on, however indirectly.
    var before: Set<Int> = []
  }

  init(_ order: Order, from root: SearchRoot) {
    self.order = order
    var run = root.begin()
    var left = order.choices[...]
    var acts: [Act] = []
    while true {
      let start = run.eventCount
      let moves = run.moves()
      if run.eventCount > start { acts.append(Act(move: nil, events: start..<run.eventCount)) }
      if moves.isEmpty { break }
      let choice = moves.count > 1 ? left.popFirst() ?? 0 : 0
      let move = moves[min(choice, moves.count - 1)]
      let first = run.eventCount
      run.perform(move)
      acts.append(Act(move: move, events: first..<run.eventCount))
    }
    result = run.result
    server = run.runOutcome
    self.acts = acts
    relate()
  }

  private mutating func relate() {
    for number in acts.indices {
      var before: Set<Int> = []
      let causes = earliestCauses(of: number)
      for earlier in (0..<number).reversed() where !before.contains(earlier) {
        if causes.contains(earlier) || conflict(earlier, number) {
          before.insert(earlier)
          before.formUnion(acts[earlier].before)
        }
      }
      acts[number].before = before
    }
  }

  private func conflict(_ a: Int, _ b: Int) -> Bool {
    guard let first = acts[a].move, let second = acts[b].move else { return true }
    return first.conflicts(with: second)
  }

  /// The acts in which the causes of an act's events lie.
  private func earliestCauses(of number: Int) -> Set<Int> {
    let act = acts[number]
    var found: Set<Int> = []
    for index in act.events {
      guard let cause = result.trace.events[index].cause, cause < act.events.lowerBound else {
        continue
      }
      if let owner = acts[..<number].lastIndex(where: { $0.events.contains(cause) }) {
        found.insert(owner)
      }
    }
    return found
  }

  /// What applications see of it.
  var way: EventOrders.EventOrder {
    var appEvents: [EventOrders.ApplicationEvent] = []
    var owners: [Int] = []
    var seen: [EventOrders.ApplicationEvent: Int] = [:]
    for (number, act) in acts.enumerated() {
      for index in act.events {
        guard var appEvent = EventOrders.ApplicationEvent(result.trace.events[index]) else {
          continue
        }
        seen[appEvent, default: 0] += 1
        appEvent.occurrence = seen[appEvent, default: 1]
        appEvents.append(appEvent)
        owners.append(number)
      }
    }
    let before = appEvents.indices.map { later in
      Set(
        (0..<later).filter { earlier in
          owners[earlier] == owners[later] || acts[owners[later]].before.contains(owners[earlier])
        })
    }
    return EventOrders.EventOrder(
      appEvents: appEvents, before: before, server: server.server, witness: order)
  }
}

extension EventOrders.ApplicationEvent {
  /// What an application sees of an event; `nil` when that is nothing. Calls that the scenario does
  /// not name are left out, as their success goes without saying.
  public init?(_ event: TraceEvent) {
    guard event.step >= 1, case let .output(client, output) = event.kind else { return nil }
    switch output {
    case let .event(raised):
      self.init(client: client, label: raised.listener.name, .event(raised))
    case let .cancelled(listener, error):
      self.init(client: client, label: listener.name, .cancelled(error))
    case let .completed(call, completion):
      if call.name.hasPrefix("#"), completion.error == nil, completion.committed != false {
        return nil
      }
      self.init(client: client, label: call.name, .ended(completion))
    case let .threw(call, error): self.init(client: client, label: call.name, .threw(error))
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .answered, .updateRan,
      .calling, .returned, .store, .erase, .uncaught, .log:
      return nil
    }
  }
}
