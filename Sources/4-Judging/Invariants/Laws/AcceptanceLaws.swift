internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

// What a client owes to its application and to other writers, judged where the server accepts
// writes. The laws compare what applications requested with what the server accepted; they know
// neither the expectations of a scenario nor the reference client, so a mistake of the reference
// client does not hide from them.

/// A write that the server accepts, or refuses as stale, and what it had then.
struct AnswerOccasion {
  let judged: UnsafePointer<JudgedClient>
  let client: ClientIndex
  let request: Request
  let number: Int
  /// What the write is among those that were requested; `nil` for one that was refused.
  let acceptance: Acceptance?
  /// What was stored from the start until now; empty where that is not certain.
  let states: [Node]
  /// The credential of the connection; outer `nil` where that is not certain.
  let credential: String??
  /// The event of the answer.
  let sequence: Int

  private var calls: Calls { _read { yield judged.pointee.application.calls } }
  private var arrays: ArrayReading { judged.pointee.application.profile.arrays }

  func judge(into findings: inout Findings) {
    if let stray = acceptance?.stray { findings.add(judge(stray, at: request.path ?? .root)) }
    // What is lost comes first: a wrong hash alone, which cost nothing, is another failure.
    if let (put, explanations) = acceptance?.put {
      findings.add(judge(put, explainedBy: explanations))
    }
    findings.add(judgeHash())
    if let effects = acceptance?.effects, !effects.isEmpty {
      findings.add(judgeOrder(of: effects))
      findings.add(judgeIdentity(of: effects))
    }
  }

  /// What shows that a call violates an invariant; it is given by its position.
  private func violation(
    _ invariant: Invariant, _ index: Int, _ sentence: String
  ) -> InvariantViolation {
    let call = calls.requested[index]
    return InvariantViolation(
      invariant: invariant, about: .call(client, call.call, call.operation), evidence: sequence,
      sentence: sentence)
  }

  private func judge(_ stray: Acceptance.Stray, at path: Path) -> Judgement {
    func again(_ call: Int, _ sentence: String) -> Judgement {
      .violated([violation(.effectiveOnce, call, "the server accepted \(sentence)")])
    }
    switch stray {
    case .unrequested:
      return .violated(
        .requestedOnly, .client(client), at: sequence,
        "the server accepted a write of \(path) that no application requested")
    case .unclear: return .unknown(.unclearRequest, of: .effectiveOnce)
    case let .twice(call):
      return again(call, "the write of \(path) twice over one connection")
    case let .afterEnd(call):
      return again(call, "the write of \(path) again, after the call had ended")
    case let .transactionAgain(call):
      return again(
        call, "a result of the transaction again, which had been stored or had ended")
    }
  }

  private func judgeOrder(of effects: [Acceptance.Effect]) -> Judgement {
    let found = effects.compactMap { effect in
      effect.overtaking.map { later in
        violation(
          .effectiveInOrder, effect.call,
          "the write of \(calls.requested[effect.call].path) took effect after that of "
            + "\(calls.requested[later].path), which was requested later")
      }
    }
    if found.isEmpty { return .holds }
    return calls.hasStorageFailed
      ? .unknown(.inheritedWrites, of: .effectiveInOrder) : .violated(found)
  }

  private func judgeIdentity(of effects: [Acceptance.Effect]) -> Judgement {
    guard let credential else { return .unknown(.twoConnections, of: .ownIdentity) }
    let found = effects.filter(\.isForeign)
    if found.isEmpty { return .holds }
    return .violated(
      found.map { effect in
        let call = calls.requested[effect.call]
        let own = calls.credential(of: call)
        return violation(
          .ownIdentity, effect.call,
          "the write of \(call.path) took effect as \(credential ?? "nobody"), but "
            + "\(own ?? "nobody") was signed in when it was requested")
      })
  }
}

// MARK: - Transactions

extension AnswerOccasion {
  private func judge(
    _ put: TransactionPut, explainedBy explanations: [TransactionPut.Carried]?
  ) -> Judgement {
    guard let explanations, let tree = states.last else {
      return .unknown(.unclearServer, of: .atomicTransaction)
    }
    if !explanations.isEmpty { return .holds }
    if put.carried.count > TransactionPut.maxCombined {
      return .unknown(.manyWays, of: .atomicTransaction)
    }
    let (path, before) = (put.path, tree[put.path])
    let right = calls.result(of: put.carried, on: before, at: path, arrays)
    var violation = violation(
      .atomicTransaction,
      put.carried.first { calls.requested[$0.index].path == path }?.index ?? put.carried[0].index,
      "the server had \(before) at \(path), for which the transactions "
        + (right.map { "give \($0)" } ?? "give up") + ", but it accepted \(put.node)")
    if let right, calls.losesOwnResult(put, before, right) {
      violation.details = ["own-result"]
    }
    return .violated([violation])
  }

  /// TXN-26: what the server accepts or refuses has the hash of what the function was given. Where it
  /// accepts, the hash is that of its data, and these are compared. The server's data have priorities
  /// too, which functions are not given: where the data of a refused put may have some, nothing is said.
  private func judgeHash() -> Judgement {
    guard case let .put(path, _, hash?) = request, let put = calls.puts[number], put.path == path
    else { return .holds }
    if acceptance != nil, acceptance?.put == nil { return .holds }
    if put.carried.count > TransactionPut.maxCombined {
      return .unknown(.manyWays, of: .hashOfInput)
    }
    guard let tree = states.last else { return .unknown(.unclearServer, of: .hashOfInput) }
    let bases = calls.bases(of: put)
    let top = put.carried.first { calls.requested[$0.index].path == path }
    guard let base = bases.first?.node, let top else { return .holds }
    let before = tree[path]
    let isRight: (Node) -> Bool =
      acceptance == nil
      ? { $0.hash == hash }
      : { $0 == before || $0.plainJSON(arrays) == before.plainJSON(arrays) }
    if bases.contains(where: { isRight($0.node) }) { return .holds }
    if bases.contains(where: { $0.node.hasServerValues }) {
      return .unknown(.serverValues, of: .hashOfInput)
    }
    if bases.contains(where: { !$0.isCertain }) {
      return .unknown(.unclearRequest, of: .hashOfInput)
    }
    if acceptance == nil, mayHavePriorities(at: path) {
      return .unknown(.priorities, of: .hashOfInput)
    }
    return .violated([
      violation(
        .hashOfInput, top.index,
        "the put of \(path) carries the hash of other data than \(base), which the function was given"
      )
    ])
  }

  /// Whether the server may have had priorities there at some time.
  private func mayHavePriorities(at path: Path) -> Bool {
    states.contains { $0[path].hasPriorities }
      || calls.onDisconnects.contains(where: \.givesPrioritiesAtTheEnd)
      || calls.requested.contains(where: \.mayGivePriorities)
  }
}
