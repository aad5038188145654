public import ClientInterface
public import Faults
internal import ReferenceServer
internal import Trace

extension FaultyServer {
  /// Lets a fault happen now. One that has an ``unsupportedReason(to:)`` never happens.
  public mutating func inject(_ fault: IndexedFault, at now: Instant, into effects: inout [Effect])
  {
    watch()
    arriveDue(at: now, into: &effects)
    fireNow(fault, now, &effects)
    arriveDue(at: now, into: &effects)
  }

  /// - Returns: The position of its mark.
  @discardableResult
  mutating func fireNow(_ fault: IndexedFault, _ now: Instant, _ effects: inout [Effect]) -> Int {
    marks.append(FaultMark(fault, trigger: nil))
    let mark = marks.count - 1
    fire(mark, now, &effects)
    return mark
  }

  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  public mutating func arm(
    _ fault: IndexedFault, when trigger: Trigger, at now: Instant, into effects: inout [Effect]
  ) {
    watch()
    arriveDue(at: now, into: &effects)
    arm(fault, trigger, now)
    arriveDue(at: now, into: &effects)
  }

  /// - Returns: The position of its mark.
  @discardableResult
  mutating func arm(_ fault: IndexedFault, _ trigger: Trigger, _ now: Instant) -> Int {
    marks.append(FaultMark(fault, trigger: trigger))
    let mark = marks.count - 1
    arm(ArmedFault(mark: mark, trigger: trigger), now)
    return mark
  }

  private mutating func arm(_ element: ArmedFault, _ now: Instant) {
    armed.append(element)
    if case let .after(interval) = element.trigger {
      schedule(.fault(element.mark), of: nil, at: now + max(.zero, interval))
    }
  }

  /// Takes back every fault that waits for its trigger.
  public mutating func disarm() {
    for element in armed { disarm(element.mark) }
  }

  /// Takes back one fault that waits.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  mutating func disarm(_ mark: Int) -> Bool {
    guard armed.contains(where: { $0.mark == mark }) else { return false }
    armed.removeAll { $0.mark == mark }
    disarmed.insert(mark)
    return true
  }

  /// From now on everything that arrives is looked at.
  mutating func watch() { server.isDisturbed = true }

  /// Notes that a fault has changed what happened.
  mutating func takeEffect(_ mark: Int?) {
    if let mark { marks[mark].hasTakenEffect = true }
  }

  /// The time for which an armed fault waited has come.
  mutating func fireArmed(mark: Int, _ now: Instant, _ effects: inout [Effect]) {
    guard let index = armed.firstIndex(where: { $0.mark == mark }) else { return }
    fire(armed.remove(at: index), now, &effects)
  }

  mutating func fireArmed(
    at messageDelivery: MessageDelivery, _ edge: Trigger.Edge, _ now: Instant,
    _ effects: inout [Effect]
  ) {
    for element in armed.take(at: messageDelivery, edge) { fire(element, now, &effects) }
  }

  private mutating func fire(_ element: ArmedFault, _ now: Instant, _ effects: inout [Effect]) {
    if element.isSecondPart, let client = marks[element.mark].fault.client {
      return drop(client.number, element.mark, now, &effects)
    }
    fire(element.mark, now, &effects)
    guard let left = repeats[element.mark], left > 0 else { return }
    let mark = arm(marks[element.mark].fault, element.trigger, now)
    repeats[mark] = left - 1
  }

  private mutating func fire(_ mark: Int, _ now: Instant, _ effects: inout [Effect]) {
    let fault = marks[mark].fault
    if Self.unsupportedReason(to: fault) != nil { return }
    if let client = fault.client, !networkStates.indices.contains(client.number) { return }
    marks[mark].hasFired = true
    switch fault {
    case let .closeAfter(client, count, flow):
      note(fault.text, client, into: &effects)
      arm(ArmedFault(mark: mark, trigger: .count(count, client, flow), isSecondPart: true), now)
    case let .loseAcknowledgement(client):
      note(fault.text, client, into: &effects)
      let trigger = Trigger.message(.acknowledgement, of: client, .before)
      arm(ArmedFault(mark: mark, trigger: trigger, isSecondPart: true), now)
    case .serverClock, .reject, .revoke, .revokeAuth, .stale, .restart, .write:
      fireAtServer(fault, mark, now, &effects)
    default: fireAtConnection(fault, mark, now, &effects)
    }
  }

  /// Tells that a fault happens.
  func note(_ text: String, _ client: ClientIndex?, into effects: inout [Effect]) {
    effects.append(.fault(text, client))
    let own = lines.keys.sorted().last { client == nil || lines[$0]?.client == client?.number }
    server.record(.fault(text), client == nil ? 0 : own ?? 0, into: &effects)
  }
}
