internal import ClientInterface
public import Faults
internal import Trace

/// Where a fault comes from, by events of the trace.
package struct FaultCause {
  /// The event that set it off; `nil` for a step.
  var origin: Int?
  /// The event that reports it, which causes what it does.
  var event: Int?
}

extension Simulator: FaultCarrier {
  /// What became of each fault, in the order in which they were injected or armed.
  public var faultMarks: [FaultMark] { faults.marks }

  package var clientIndices: Range<Int> { participants.indices }

  package func network(of client: Int) -> ClientNetwork { participants[client].network }

  package mutating func changeNetwork(
    of client: Int, _ change: (inout ClientNetwork) -> Void
  ) {
    change(&participants[client].network)
    hasStalled = hasStalled || !participants[client].network.stalls.isEmpty
  }

  package mutating func setLatencyOfNewClients(_ latency: Latency) {}

  package func canHappen(_ fault: IndexedFault) -> Bool { true }

  package mutating func setCause(_ event: Int) { faultCause.origin = event }

  /// Lets a fault happen now.
  public mutating func inject(_ fault: IndexedFault) {
    faultCause = FaultCause()
    injectNow(fault)
  }

  package func parts(of fault: IndexedFault) -> [IndexedFault] {
    fault.forEveryone(in: participants.indices)
  }

  package mutating func announce(_ fault: IndexedFault) {
    let kind = fault.kind
    // The trace has an event of their own.
    if kind == .kill || kind == .start || kind == .write { return }
    var incident = Incident.fault(fault)
    if case let .revokeAuth(client) = fault {
      incident = .credentialRevoked(client, name: names[client.number])
    }
    faultCause.event = record(.fault(incident), cause: faultCause.origin)
  }

  package mutating func disturbMachine(_ fault: IndexedFault, mark: Int?) {
    guard let index = fault.client?.number else { return }
    switch fault {
    case .kill: kill(index, mark, cause: faultCause.origin)
    case let .start(_, condition): start(index, condition, mark, cause: faultCause.origin)
    case let .skew(_, interval):
      moveClock(of: index, mark, isRight: interval == .zero) { $0.setDeviation(interval, at: $1) }
    case let .drift(_, drift):
      moveClock(of: index, mark, isRight: drift == .none) { $0.setDrift(drift, at: $1) }
    case let .jump(_, interval):
      moveClock(of: index, mark, isRight: false) { $0.jump(by: interval, at: $1) }
    case let .writeError(_, count): participants[index].process.disk.fail(count, mark: mark)
    case let .storageFull(_, bytes): participants[index].process.disk.fill(at: bytes, mark: mark)
    case .tornRecord: participants[index].process.disk.tearLast(mark: mark)
    case .storageWorks: faults.takeEffect(mark, if: participants[index].process.disk.work())
    // The others are of the network or the server.
    default: break
    }
  }
}
