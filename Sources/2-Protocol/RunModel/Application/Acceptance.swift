internal import ClientInterface
package import Tree
package import Wire

/// A write that the server accepts, compared with what applications requested.
package struct Acceptance {
  /// The calls that certainly take effect by it, for the first time.
  package internal(set) var effects: [Effect] = []
  /// What it is where no call without an end asked for it.
  package internal(set) var stray: Stray?
  /// For a put of transactions that have not certainly taken effect: those, and the combinations of
  /// them that explain it; `nil` where it is not known what the server had.
  package internal(set) var put: (open: TransactionPut, explanations: [TransactionPut.Carried]?)?

  /// Whether it is, as nearly always, the next write that was asked for, where it may be.
  package var isUsual: Bool {
    stray == nil && put == nil
      && effects.allSatisfy { $0.overtaking == nil && !$0.isForeign }
  }

  /// A call that takes effect, by its position among the calls.
  package struct Effect {
    package let call: Int
    /// A call that was requested later and took effect before.
    package let overtaking: Int?
    /// Whether it may not take effect under the credential of the connection.
    package let isForeign: Bool
  }

  /// The calls are there by their positions.
  package enum Stray {
    /// The same came over the same connection before, and the call has not ended.
    case twice(Int)
    case afterEnd(Int)
    case transactionAgain(Int)
    case unrequested
    /// It is unknown.
    case unclear
  }
}

extension Calls {
  /// Takes a write that the server accepts, over the `tree` that it has before; `nil` where that is not
  /// certain. `credential` is that of the connection; outer `nil` where it is not known which one
  /// brought it.
  package mutating func accept(
    _ request: Request, _ number: Int, over tree: Node?, _ arrays: ArrayReading,
    as credential: String??
  ) -> Acceptance {
    var acceptance = Acceptance()
    if request.isPlainWrite {
      acceptPlainWrite(request, number, credential, &acceptance)
    } else if case let .put(path, node, _?) = request, let put = puts[number], put.path == path,
      put.node == node
    {
      accept(put, over: tree, arrays, credential, &acceptance)
    }
    return acceptance
  }

  private mutating func acceptPlainWrite(
    _ request: Request, _ number: Int, _ credential: String??, _ acceptance: inout Acceptance
  ) {
    // A call that was given up on its way may take effect all the same, and no other that asks for the
    // same does. Of a connection that is gone it is unknown which of them a request carried.
    let sent = queue.write(carriedBy: number)
    let given = sent.map { requested[$0].hasEnded ? [$0] : [] } ?? givenUp
    if !sentAfterEnd.contains(number),
      given.contains(where: { requested.isWrite(at: $0, carriedBy: request) })
    {
      if sent == nil { doubtEqual(request, besides: nil) }
      acceptance.stray = .unclear
      return
    }
    var next =
      firstOpenWrite(carriedBy: request) { $0 >= accepted }
      ?? firstOpenWrite(carriedBy: request) { requested[$0].acceptance != .certain }
    // A first one that was accepted comes again, unless the request carries another: that is known
    // where no kept write can look the same.
    if let first = next, !hasInherited, requested[first].acceptance == .certain,
      let sent, open.contains(sent), isOpenWrite(sent, carriedBy: request)
    {
      next = sent
    }
    guard let next else {
      let last = openWrites(carriedBy: request).last
      acceptance.stray = stray(request, number, open: last, credential)
      return
    }
    accepted = max(accepted, next + 1)
    doubt(request, besides: next)
    doubtEqual(request, besides: next)
    // What was accepted comes again after a connection broke: the client cannot know.
    if requested[next].acceptance != .certain {
      acceptance.effects.append(takeEffect(next, credential))
    }
  }

  /// A plain write that is not the next one: it was done before, or was not asked for. `open` is
  /// the last call without an end that asked for the same.
  private func stray(
    _ request: Request, _ number: Int, open: Int?, _ credential: String??
  ) -> Acceptance.Stray {
    // Of two connections at a time it is unknown which one brought it.
    if let open { return credential == nil ? .unclear : .twice(open) }
    let repeated = requested.indices.last {
      requested[$0].hasEnded && requested.isWrite(at: $0, carriedBy: request)
    }
    guard let repeated else {
      return request.isEmptyPush(at: emptyPushes) ? .unclear : .unrequested
    }
    guard sentAfterEnd.contains(number), !hasStorageFailed else { return .unclear }
    return .afterEnd(repeated)
  }

  /// The server has accepted a plain write of an earlier process, or one that is in doubt itself: it
  /// may as well have been the next one of this process that asked for the same.
  private mutating func doubt(_ request: Request, besides index: Int) {
    guard index < firstOwn || requested[index].acceptance == .possible else { return }
    let own = firstOpenWrite(carriedBy: request) {
      $0 >= firstOwn && $0 != index && requested[$0].acceptance == .none
    }
    if let own { requested[own].acceptance = .possible }
  }

  /// Of equal writes that wait at the same time each may be the one that the server accepted: another
  /// may have been refused, or accepted over a connection that is gone. Where the server fills
  /// something in, each counts.
  private mutating func doubtEqual(_ request: Request, besides next: Int?) {
    if let next, requested[next].write?.hasServerValues ?? false { return }
    for index in openWrites(carriedBy: request)
    where index != next && requested[index].acceptance == .none {
      requested[index].acceptance = .possible
    }
  }

