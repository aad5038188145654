internal import RunModel
internal import Wire

/// Watches one connection and reports on it, up to a limit.
struct ConnectionMonitor: Sendable {
  /// How many findings of one connection are reported, and how many notes.
  static let maxCount = 20

  var monitor: WireMonitor
  private var reported = 0
  private var findingCount = 0

  /// Begins with a connection that is up.
  init(_ dialect: Dialect) {
    monitor = WireMonitor(dialect, seenBy: .server)
    monitor.opened()
  }

  /// What is reported of findings. After the last one, the operator of the server is notified that
  /// there are more.
  mutating func effects(of findings: [WireFinding], _ connection: Int) -> [Effect] {
    var effects: [Effect] = []
    for finding in findings {
      if finding.isNote {
        findingCount += 1
        if findingCount <= Self.maxCount { effects.append(.found(finding, connection: connection)) }
        continue
      }
      reported += 1
      if reported <= Self.maxCount {
        effects.append(.found(finding, connection: connection))
      } else if reported == Self.maxCount + 1 {
        effects.append(
          .reportProblem("more findings follow and are not shown", connection: connection))
      }
    }
    return effects
  }
}

extension LiveServer {
  /// Whose connection this is, if that is known; of those that are over, the one about which
  /// something was found last.
  public func client(of connection: Int) -> String? {
    if let link = links[connection] { return link.client }
    return lastFound?.connection == connection ? lastFound?.client : nil
  }

  /// Begins to watch a connection.
  mutating func beginWatch(_ number: Int) {
    guard let link = links[number] else { return }
    watches[number] = ConnectionMonitor(link.dialect)
    guard let client = link.client else { return }
    let others = watches.keys.filter { other in
      guard other != number, other != link.previous, let open = links[other] else { return false }
      return open.client == client && open.namespace == link.namespace && !open.isDead
    }
    guard let other = others.min() else { return }
    watch(number) { $0.judgeSecond(besides: other) }
  }

  /// Has what is sent on a connection judged.
  mutating func watch(_ number: Int, _ body: (inout WireMonitor) -> [WireFinding]) {
    guard let index = watches.index(forKey: number) else { return }
    let findings = body(&watches.values[index].monitor)
    if findings.isEmpty { return }
    lastFound = links[number].map { (number, $0.client) }
    effects += watches.values[index].effects(of: findings, number)
  }
}
