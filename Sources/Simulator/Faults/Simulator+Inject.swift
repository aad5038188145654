extension Simulator {
  /// Lets a fault happen now.
  public mutating func inject(_ fault: Fault) {
    faultMarks.append(FaultMark(fault, trigger: nil))
    fire(faultMarks.count - 1)
  }

  /// Lets a fault happen once, when the trigger matches.
  public mutating func arm(_ fault: Fault, when trigger: Trigger) {
    faultMarks.append(FaultMark(fault, trigger: trigger))
  }

  mutating func fire(_ mark: Int) {
    faultMarks[mark].hasFired = true
    switch faultMarks[mark].fault {
    case let .cut(client): cut(client)
    case let .heal(client): heal(client)
    case let .refuse(client): refuse(client)
    case let .latency(latency, client): setLatency(latency, for: client)
    case let .kill(client): kill(client)
    case let .start(client, condition): start(client, storage: condition)
    case let .deny(rule): deny(rule)
    case let .revoke(path): revoke(path)
    case let .revokeCredential(client): revokeCredential(of: client)
    default: break
    }
  }
}
