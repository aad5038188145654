internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

// The laws about transactions.

extension WriteLaws {
  /// How many transactions of one put are tried in every combination. Where there are more, it
  /// stays open what a put is made of.
  private static var maxCombined: Int { 10 }

  private typealias Carried = [(index: Int, input: JSON)]

  mutating func judgeTransactions(
    in put: CallLedger.SentPut, _ accepted: Answer
  ) -> [InvariantViolation] {
    let carried = put.carried.filter { call($0.index, accepted.client).acceptance != .certain }
    if carried.isEmpty { return judgeRepetition(of: put, accepted) }
    var findings: [InvariantViolation] = []
    var explanations: [Carried] = []
    if let tree = accepted.tree {
      let before = tree[put.path]
      explanations = combinations(of: carried).filter {
        result(of: $0, on: before, at: put.path, accepted.client) == put.node
      }
      // What is lost comes first: a wrong hash alone, which cost nothing, is another failure.
      if explanations.isEmpty, carried.count <= Self.maxCombined {
        findings.append(resultFinding(put, carried, before, accepted))
      }
      let finding = judgeInput(of: put, accepted) {
        $0 == before || $0.plainJSON(arrays) == before.plainJSON(arrays)
      }
      if let finding { findings.append(finding) }
    }
    for (index, _) in carried {
      let count = explanations.count { $0.contains { $0.index == index } }
      if count > 0, count == explanations.count {
        findings += accept(index, accepted)
      } else if count > 0 || explanations.isEmpty {
        ledgers[accepted.client.number].calls[index].acceptance = .possible
      }
    }
    return findings
  }

  private func call(_ index: Int, _ client: ClientIndex) -> RequestedCall {
    ledgers[client.number].calls[index]
  }

  /// A put that carries no transaction without an end: the result of one that has ended, or of none.
  private func judgeRepetition(
    of put: CallLedger.SentPut, _ accepted: Answer
  ) -> [InvariantViolation] {
    let repeated = ledgers[accepted.client.number].calls.last {
      $0.isTransaction && $0.path.starts(with: put.path)
    }
    guard let repeated else {
      return [
        InvariantViolation(
          .requestedOnly, .client(accepted.client), at: accepted.sequence,
          "the server accepted a write of \(put.path) that no application requested")
      ]
    }
    return [
      InvariantViolation(
        .effectiveOnce, about(repeated, accepted), at: accepted.sequence,
        "the server accepted a result of the transaction again, which had been stored or had ended")
    ]
  }

  /// TXN-26: what the functions of a put were given `isRight`, for one of the ways in which it may
  /// have come about. The server's data have priorities too, which functions are not given.
  func judgeInput(
    of put: CallLedger.SentPut, _ answered: Answer, where isRight: (Node) -> Bool
  ) -> InvariantViolation? {
    if put.carried.count > Self.maxCombined { return nil }
    let client = answered.client
    let bases = combinations(of: put.carried).compactMap { base(of: $0, at: put.path, in: client) }
    guard let base = bases.first?.node,
      !bases.contains(where: { !$0.isCertain || $0.node.hasServerValues || isRight($0.node) }),
      let top = put.carried.first(where: { call($0.index, client).path == put.path })
    else { return nil }
    return InvariantViolation(
      .hashOfInput, about(call(top.index, client), answered), at: answered.sequence,
      "the put of \(put.path) carries the hash of other data than \(base), which the function was "
        + "given")
  }

  /// What the outermost function at `path` was given, without what the transactions before it made.
  ///
  /// Uncertain where one of them found nothing and its result is a parent's only child: it may have
  /// replaced a scalar (VAL-10).
  private func base(
    of carried: Carried, at path: Path, in client: ClientIndex
  ) -> (node: Node, isCertain: Bool)? {
    guard let top = carried.firstIndex(where: { call($0.index, client).path == path }) else {
      return nil
    }
    var base = Node(json: carried[top].input)
    var isCertain = true
    for (index, input) in carried[..<top].reversed() {
      guard let below = call(index, client).path.relative(to: path) else { continue }
      base = base.setting(Node(json: input), at: below)
      if let parent = below.parent, base[parent].isEmpty { isCertain = false }
    }
    return (base, isCertain)
  }

