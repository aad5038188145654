public import ClientInterface
public import Faults
internal import Trace

/// The moment at which a fault happens, and what is to be done in consequence.
package struct FaultMoment {
  let now: Instant
  var effects: [Effect]
}

extension FaultyServer {
  /// Lets a fault happen now. One that has an ``unsupportedReason(to:)`` never happens.
  public mutating func inject(_ fault: IndexedFault, at now: Instant, into effects: inout [Effect])
  {
    watch()
    arriveDue(at: now, into: &effects)
    fireNow(fault, now, &effects)
    arriveDue(at: now, into: &effects)
  }

  mutating func fireNow(_ fault: IndexedFault, _ now: Instant, _ effects: inout [Effect]) {
    at(now, &effects) { $0.inject(fault, &$1) }
  }

  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  public mutating func arm(
    _ fault: IndexedFault, when trigger: Trigger, at now: Instant, into effects: inout [Effect]
  ) {
    watch()
    arriveDue(at: now, into: &effects)
    at(now, &effects) { $0.arm(fault, trigger, &$1) }
    arriveDue(at: now, into: &effects)
  }

  /// Takes back every fault that waits for its trigger.
  public mutating func disarm() { faults.withdrawAll() }

  /// From now on everything that arrives is looked at.
  mutating func watch() { server.isDisturbed = true }

  /// Records that a fault has changed what happened.
  mutating func takeEffect(_ mark: Int?) { faults.takeEffect(mark) }

  /// Lets faults happen at a moment.
  @discardableResult
  mutating func at<Result>(
    _ now: Instant, _ effects: inout [Effect],
    _ body: (inout FaultyServer, inout FaultMoment) -> Result
  ) -> Result {
    var moment = FaultMoment(now: now, effects: effects)
    effects = []
    defer { effects = moment.effects }
    return body(&self, &moment)
  }

  /// Reports that a fault happens.
  func record(_ fault: IndexedFault, into effects: inout [Effect]) {
    effects.append(.fault(fault))
    let client = fault.client
    let own = lines.keys.sorted().last { client == nil || lines[$0]?.client == client?.number }
    server.record(.fault(fault), client == nil ? 0 : own ?? 0, into: &effects)
  }
}
