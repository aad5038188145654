internal import ClientInterface
public import Faults
internal import ReferenceServer
internal import Trace
internal import Tree

extension Simulator {
  /// Lets a fault happen now.
  public mutating func inject(_ fault: IndexedFault) {
    faultMarks.append(FaultMark(fault, trigger: nil))
    fire(Origin(mark: faultMarks.count - 1, cause: nil))
  }

  /// Notes that a fault has changed what happened.
  mutating func takeEffect(_ mark: Int?) {
    if let mark { faultMarks[mark].hasTakenEffect = true }
  }

  mutating func fire(_ origin: Origin) {
    guard let mark = origin.mark else { return }
    faultMarks[mark].hasFired = true
    let fault = faultMarks[mark].fault
    switch fault {
    case let .cut(client): cut(client.number, origin)
    case let .drop(client): drop(client.number, origin)
    case let .heal(client): heal(client.number, origin)
    case let .refuse(client): refuse(client.number, origin)
    case let .latency(latency, client): setLatency(latency, for: client, origin)
    case let .halfOpen(client, side): halfOpen(client.number, side, origin)
    case let .stall(client, flow): stall(client.number, flow, origin)
    case let .resume(client, flow): resume(client.number, flow, origin)
    case let .closeAfter(client, count, flow):
      armSecondPart(fault, .count(count, client, flow), origin)
    case let .loseAcknowledgement(client):
      armSecondPart(fault, .message(.acknowledgement, of: client, .before), origin)
    case let .lateClose(client, interval): closeLate(client.number, after: interval, origin)
    case let .redirect(client, host):
      for index in indices(of: client) { redirect(index, to: host, origin) }
    case let .shutdown(client, reason):
      for index in indices(of: client) { shutDown(index, reason, origin) }
    case let .kill(client): kill(client.number, origin)
    case let .start(client, condition): start(client.number, condition, origin)
    case let .skew(client, _), let .drift(client, _), let .jump(client, _):
      moveClock(fault, of: client.number, origin)
    case let .writeError(client, _), let .storageFull(client, _), let .tornRecord(client),
      let .storageWorks(client):
      corruptStorage(fault, of: client.number, origin)
    case .serverClock, .reject, .revoke, .revokeAuth, .stale, .restart:
      fireAtServer(fault, origin)
    case let .write(write): serverWrite(ReferenceServer.Write(write), origin)
    }
  }

  /// The client with this index, or every client.
  func indices(of client: ClientIndex?) -> Range<Int> {
    client.map { $0.number..<$0.number + 1 } ?? participants.indices
  }

  /// Waits for what the fault is really about.
  private mutating func armSecondPart(_ fault: IndexedFault, _ trigger: Trigger, _ origin: Origin) {
    guard let mark = origin.mark else { return }
    let event = note(.fault(fault.text, fault.client), cause: origin.cause)
    arm(ArmedFault(mark: mark, trigger: trigger, isSecondPart: true), cause: event)
  }

  private mutating func corruptStorage(_ fault: IndexedFault, of index: Int, _ origin: Origin) {
    note(.fault(fault.text, ClientIndex(index)), cause: origin.cause)
    switch fault {
    case let .writeError(_, count):
      participants[index].process.disk.fail(count, mark: origin.mark)
    case let .storageFull(_, bytes):
      participants[index].process.disk.fill(at: bytes, mark: origin.mark)
    case .tornRecord: participants[index].process.disk.tearLast(mark: origin.mark)
    case .storageWorks: if participants[index].process.disk.work() { takeEffect(origin.mark) }
    default: break
    }
  }
}