  private func resultFinding(
    _ put: CallLedger.SentPut, _ carried: Carried, _ before: Node, _ accepted: Answer
  ) -> InvariantViolation {
    let calls = carried.map { call($0.index, accepted.client) }
    let first = calls.first { $0.path == put.path } ?? calls[0]
    let right = result(of: carried, on: before, at: put.path, accepted.client)
    var finding = InvariantViolation(
      .atomicTransaction, about(first, accepted), at: accepted.sequence,
      "the server had \(before) at \(put.path), for which the transactions "
        + (right.map { "give \($0)" } ?? "give up") + ", but it accepted \(put.node)")
    if let right, losesOwnResult(put, before, right, accepted) { finding.details = ["own-result"] }
    return finding
  }

  /// Whether what is lost was stored by an earlier transaction of the same client (TXN-17).
  private func losesOwnResult(
    _ put: CallLedger.SentPut, _ before: Node, _ right: Node, _ accepted: Answer
  ) -> Bool {
    ledgers[accepted.client.number].calls.contains { call in
      guard call.isTransaction, call.acceptance == .certain,
        let below = call.path.relative(to: put.path)
      else { return false }
      return right[below] == before[below] && put.node[below] != before[below]
    }
  }

  /// All of them first; then fewer, because one that was called while the put was on its way did
  /// not go into it.
  private func combinations(of carried: Carried) -> [Carried] {
    guard carried.count > 1 else { return [carried] }
    guard carried.count <= Self.maxCombined else { return [carried] }
    return (1..<(1 << carried.count)).reversed().map { set in
      carried.indices.filter { set & (1 << $0) != 0 }.map { carried[$0] }
    }
  }

  /// What the functions make of `node`, which is at `path`, one after the other; `nil` when one of
  /// them aborts or fails.
  private func result(
    of carried: Carried, on node: Node, at path: Path, _ client: ClientIndex
  ) -> Node? {
    var node = node
    for (index, _) in carried {
      let call = call(index, client)
      guard let below = call.path.relative(to: path),
        let result = call.result(on: node[below], arrays)
      else { return nil }
      node = node.setting(result, at: below)
    }
    return node
  }
}

extension RequestedCall {
  /// What its function makes of `node`; `nil` when it gives up, and for a plain write.
  func result(on node: Node, _ arrays: ArrayReading) -> Node? {
    guard case let .transaction(function, _) = content,
      case let .returned(json) = function(node.plainJSON(arrays))
    else { return nil }
    let new = Node(json: json)
    // TXN-20: the result keeps the priority of the path unless it names one.
    return json[".priority"] == nil ? new.settingPriority(node.priority) : new
  }
}

extension RequestedCall {
  /// Whether it may give data a priority.
  var mayGivePriorities: Bool {
    guard let write else { return result(on: .empty, .moreThanHalf)?.hasPriorities ?? false }
    return write.sets.contains { $0.path.key == .priority || $0.node.hasPriorities }
  }
}

extension Operation {
  /// Whether it is an on-disconnect request that may give data a priority.
  var givesPrioritiesAtTheEnd: Bool {
    switch self {
    case let .onDisconnectSet(_, node): node.hasPriorities
    case let .onDisconnectUpdate(_, assignments):
      assignments.contains { $0.path.key == .priority || $0.node.hasPriorities }
    default: false
    }
  }
}

extension Node {
  /// Whether it or anything below it has a priority.
  ///
  /// - Complexity: O(size).
  var hasPriorities: Bool {
    priority != nil || children.contains { $0.node.hasPriorities }
  }
}
