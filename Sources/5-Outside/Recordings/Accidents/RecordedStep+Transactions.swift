internal import ClientInterface
internal import ReferenceClient
internal import Tree
internal import Wire

// Accidents of transactions.
extension RecordedStep {
  /// A second overtaking drops a transaction that is on its way from the queue.
  var forgottenTransactions: [Unreliability] {
    overtakenTwice.map {
      Unreliability(.forgottenTransaction, .known, at: $0.path, while: .transaction($0.call))
    }
  }

  /// The transactions that are on their way and overtaken for the second time.
  var overtakenTwice: [Transaction] {
    let paths = overtakingPaths
    return before.transactions.filter { transaction in
      let count = paths.filter { $0.isRelated(to: transaction.path) }.count
      return switch transaction.state {
      case .waiting, .failed: false
      case .sent: count > 1
      case .overtaken: count > 0
      }
    }
  }

  /// The locations at which this group gives transactions up, one for each time it does.
  private var overtakingPaths: [Path] {
    switch input {
    case let .call(_, operation): overtakingPaths(of: operation)
    case .closed: before.onDisconnectPaths
    default: []
    }
  }

  private func overtakingPaths(of operation: Operation) -> [Path] {
    if operation == .goOffline { return before.onDisconnectPaths }
    guard operation.isPlainWrite, let path = operation.path else { return [] }
    if operation.kind == .setPriority { return [path.appending(.priority)] }
    guard let parts = operation.arguments.changes, profile.updateAborts == .namedChildren else {
      return [path]
    }
    return parts.map { path.appending($0.path) }
  }

  /// The watch of a running transaction is a registration like others to Wilddog and
  /// Firebase alike, and goes when all at the location do.
  var removedWatches: [Unreliability] {
    guard case let .call(_, .unlistenAll(target)) = input else { return [] }
    return before.transactions.filter { $0.path == target.path }.map {
      Unreliability(.removedWatch, .known, at: $0.path, while: .transaction($0.call))
    }
  }

  /// Wilddog leaves out of what a rerun sees the results of all transactions of the queue, also of
  /// those that are not run again. Where the function makes the same of both, that is all.
  var sentLeftOut: [Unreliability] {
    guard isWilddog else { return [] }
    let all = before.transactions + after.transactions
    return before.transactions.compactMap { transaction in
      let seen = recorded.inputs(of: transaction.call)
      let due = right.inputs(of: transaction.call)
      let isBeside = all.contains {
        $0.state.isOnTheWire && $0.call != transaction.call
          && $0.path.isRelated(to: transaction.path)
      }
      guard seen != due, !due.isEmpty, isBeside else { return nil }
      let run = transaction.function
      // Of its input a result has also the priority, which the function does not see.
      let call: Set<OutputSubject> = [.call(transaction.call.name)]
      let isHarmless =
        seen.map { run($0) } == due.map { run($0) }
        && recorded.without(call) == right.without(call)
      return isHarmless
        ? Unreliability(.sentLeftOut, .call(transaction.call), at: transaction.path)
        : Unreliability(
          .sentLeftOut, .known, at: transaction.path, while: .transaction(transaction.call))
    }
  }
}

extension Transaction.State {
  fileprivate var isOnTheWire: Bool {
    switch self {
    case .sent, .overtaken: true
    case .waiting, .failed: false
    }
  }
}

extension Outputs {
  /// What the function of a transaction was called with.
  fileprivate func inputs(of call: CallID) -> [JSON] {
    received.compactMap { output in
      guard let run = output["updateRan"], run["call"] == .string(call.name) else { return nil }
      return run["input"]
    }
  }
}

// Accidents that change nothing but an order.
extension RecordedStep {
  /// The accident that makes `recorded` of `right`, if both are the same but for their order, and
  /// the order inside every listener and of every call is the same as well.
  func permutation(from right: Outputs, to recorded: Outputs) -> Accident? {
    if right.received == recorded.received {
      // The queues of transactions are kept by location, in a container with an order of its
      // own.
      let isSame = right.sent.isPermutation(of: recorded.sent)
      let moved = zip(right.sent, recorded.sent).filter { $0 != $1 }.map(\.0)
      return isSame && moved.allSatisfy { $0["b"]?["h"] != nil } ? .queuesOutOfOrder : nil
    }
    guard right.sent == recorded.sent, overtakesTransactions,
      right.received.isPermutation(of: recorded.received)
    else { return nil }
    let subjects = Set(right.received.map { OutputSubject(received: $0) })
    let isSameInside = subjects.allSatisfy { subject in
      right.received.filter { OutputSubject(received: $0) == subject }
        == recorded.received.filter { OutputSubject(received: $0) == subject }
    }
    return isSameInside ? .watchRaisesFirst : nil
  }

  /// A call of this group overtook transactions, whatever state they were in.
  private var overtakesTransactions: Bool {
    let paths = overtakingPaths
    return before.transactions.contains { transaction in
      paths.contains { $0.isRelated(to: transaction.path) }
    }
  }
}

extension [JSON] {
  fileprivate func isPermutation(of other: [JSON]) -> Bool {
    func counts(_ list: [JSON]) -> [JSON: Int] {
      list.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    return count == other.count && counts(self) == counts(other)
  }
}
