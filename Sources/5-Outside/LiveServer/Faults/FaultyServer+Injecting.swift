internal import ClientInterface
public import Faults
internal import Trace

extension FaultyServer {
  /// Lets a fault happen now. One that has an ``unsupportedReason(to:)`` never happens.
  public mutating func inject(_ fault: IndexedFault) {
    watch()
    arriveDue()
    injectNow(fault)
    arriveDue()
  }

  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  public mutating func arm(_ fault: IndexedFault, when trigger: Trigger) {
    watch()
    arriveDue()
    armNow(fault, trigger)
    arriveDue()
  }

  /// Takes back every fault that waits for its trigger.
  public mutating func disarm() { faults.withdrawAll() }

  /// From now on everything that arrives is looked at.
  mutating func watch() { server.isDisturbed = true }

  /// Reports that a fault happens.
  mutating func record(_ fault: IndexedFault) {
    server.effects.append(.fault(fault))
    let client = fault.client
    let own = lines.keys.sorted().last { client == nil || lines[$0]?.client == client?.number }
    server.record(.fault(fault), client == nil ? 0 : own ?? 0)
  }
}
