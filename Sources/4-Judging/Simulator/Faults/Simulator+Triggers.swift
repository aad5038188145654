internal import ClientInterface
public import Faults
internal import Trace
internal import Wire

extension Simulator {
  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  public mutating func arm(_ fault: IndexedFault, when trigger: Trigger) {
    faultMarks.append(FaultMark(fault, trigger: trigger))
    let mark = faultMarks.count - 1
    let event = note(.fault("armed: \(fault.text)", fault.client), cause: nil)
    arm(ArmedFault(mark: mark, trigger: trigger), cause: event)
  }

  /// Takes back every fault that waits for its trigger: the time of faults is over.
  public mutating func disarm() { armed = [] }

  mutating func arm(_ element: ArmedFault, cause: Int) {
    var element = element
    if case let .after(interval) = element.trigger {
      let due = now + max(.zero, interval)
      element.due = due
      schedule(
        ScheduledEvent(due: due, cause: cause, client: -1, kind: .fault(Int32(element.mark))))
    }
    armed.append(element)
  }

  /// The time for which a fault waited has come.
  mutating func fireArmed(mark: Int, cause: Int) {
    guard let index = armed.firstIndex(where: { $0.mark == mark }) else { return }
    fire(armed.remove(at: index), cause: cause)
  }

  /// Delivers something while faults wait for what is delivered.
  mutating func carryOutObserved(_ next: ScheduledEvent) {
    guard let messageDelivery = messageDelivery(of: next) else { return carryOut(next) }
    fireArmed(at: messageDelivery, .before)
    guard isStillValid(next), self.messageDelivery(of: next) != nil else { return }
    if isStalled(next) { return hold(next) }
    carryOut(next)
    fireArmed(at: messageDelivery, .after)
  }

  private mutating func fireArmed(at messageDelivery: MessageDelivery, _ edge: Trigger.Edge) {
    for element in armed.take(at: messageDelivery, edge) {
      fire(element, cause: messageDelivery.cause)
    }
  }

  private mutating func fire(_ element: ArmedFault, cause: Int) {
    let origin = Origin(mark: element.mark, cause: cause)
    guard element.isSecondPart, let client = faultMarks[element.mark].fault.client else {
      return fire(origin)
    }
    drop(client.number, origin)
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
