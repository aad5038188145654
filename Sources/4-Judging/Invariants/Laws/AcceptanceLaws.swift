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

  var calls: Calls { _read { yield judged.pointee.application.calls } }
  var arrays: ArrayReading { judged.pointee.application.profile.arrays }

  /// What shows that a call violates a law; it is given by its position.
  func violation(_ index: Int, _ sentence: String) -> Judgement.Violation {
    let call = calls.requested[index]
    return .init(
      about: .call(client, call.call, call.operation), evidence: sequence, sentence: sentence)
  }
}

enum AcceptanceLaws {
  // What is lost comes first: a wrong hash alone, which cost nothing, is another failure.
  static let all: [Law<AnswerOccasion>] = [
    Law(.requestedOnly) {
      guard case .unrequested? = $0.acceptance?.stray else { return .holds }
      return .violated(
        .client($0.client), at: $0.sequence,
        "the server accepted a write of \($0.request.path ?? .root) that no application requested")
    },
    Law(.effectiveOnce, unknown: [.unclearRequest]) {
      guard let stray = $0.acceptance?.stray else { return .holds }
      let write = "the write of \($0.request.path ?? .root)"
      let (call, what): (Int, String)
      switch stray {
      case .unrequested: return .holds
      case .unclear: return .unknown(.unclearRequest)
      case let .twice(index): (call, what) = (index, "\(write) twice over one connection")
      case let .afterEnd(index): (call, what) = (index, "\(write) again, after the call had ended")
      case let .transactionAgain(index):
        call = index
        what = "a result of the transaction again, which had been stored or had ended"
      }
      return .violated([$0.violation(call, "the server accepted \(what)")])
    },
    Law(.atomicTransaction, unknown: [.unclearServer, .manyWays]) { $0.judgeResult() },
    Law(
      .hashOfInput,
      unknown: [.manyWays, .unclearServer, .serverValues, .unclearRequest, .priorities]
    ) { $0.judgeHash() },
    Law(.effectiveInOrder, unknown: [.inheritedWrites]) { occasion in
      guard let effects = occasion.acceptance?.effects, !effects.isEmpty else { return .holds }
      let requested = occasion.calls.requested
      let found = effects.compactMap { effect in
        effect.overtaking.map { later in
          occasion.violation(
            effect.call,
            "the write of \(requested[effect.call].path) took effect after that of "
              + "\(requested[later].path), which was requested later")
        }
      }
      if found.isEmpty { return .holds }
      return occasion.calls.hasStorageFailed ? .unknown(.inheritedWrites) : .violated(found)
    },
    Law(.ownIdentity, unknown: [.twoConnections]) { occasion in
      guard let effects = occasion.acceptance?.effects, !effects.isEmpty else { return .holds }
      guard let credential = occasion.credential else { return .unknown(.twoConnections) }
      let found = effects.filter(\.isForeign)
      if found.isEmpty { return .holds }
      return .violated(
        found.map { effect in
          let call = occasion.calls.requested[effect.call]
          let own = occasion.calls.credential(of: call)
          return occasion.violation(
            effect.call,
            "the write of \(call.path) took effect as \(credential ?? "nobody"), but "
              + "\(own ?? "nobody") was signed in when it was requested")
        })
    },
  ]
}

// MARK: - Transactions

extension AnswerOccasion {
  /// What the server accepts is what the functions make of the data that it has.
  fileprivate func judgeResult() -> Judgement {
    guard let (put, explanations) = acceptance?.put else { return .holds }
    guard let explanations, let tree = states.last else { return .unknown(.unclearServer) }
    if !explanations.isEmpty { return .holds }
    if put.carried.count > TransactionPut.maxCombined { return .unknown(.manyWays) }
    let (path, before) = (put.path, tree[put.path])
    let right = calls.result(of: put.carried, on: before, at: path, arrays)
    var violation = violation(
      put.carried.first { calls.requested[$0.index].path == path }?.index ?? put.carried[0].index,
      "the server had \(before) at \(path), for which the transactions "
        + (right.map { "give \($0)" } ?? "give up") + ", but it accepted \(put.node)")
    if let right, calls.losesOwnResult(put, before, right) {
      violation.details = ["own-result"]
    }
    return .violated([violation])
  }

  /// TXN-26: what the server accepts has the hash of what the function was given. The hash is that of
  /// the server's data, and these are compared. What it refuses has overwritten nothing: that is wrong
  /// only where the hash is that of no data that were ever there. The server's data have priorities too,
  /// which functions are not given: where the data of a refused put may have some, nothing is said.
  fileprivate func judgeHash() -> Judgement {
    guard case let .put(path, _, hash?) = request, let put = calls.puts[number], put.path == path
    else { return .holds }
    if acceptance != nil, acceptance?.put == nil { return .holds }
    if put.carried.count > TransactionPut.maxCombined { return .unknown(.manyWays) }
    guard let tree = states.last else { return .unknown(.unclearServer) }
    let bases = calls.bases(of: put)
    let top = put.carried.first { calls.requested[$0.index].path == path }
    guard let base = bases.first?.node, let top else { return .holds }
    let before = tree[path]
    let isRight: (Node) -> Bool =
      acceptance == nil
      ? { $0.hash == hash }
      : { $0 == before || $0.plainJSON(arrays) == before.plainJSON(arrays) }
    if bases.contains(where: { isRight($0.node) }) { return .holds }
    if bases.contains(where: { $0.node.hasServerValues }) { return .unknown(.serverValues) }
    if bases.contains(where: { !$0.isCertain }) { return .unknown(.unclearRequest) }
    if acceptance == nil {
      if hash.isEmpty || states.contains(where: { $0[path].hash == hash }) { return .holds }
      if mayHavePriorities(at: path) { return .unknown(.priorities) }
    }
    return .violated([
      violation(
        top.index,
        "the put of \(path) carries the hash of other data than \(base), which the function was "
          + "given")
    ])
  }

  /// Whether the server may have had priorities there at some time.
  private func mayHavePriorities(at path: Path) -> Bool {
    states.contains { $0[path].hasPriorities }
      || calls.onDisconnects.contains(where: \.givesPrioritiesAtTheEnd)
      || calls.requested.contains(where: \.mayGivePriorities)
  }
}
