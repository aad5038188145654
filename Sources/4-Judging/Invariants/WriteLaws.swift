internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What a client owes to its application and to other writers, judged where the server accepts
/// writes. The laws compare what applications requested with what the server accepted; they know
/// neither the expectations of a scenario nor the reference client, so a mistake of the reference
/// client does not hide from them.
struct WriteLaws {
  /// By the numbers of the clients.
  var ledgers: [CallLedger]
  private let arrays: ArrayReading
  /// Whether it is known which runs of functions went into a put. It is unknown for a client on a
  /// clock of its own.
  var judgesTransactions = true

  /// A request that the server answers, and what it has then.
  struct Answer {
    let client: ClientIndex
    let number: Int
    let request: Request
    /// What was stored from the start until now; empty where that is not certain.
    let states: [Node]
    /// The credential of the connection; outer `nil` where that is not certain.
    let credential: String??
    let sequence: Int

    /// What is stored before; `nil` where that is not certain.
    var tree: Node? { states.last }
  }

  init(clients count: Int, profile: Profile) {
    ledgers = Array(repeating: CallLedger(), count: count)
    arrays = profile.arrays
  }

  /// Notes that perhaps no user is signed in at a client, although one was to be.
  mutating func noteLostCredential(of client: ClientIndex) {
    if has(client) { ledgers[client.number].hasLostCredential = true }
  }

  /// Notes that a connection of a client began or ended: what has no answer may come again.
  mutating func beginConnection(of client: ClientIndex) {
    if has(client) { ledgers[client.number].accepted = 0 }
  }

  private func has(_ client: ClientIndex) -> Bool { ledgers.indices.contains(client.number) }

  /// Takes one step; `write` is the plain write that it began with.
  ///
  /// - Returns: Acknowledgements of what the server never accepted.
  mutating func take(_ step: ClientStep, _ write: PlainWrite?) -> [InvariantViolation] {
    let unaccepted = ledgers[step.client.number].take(step, write)
    if unaccepted.isEmpty { return [] }
    return unaccepted.compactMap { index, sequence in
      let call = ledgers[step.client.number].calls[index]
      if call.isTransaction, !judgesTransactions { return nil }
      return InvariantViolation(
        .acknowledgedIsKept, .call(step.client, call.call, call.operation), at: sequence,
        "the call succeeded, but the server never accepted its write of \(call.path)")
    }
  }

  /// Takes a write that the server accepts, before it changes the data.
  mutating func judgeAcceptance(_ accepted: Answer) -> [InvariantViolation] {
    if accepted.request.isPlainWrite { return judgePlainWrite(accepted) }
    guard judgesTransactions, case let .put(path, node, _?) = accepted.request,
      let put = ledgers[accepted.client.number].puts[accepted.number], put.path == path,
      put.node == node
    else { return [] }
    return judgeTransactions(in: put, accepted)
  }

  /// TXN-26: what the server refuses as stale has the hash of what the function was given all the
  /// same. Where it accepts, the hash is that of its data, and these are compared.
  ///
  /// Functions are given no priorities, so nothing is said where the data may have had some.
  func judgeRefusal(_ refused: Answer) -> InvariantViolation? {
    let ledger = ledgers[refused.client.number]
    guard judgesTransactions, case let .put(path, _, hash?) = refused.request,
      let put = ledger.puts[refused.number], put.path == path,
      let finding = judgeInput(of: put, refused, where: { $0.hash == hash }),
      !refused.states.isEmpty, !refused.states.contains(where: { $0[path].hasPriorities }),
      !ledger.calls.contains(where: \.mayGivePriorities)
    else { return nil }
    return finding
  }
}

// MARK: - Plain writes

extension WriteLaws {
  private mutating func judgePlainWrite(_ accepted: Answer) -> [InvariantViolation] {
    let client = accepted.client.number
    let open = ledgers[client].open.filter {
      ledgers[client].calls[$0].isOpenWrite(carriedBy: accepted.request)
    }
    let next =
      open.first { $0 >= ledgers[client].accepted }
      ?? open.first { ledgers[client].calls[$0].acceptance != .certain }
    if let next {
      ledgers[client].accepted = max(ledgers[client].accepted, next + 1)
      ledgers[client].doubt(accepted.request, besides: next)
      // What was accepted comes again after a connection broke: the client cannot know.
      return ledgers[client].calls[next].acceptance == .certain ? [] : accept(next, accepted)
    }
    return judgeRepetition(of: open.last, accepted)
  }

  /// A plain write that is not the next one: it was done before, or was not asked for. `open` is
  /// the last call without an end that asked for the same.
  private func judgeRepetition(of open: Int?, _ accepted: Answer) -> [InvariantViolation] {
    let ledger = ledgers[accepted.client.number]
    let path = accepted.request.path ?? .root
    if let open {
      // Of two connections at a time it is unknown which one brought it.
      if accepted.credential == nil { return [] }
      return [
        InvariantViolation(
          .effectiveOnce, about(ledger.calls[open], accepted), at: accepted.sequence,
          "the server accepted the write of \(path) twice over one connection")
      ]
    }
    let repeated = ledger.calls.last {
      $0.hasEnded && $0.write?.isCarried(by: accepted.request) ?? false
    }
    guard let repeated else {
      if accepted.request.isEmptyPush(at: ledger.emptyPushes) { return [] }
      return [
        InvariantViolation(
          .requestedOnly, .client(accepted.client), at: accepted.sequence,
          "the server accepted a write of \(path) that no application requested")
      ]
    }
    guard ledger.sentAfterEnd.contains(accepted.number), !ledger.hasStorageFailed else { return [] }
    return [
      InvariantViolation(
        .effectiveOnce, about(repeated, accepted), at: accepted.sequence,
        "the server accepted the write of \(path) again, after the call had ended")
    ]
  }

