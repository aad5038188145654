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
  private let runOutcome: RunOutcome
  private var causes = CausalOrder()

  init(_ order: Order, from root: SearchRoot) {
    self.order = order
    var run = root.begin()
    var left = order.choices[...]
    var turningPoints = run.turningPoints
    while true {
      let start = run.eventCount
      let moves = run.moves()
      if run.turningPoints != turningPoints {
        // What concerns everyone is a move as well, with which all others conflict.
        causes.append(run.run.nextMove, start..<run.eventCount)
      }
      turningPoints = run.turningPoints
      if moves.isEmpty { break }
      let choice = moves.count > 1 ? left.popFirst() ?? 0 : 0
      let move = moves[min(choice, moves.count - 1)]
      let first = run.eventCount
      let made = run.perform(move)
      causes.append(made, first..<run.eventCount)
    }
    result = run.run.result
    runOutcome = run.run.runOutcome
  }

  /// What applications see of it.
  var way: EventOrders.EventOrder {
    var appEvents: [EventOrders.ApplicationEvent] = []
    var owners: [Int] = []
    var seen: [EventOrders.ApplicationEvent: Int] = [:]
    for (number, move) in causes.moves.enumerated() {
      for index in move.events {
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
          owners[earlier] == owners[later]
            || causes.moves[owners[later]].before.contains(owners[earlier])
        })
    }
    return EventOrders.EventOrder(
      appEvents: appEvents, before: before, server: runOutcome.server, witness: order)
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
