package import ClientInterface
public import Faults
internal import Trace
internal import Wire

extension Simulator {
  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  public mutating func arm(_ fault: IndexedFault, when trigger: Trigger) {
    faultCause = FaultCause()
    armNow(fault, trigger)
  }

  /// Takes back every fault that waits for its trigger: the time of faults is over.
  public mutating func disarm() { faults.withdrawAll() }

  package mutating func announceArming(of fault: IndexedFault) {
    faultCause.event = record(.fault(.armed(fault)), cause: nil)
  }

  package mutating func schedule(_ mark: Int, after interval: Interval) -> Interval? {
    guard let event = faultCause.event else { return nil }
    let due = now + interval
    schedule(ScheduledEvent(due: due, cause: event, client: -1, kind: .fault(Int32(mark))))
    return due
  }

  /// The time for which a fault waited has come.
  mutating func fireArmed(mark: Int, cause: Int) {
    faultCause = FaultCause(origin: cause)
    fireArmed(mark)
  }

  /// Delivers something while faults wait for what is delivered.
  mutating func carryOutObserved(_ next: ScheduledEvent) {
    guard let messageDelivery = messageDelivery(of: next) else { return carryOut(next) }
    faultCause = FaultCause()
    fireArmed(at: messageDelivery, .before)
    guard isStillValid(next), self.messageDelivery(of: next) != nil else { return }
    if isStalled(next) { return hold(next) }
    carryOut(next)
    fireArmed(at: messageDelivery, .after)
  }

  /// The message that is delivered next, if it is one.
  private func messageDelivery(of next: ScheduledEvent) -> MessageDelivery? {
    let client = ClientIndex(Int(next.client))
    switch next.kind {
    case let .toServer(number):
      guard let position = connections.index(of: Int(number)),
        let message = connections[position].toServer.first
      else { return nil }
      return MessageDelivery(
        client: client, message: .toServer(message), cause: next.cause, answered: nil)
    case let .toClient(number):
      guard let position = connections.index(of: Int(number)),
        let message = connections[position].toClient.first
      else { return nil }
      var answered: Request.Action?
      if case let .response(response) = message {
        answered = connections[position].asked[response.request]
      }
      return MessageDelivery(
        client: client, message: .toClient(message), cause: next.cause, answered: answered)
    case .attempt, .leave, .timer, .fault: return nil
    }
  }
}
