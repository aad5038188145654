internal import RunModel
internal import Tree

/// What the server has with the pending writes of a client on top, where these are many.
///
/// To lay all of them with each event would take as long as there are pairs of them. Most often nothing
/// has happened since the last event but that more were made: these are laid over what there was.
struct LaidWrites {
  /// From how many pending writes on it is worked out.
  static let usefulCount = 16

  private var tree: Node?
  /// The turn in which it was worked out.
  private var turn = -1
  /// How many writes are in it, and how many calls had been made.
  private var (count, position) = (0, 0)
  /// How many calls had ended, and how many states the server had had; no number of calls where it has
  /// some that ended in the turn, which may be shown until that is over.
  private var (endCount, stateCount) = (-1, 0)

  /// What the server has with the writes on top; `nil` where that is not known in a turn.
  func tree(in turn: Int) -> Node? { self.turn == turn ? tree : nil }

  /// Whether those are in it that have no end, and no others.
  func holdsAll(_ pending: [PlainWrite]) -> Bool { count == pending.count }

  /// Lays the writes over the newest state that may be shown in a turn.
  ///
  /// It is not known what comes of it where the server fills something in for one of them.
  mutating func follow(
    _ calls: UnsafePointer<Calls>, over server: UnsafePointer<ServerModel>, in turn: Int
  ) {
    self.turn = turn
    let isContinued =
      endCount == calls.pointee.endCount && stateCount == server.pointee.states.count
    if isContinued {
      for call in calls.pointee.requested[position...] { lay(call.write) }
    } else {
      let layers = calls.pointee.layers(over: .root)
      let isKnown = !(layers?.contains { $0.write.hasServerValues } ?? true)
      (tree, count) = (isKnown ? server.pointee.tree : nil, 0)
      endCount = calls.pointee.endsInTurn ? -1 : calls.pointee.endCount
      stateCount = server.pointee.states.count
      for layer in layers ?? [] { lay(layer.write) }
    }
    position = calls.pointee.requested.count
  }

  /// Lays one more on top; `nil` stands for a transaction.
  private mutating func lay(_ write: PlainWrite?) {
    guard let below = tree, let write, !write.hasServerValues else { return tree = nil }
    tree = write.sets.applied(to: below, at: .root)
    count += 1
  }
}