  private mutating func accept(
    _ put: TransactionPut, over tree: Node?, _ arrays: ArrayReading, _ credential: String??,
    _ acceptance: inout Acceptance
  ) {
    let carried = put.carried.filter { requested[$0.index].acceptance != .certain }
    if carried.isEmpty {
      // The result of a transaction that has ended, or of none.
      let repeated = requested.indices.last {
        requested[$0].isTransaction && requested[$0].path.starts(with: put.path)
      }
      acceptance.stray = repeated.map { .transactionAgain($0) } ?? .unrequested
      return
    }
    let explanations = tree.map { tree in
      TransactionPut.combinations(of: carried).filter {
        result(of: $0, on: tree[put.path], at: put.path, arrays) == put.node
      }
    }
    acceptance.put = (
      TransactionPut(path: put.path, node: put.node, carried: carried), explanations
    )
    let ways = explanations ?? []
    for (index, _) in carried {
      let count = ways.count { $0.contains { $0.index == index } }
      if count > 0, count == ways.count {
        acceptance.effects.append(takeEffect(index, credential))
      } else if count > 0 || ways.isEmpty {
        requested[index].acceptance = .possible
      }
    }
  }

  /// Records that a call has taken effect.
  private mutating func takeEffect(_ index: Int, _ credential: String??) -> Acceptance.Effect {
    requested[index].acceptance = .certain
    guard let credential else {
      requested[index].connection = nil
      return .init(call: index, overtaking: nil, isForeign: false)
    }
    requested[index].connection = connection
    defer { lastEffect = max(lastEffect, index) }
    // What another connection brought may have been refused or lost there, and is sent again.
    let later = requested.indices[(index + 1)...].prefix(max(0, lastEffect - index))
    let overtaking = later.last { later in
      requested[later].acceptance == .certain && requested[later].connection == connection
        && (!requested[later].isTransaction && !requested[index].isTransaction
          || requested[later].isRelated(to: requested[index]))
    }
    return .init(
      call: index, overtaking: overtaking,
      isForeign: !mayAct(as: credential, since: requested[index].credentials))
  }

  /// Whether a call may take effect under a credential: the one with which it was made, which is the
  /// last of so many, or a later one, because what waits goes out after the next sign-in (ACC-12).
  private func mayAct(as credential: String?, since count: Int) -> Bool {
    if credential == nil, hasLostCredential || count == 0 { return true }
    // A process goes on as the user who was signed in, or was to be, when an earlier one ended.
    return credentials[(count > credentialsBefore ? count - 1 : 0)...].contains(credential)
  }
}

/// A conditional put, and the transactions that may have gone into it.
package struct TransactionPut {
  package let path: Path
  package let node: Node
  /// The transactions by their positions among the calls, and what each was given last.
  package let carried: Carried

  package typealias Carried = [(index: Int, input: JSON)]

  /// How many transactions of one put are tried in every combination. Where there are more, it
  /// stays open what a put is made of.
  package static let maxCombined = 10

  /// All of them first; then fewer, because one that was called while the put was on its way did
  /// not go into it.
  static func combinations(of carried: Carried) -> [Carried] {
    guard carried.count > 1, carried.count <= maxCombined else { return [carried] }
    return (1..<(1 << carried.count)).reversed().map { set in
      carried.indices.filter { set & (1 << $0) != 0 }.map { carried[$0] }
    }
  }
}

extension Calls {
  /// What the functions make of `node`, which is at `path`, one after the other; `nil` when one of
  /// them aborts or fails.
  package func result(
    of carried: TransactionPut.Carried, on node: Node, at path: Path, _ arrays: ArrayReading
  ) -> Node? {
    var node = node
    for (index, _) in carried {
      guard let below = requested[index].path.relative(to: path),
        let result = requested[index].result(on: node[below], arrays)
      else { return nil }
      node = node.setting(result, at: below)
    }
    return node
  }

  /// What the outermost function of a put was given, for each way in which the put may have come about,
  /// without what the transactions before it made.
  package func bases(of put: TransactionPut) -> [(node: Node, isCertain: Bool)] {
    TransactionPut.combinations(of: put.carried).compactMap { base(of: $0, at: put.path) }
  }

  /// Uncertain where one of the transactions found nothing and its result is a parent's only child: it
  /// may have replaced a scalar (VAL-10).
  private func base(
    of carried: TransactionPut.Carried, at path: Path
  ) -> (node: Node, isCertain: Bool)? {
    guard let top = carried.firstIndex(where: { requested[$0.index].path == path }) else {
      return nil
    }
    var base = Node(json: carried[top].input)
    var isCertain = true
    for (index, input) in carried[..<top].reversed() {
      guard let below = requested[index].path.relative(to: path) else { continue }
      base = base.setting(Node(json: input), at: below)
      if let parent = below.parent, base[parent].isEmpty { isCertain = false }
    }
    return (base, isCertain)
  }

  /// Whether what is lost was stored by an earlier transaction of the same client (TXN-17): `right` is
  /// what a put of `before` should have made.
  package func losesOwnResult(_ put: TransactionPut, _ before: Node, _ right: Node) -> Bool {
    requested.contains { call in
      guard call.isTransaction, call.acceptance == .certain,
        let below = call.path.relative(to: put.path)
      else { return false }
      return right[below] == before[below] && put.node[below] != before[below]
    }
  }
}