  /// Notes that a call has taken effect, and judges when it did and in whose name.
  private mutating func accept(_ index: Int, _ accepted: Answer) -> [InvariantViolation] {
    let client = accepted.client.number
    ledgers[client].calls[index].acceptance = .certain
    let ledger = ledgers[client]
    let call = ledger.calls[index]
    var findings: [InvariantViolation] = []
    let later = ledger.calls[(index + 1)...].last { later in
      later.acceptance == .certain
        && (!later.isTransaction && !call.isTransaction || later.isRelated(to: call))
    }
    if let later, !ledger.hasStorageFailed {
      findings.append(
        InvariantViolation(
          .effectiveInOrder, about(call, accepted), at: accepted.sequence,
          "the write of \(call.path) took effect after that of \(later.path), which was requested "
            + "later"))
    }
    if let credential = accepted.credential, !ledger.mayAct(as: credential, for: call) {
      findings.append(
        InvariantViolation(
          .ownIdentity, about(call, accepted), at: accepted.sequence,
          "the write of \(call.path) took effect as \(Self.name(credential)), but "
            + "\(Self.name(ledger.credential(of: call))) was signed in when it was requested"))
    }
    return findings
  }

  private static func name(_ credential: String?) -> String { credential ?? "nobody" }

  private func about(
    _ call: RequestedCall, _ accepted: Answer
  ) -> InvariantViolation.About {
    .call(accepted.client, call.call, call.operation)
  }
}

// MARK: - Transactions

extension WriteLaws {
  /// How many transactions of one put are tried in every combination.
  private static var maxCombined: Int { 6 }

  private typealias Carried = [(index: Int, input: JSON)]

  private mutating func judgeTransactions(
    in put: CallLedger.SentPut, _ accepted: Answer
  ) -> [InvariantViolation] {
    let carried = put.carried.filter { call($0.index, accepted.client).acceptance != .certain }
    if carried.isEmpty { return judgeRepetition(of: put, accepted) }
    var findings: [InvariantViolation] = []
    var explanations: [Carried] = []
    if let tree = accepted.tree {
      let before = tree[put.path]
      let finding = judgeInput(of: put, accepted) {
        $0 == before || $0.plainJSON(arrays) == before.plainJSON(arrays)
      }
      if let finding { findings.append(finding) }
      explanations = combinations(of: carried).filter {
        result(of: $0, on: before, at: put.path, accepted.client) == put.node
      }
      if explanations.isEmpty {
        findings.append(resultFinding(put, carried, before, accepted))
      }
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
  private func judgeInput(
    of put: CallLedger.SentPut, _ answered: Answer, where isRight: (Node) -> Bool
  ) -> InvariantViolation? {
    let client = answered.client
    let bases = combinations(of: put.carried).compactMap { base(of: $0, at: put.path, in: client) }
    guard let base = bases.first, !bases.contains(where: { $0.hasServerValues || isRight($0) }),
      let outermost = put.carried.first(where: { call($0.index, client).path == put.path })
    else { return nil }
    return InvariantViolation(
      .hashOfInput, about(call(outermost.index, client), answered), at: answered.sequence,
      "the put of \(put.path) carries the hash of other data than \(base), which the function was "
        + "given")
  }

  /// What the outermost function at `path` was given, without what the transactions before it made.
  private func base(of carried: Carried, at path: Path, in client: ClientIndex) -> Node? {
    guard let outermost = carried.firstIndex(where: { call($0.index, client).path == path }) else {
      return nil
    }
    var base = Node(json: carried[outermost].input)
    for (index, input) in carried[..<outermost].reversed() {
      if let below = call(index, client).path.relative(to: path) {
        base = base.setting(Node(json: input), at: below)
      }
    }
    return base
  }

  private func resultFinding(
    _ put: CallLedger.SentPut, _ carried: Carried, _ before: Node, _ accepted: Answer
  ) -> InvariantViolation {
    let calls = carried.map { call($0.index, accepted.client) }
    let first = calls.first { $0.path == put.path } ?? calls[0]
    let right = result(of: carried, on: before, at: put.path, accepted.client)
    return InvariantViolation(
      .atomicTransaction, about(first, accepted), at: accepted.sequence,
      "the server had \(before) at \(put.path), for which the transactions "
        + (right.map { "give \($0)" } ?? "give up") + ", but it accepted \(put.node)")
  }

  /// All of them first; then fewer, because one that was called while the put was on its way did
  /// not go into it.
  private func combinations(of carried: Carried) -> [Carried] {
    guard carried.count > 1 else { return [carried] }
    guard carried.count <= Self.maxCombined else { return [carried] + carried.map { [$0] } }
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
  fileprivate var mayGivePriorities: Bool {
    guard let write else { return result(on: .empty, .moreThanHalf)?.hasPriorities ?? false }
    return write.sets.contains { $0.path.key == .priority || $0.node.hasPriorities }
  }
}

extension Node {
  /// Whether it or anything below it has a priority.
  ///
  /// - Complexity: O(size).
  fileprivate var hasPriorities: Bool {
    priority != nil || children.contains { $0.node.hasPriorities }
  }
}
