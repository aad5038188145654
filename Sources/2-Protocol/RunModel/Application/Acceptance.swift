internal import ClientInterface
package import Tree
package import Wire

/// A write that the server accepts, compared with what applications requested.
package struct Acceptance {
  /// The calls that certainly take effect by it, for the first time.
  package internal(set) var effects: [Effect] = []
  /// What it is where no call without an end asked for it.
  package internal(set) var stray: Stray?
  /// For a put of transactions that have not taken effect: those, and the combinations of them that
  /// explain it.
  package internal(set) var put: Explained?

  /// A call that takes effect.
  package struct Effect {
    package let call: RequestedCall
    /// A call that was requested later and took effect before.
    package let overtaking: RequestedCall?
  }

  package enum Stray {
    /// The same came over the same connection before, and the call has not ended.
    case twice(RequestedCall)
    case afterEnd(RequestedCall)
    case transactionAgain(RequestedCall)
    case unrequested
    /// It is unknown.
    case unclear
  }

  /// A put of transactions.
  package struct Explained {
    package let put: TransactionPut
    /// The transactions that have not certainly taken effect before.
    package let carried: TransactionPut.Carried
    /// `nil` where it is not known what the server had.
    package let explanations: [TransactionPut.Carried]?
  }
}

extension Calls {
  /// Takes a write that the server accepts, over the `tree` that it has before; `nil` where that is not
  /// certain. `isOfOneConnection` states whether it is known which connection brought it.
  package mutating func accept(
    _ request: Request, _ number: Int, over tree: Node?, _ arrays: ArrayReading,
    isOfOneConnection: Bool
  ) -> Acceptance {
    var acceptance = Acceptance()
    let connection = isOfOneConnection ? self.connection : nil
    if request.isPlainWrite {
      acceptPlainWrite(request, number, connection, &acceptance)
    } else if case let .put(path, node, _?) = request, let put = puts[number], put.path == path,
      put.node == node
    {
      accept(put, over: tree, arrays, connection, &acceptance)
    }
    return acceptance
  }

  private mutating func acceptPlainWrite(
    _ request: Request, _ number: Int, _ connection: Int?, _ acceptance: inout Acceptance
  ) {
    let same = open.filter { isOpenWrite($0, carriedBy: request) }
    let next =
      same.first { $0 >= accepted } ?? same.first { requested[$0].acceptance != .certain }
    guard let next else {
      acceptance.stray = stray(request, number, open: same.last, connection)
      return
    }
    accepted = max(accepted, next + 1)
    doubt(request, besides: next)
    doubt(same, besides: next)
    // What was accepted comes again after a connection broke: the client cannot know.
    if requested[next].acceptance != .certain {
      acceptance.effects.append(takeEffect(next, connection))
    }
  }

  /// A plain write that is not the next one: it was done before, or was not asked for. `open` is
  /// the last call without an end that asked for the same.
  private func stray(
    _ request: Request, _ number: Int, open: Int?, _ connection: Int?
  ) -> Acceptance.Stray {
    // Of two connections at a time it is unknown which one brought it.
    if let open { return connection == nil ? .unclear : .twice(requested[open]) }
    let repeated = requested.last {
      $0.hasEnded && $0.write?.isCarried(by: request) ?? false
    }
    guard let repeated else { return isEmptyPush(request) ? .unclear : .unrequested }
    guard wasSentAfterEnd(number), !hasStorageFailed else { return .unclear }
    return .afterEnd(repeated)
  }

  /// The server has accepted a plain write of an earlier process, or one that is in doubt itself: it
  /// may as well have been the next one of this process that asked for the same.
  private mutating func doubt(_ request: Request, besides index: Int) {
    guard index < firstOwn || requested[index].acceptance == .possible else { return }
    let own = requested.indices[firstOwn...].first {
      $0 != index && requested[$0].acceptance == .none && isOpenWrite($0, carriedBy: request)
    }
    if let own { requested[own].acceptance = .possible }
  }

  /// Of equal writes that wait at the same time each may be the one that the server accepted: another
  /// may have been refused, or accepted over a connection that is gone. Where the server fills
  /// something in, each counts.
  private mutating func doubt(_ equal: [Int], besides next: Int) {
    if requested[next].write?.hasServerValues ?? false { return }
    for index in equal where index != next && requested[index].acceptance == .none {
      requested[index].acceptance = .possible
    }
  }

  private mutating func accept(
    _ put: TransactionPut, over tree: Node?, _ arrays: ArrayReading, _ connection: Int?,
    _ acceptance: inout Acceptance
  ) {
    let carried = put.carried.filter { requested[$0.index].acceptance != .certain }
    if carried.isEmpty {
      // The result of a transaction that has ended, or of none.
      let repeated = requested.last { $0.isTransaction && $0.path.starts(with: put.path) }
      acceptance.stray = repeated.map { .transactionAgain($0) } ?? .unrequested
      return
    }
    let explanations = tree.map { tree in
      TransactionPut.combinations(of: carried).filter {
        result(of: $0, on: tree[put.path], at: put.path, arrays) == put.node
      }
    }
    acceptance.put = .init(put: put, carried: carried, explanations: explanations)
    let ways = explanations ?? []
    for (index, _) in carried {
      let count = ways.count { $0.contains { $0.index == index } }
      if count > 0, count == ways.count {
        acceptance.effects.append(takeEffect(index, connection))
      } else if count > 0 || ways.isEmpty {
        requested[index].acceptance = .possible
      }
    }
  }

  /// Records that a call has taken effect.
  private mutating func takeEffect(_ index: Int, _ connection: Int?) -> Acceptance.Effect {
    requested[index].acceptance = .certain
    requested[index].connection = connection
    let call = requested[index]
    // What another connection brought may have been refused or lost there, and is sent again.
    let overtaking = requested.indices[(index + 1)...].last { later in
      requested[later].acceptance == .certain && connection != nil
        && requested[later].connection == connection
        && (!requested[later].isTransaction && !call.isTransaction
          || requested[later].isRelated(to: call))
    }
    return .init(call: call, overtaking: overtaking.map { requested[$0] })
  }
}
