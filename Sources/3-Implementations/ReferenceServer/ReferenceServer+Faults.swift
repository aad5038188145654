public import ClientInterface
public import Faults
internal import Tree
internal import Wire

extension ReferenceServer {
  /// Refuses the next so many conditional writes as stale, whatever their hash.
  public mutating func refuseAsStale(next count: Int, _ data: StaleData) {
    staleRefusals = (count, data)
  }

  /// How many conditional writes will be refused as stale.
  public var staleRefusalsLeft: Int { staleRefusals.left }

  /// Uses up one of the refusals, if any is left.
  ///
  /// - Returns: Whether the write at `path` is to be refused.
  mutating func takeStaleRefusal(at path: Path, for index: Int, into out: inout [Outgoing]) -> Bool
  {
    guard staleRefusals.left > 0 else { return false }
    staleRefusals.left -= 1
    if staleRefusals.data == .sent {
      let change = TreeChange(
        .put(path, tree[path]), from: hasForms ? tree : nil, to: tree)
      connections[index].announce(change, defect, into: &out)
    }
    return true
  }

  /// Forgets all connections, as when the server has started again: the tree stays, and what the
  /// connections left for their end is done as far as `fate` says.
  public mutating func restart(
    _ fate: OnDisconnectFate, at now: Instant, into out: inout [Outgoing]
  ) {
    let ended = connections
    connections = []
    listenIndex = nil
    guard fate == .done else { return }
    for session in ended {
      for write in onDisconnects(of: session) { apply(write, at: now, into: &out) }
    }
  }

  /// Whether the end of a connection writes the time.
  public func leavesTimestamp(_ connection: ConnectionID) -> Bool {
    resources(of: connection).onDisconnects.contains { write in
      switch write {
      case let .put(_, node): node.holdsTimestamp
      case let .merge(_, assignments): assignments.contains { $0.node.holdsTimestamp }
      }
    }
  }
}
