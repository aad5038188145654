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

  /// The put of transactions that it is.
  var put: TransactionPut? {
    guard case let .put(path, _, _?) = request, let put = calls.puts[number], put.path == path
    else {
      return nil
    }
    return put
  }

  var arrays: ArrayReading { judged.pointee.application.profile.arrays }

  var calls: Calls { _read { yield judged.pointee.application.calls } }

  func violation(_ call: RequestedCall, _ sentence: String) -> Judgement.Violation {
    .init(about: .call(client, call.call, call.operation), evidence: sequence, sentence: sentence)
  }

  func violated(_ call: RequestedCall, _ sentence: String) -> Judgement {
    .violated([violation(call, sentence)])
  }
}

enum AcceptanceLaws {
  static let plainWrites: [Law<AnswerOccasion>] = [
    requestedOnly, effectiveOnce, effectiveInOrder, ownIdentity,
  ]

  // What is lost comes first: a wrong hash alone, which cost nothing, is another failure.
  static let transactions: [Law<AnswerOccasion>] = [
    requestedOnly, effectiveOnce, atomicTransaction, hashOfInput, effectiveInOrder, ownIdentity,
  ]

  static let refusedPuts = [hashOfInput]

  static let requestedOnly = Law<AnswerOccasion>(.requestedOnly) {
    guard case .unrequested? = $0.acceptance?.stray else { return .holds }
    return .violated(
      .client($0.client), at: $0.sequence,
      "the server accepted a write of \($0.request.path ?? .root) that no application requested")
  }

  static let effectiveOnce = Law<AnswerOccasion>(
    .effectiveOnce, unknown: [.unclearRequest]
  ) {
    let path = $0.request.path ?? .root
    switch $0.acceptance?.stray {
    case nil, .unrequested?: return .holds
    case .unclear?: return .unknown(.unclearRequest)
    case let .twice(call)?:
      return $0.violated(
        call, "the server accepted the write of \(path) twice over one connection")
    case let .afterEnd(call)?:
      return $0.violated(
        call, "the server accepted the write of \(path) again, after the call had ended")
    case let .transactionAgain(call)?:
      return $0.violated(
        call,
        "the server accepted a result of the transaction again, which had been stored or had ended")
    }
  }

  static let effectiveInOrder = Law<AnswerOccasion>(
    .effectiveInOrder, unknown: [.inheritedWrites]
  ) { occasion in
    guard let effects = occasion.acceptance?.effects else { return .holds }
    let found = effects.compactMap { effect in
      effect.overtaking.map { later in
        occasion.violation(
          effect.call,
          "the write of \(effect.call.path) took effect after that of \(later.path), which was "
            + "requested later")
      }
    }
    if found.isEmpty { return .holds }
    return occasion.calls.hasStorageFailed ? .unknown(.inheritedWrites) : .violated(found)
  }

  static let ownIdentity = Law<AnswerOccasion>(
    .ownIdentity, unknown: [.twoConnections]
  ) { occasion in
    guard let effects = occasion.acceptance?.effects, !effects.isEmpty else { return .holds }
    guard let credential = occasion.credential else { return .unknown(.twoConnections) }
    let found = effects.filter(\.isForeign)
    if found.isEmpty { return .holds }
    return .violated(
      found.map { effect in
        let own = occasion.calls.credential(of: effect.call)
        return occasion.violation(
          effect.call,
          "the write of \(effect.call.path) took effect as \(credential ?? "nobody"), but "
            + "\(own ?? "nobody") was signed in when it was requested")
      })
  }

  static let atomicTransaction = Law<AnswerOccasion>(
    .atomicTransaction, unknown: [.unclearServer, .manyWays]
  ) { occasion in
    guard let put = occasion.acceptance?.put else { return .holds }
    guard let explanations = put.explanations, let tree = occasion.states.last else {
      return .unknown(.unclearServer)
    }
    if !explanations.isEmpty { return .holds }
    if put.carried.count > TransactionPut.maxCombined { return .unknown(.manyWays) }
    let (path, before) = (put.put.path, tree[put.put.path])
    let calls = put.carried.map { occasion.calls.requested[$0.index] }
    let right = occasion.calls.result(of: put.carried, on: before, at: path, occasion.arrays)
    var violation = occasion.violation(
      calls.first { $0.path == path } ?? calls[0],
      "the server had \(before) at \(path), for which the transactions "
        + (right.map { "give \($0)" } ?? "give up") + ", but it accepted \(put.put.node)")
    if let right, occasion.calls.losesOwnResult(put.put, before, right) {
      violation.details = ["own-result"]
    }
    return .violated([violation])
  }

  /// TXN-26: what the server accepts or refuses has the hash of what the function was given. Where it
  /// accepts, the hash is that of its data, and these are compared. The server's data have priorities
  /// too, which functions are not given: where the data of a refused put may have some, nothing is said.
  static let hashOfInput = Law<AnswerOccasion>(
    .hashOfInput,
    unknown: [.manyWays, .unclearServer, .serverValues, .unclearRequest, .priorities]
  ) { occasion in
    guard let put = occasion.put, case let .put(_, _, hash?) = occasion.request else {
      return .holds
    }
    if occasion.acceptance != nil, occasion.acceptance?.put == nil { return .holds }
    if put.carried.count > TransactionPut.maxCombined { return .unknown(.manyWays) }
    guard let tree = occasion.states.last else { return .unknown(.unclearServer) }
    let bases = occasion.calls.bases(of: put)
    let top = put.carried.first { occasion.calls.requested[$0.index].path == put.path }
    guard let base = bases.first?.node, let top else { return .holds }
    let before = tree[put.path]
    let isRight: (Node) -> Bool =
      occasion.acceptance == nil
      ? { $0.hash == hash }
      : { $0 == before || $0.plainJSON(occasion.arrays) == before.plainJSON(occasion.arrays) }
    if bases.contains(where: { isRight($0.node) }) { return .holds }
    if bases.contains(where: { $0.node.hasServerValues }) { return .unknown(.serverValues) }
    if bases.contains(where: { !$0.isCertain }) { return .unknown(.unclearRequest) }
    if occasion.acceptance == nil, occasion.mayHavePriorities(at: put.path) {
      return .unknown(.priorities)
    }
    return occasion.violated(
      occasion.calls.requested[top.index],
      "the put of \(put.path) carries the hash of other data than \(base), which the function was "
        + "given")
  }
}

extension AnswerOccasion {
  /// Whether the server may have had priorities there at some time.
  fileprivate func mayHavePriorities(at path: Path) -> Bool {
    states.contains { $0[path].hasPriorities } || calls.onDisconnectGivesPriorities
      || calls.requested.contains(where: \.mayGivePriorities)
  }
}
