internal import ClientInterface
package import Tree

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
    guard carried.count > 1 else { return [carried] }
    guard carried.count <= maxCombined else { return [carried] }
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
