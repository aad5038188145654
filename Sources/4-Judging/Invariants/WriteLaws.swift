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
  let arrays: ArrayReading
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

  /// Records that perhaps no user is signed in at a client, although one was to be.
  mutating func loseCredential(of client: ClientIndex) {
    if has(client) { ledgers[client.number].hasLostCredential = true }
  }

  /// Records that a connection of a client began or ended: what has no answer may come again.
  mutating func beginConnection(of client: ClientIndex) {
    guard has(client) else { return }
    ledgers[client.number].accepted = 0
    ledgers[client.number].connection += 1
  }

  func has(_ client: ClientIndex) -> Bool { ledgers.indices.contains(client.number) }

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
      !ledger.willsGivePriorities, !ledger.calls.contains(where: \.mayGivePriorities)
    else { return nil }
    return finding
  }
}

// MARK: - Plain writes

extension WriteLaws {
  mutating func judgePlainWrite(_ accepted: Answer) -> [InvariantViolation] {
    let client = accepted.client.number
    let open = ledgers[client].open.filter {
      ledgers[client].isOpenWrite($0, carriedBy: accepted.request)
    }
    let next =
      open.first { $0 >= ledgers[client].accepted }
      ?? open.first { ledgers[client].calls[$0].acceptance != .certain }
    if let next {
      ledgers[client].accepted = max(ledgers[client].accepted, next + 1)
      ledgers[client].doubt(accepted.request, besides: next)
      doubt(open, besides: next, of: client)
      // What was accepted comes again after a connection broke: the client cannot know.
      return ledgers[client].calls[next].acceptance == .certain ? [] : accept(next, accepted)
    }
    return judgeRepetition(of: open.last, accepted)
  }

  /// Of equal writes that wait at the same time each may be the one that the server accepted: another
  /// may have been refused, or accepted over a connection that is gone. Where the server fills
  /// something in, each counts.
  private mutating func doubt(_ equal: [Int], besides next: Int, of client: Int) {
    let sets = ledgers[client].calls[next].write?.sets ?? []
    if sets.contains(where: { $0.node.hasServerValues }) { return }
    for index in equal where index != next && ledgers[client].calls[index].acceptance == .none {
      ledgers[client].calls[index].acceptance = .possible
    }
  }

  /// A plain write that is not the next one: it was done before, or was not asked for. `open` is
  /// the last call without an end that asked for the same.
  func judgeRepetition(of open: Int?, _ accepted: Answer) -> [InvariantViolation] {
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

  /// Records that a call has taken effect, and judges when it did and in whose name.
  mutating func accept(_ index: Int, _ accepted: Answer) -> [InvariantViolation] {
    let client = accepted.client.number
    ledgers[client].calls[index].acceptance = .certain
    // Of two connections at a time it is unknown which one brought it.
    let connection = accepted.credential == nil ? nil : ledgers[client].connection
    ledgers[client].calls[index].connection = connection
    let ledger = ledgers[client]
    let call = ledger.calls[index]
    var findings: [InvariantViolation] = []
    // What another connection brought may have been refused or lost there, and is sent again.
    let last = ledger.calls.indices[(index + 1)...].last { later in
      ledger.calls[later].acceptance == .certain && connection != nil
        && ledger.calls[later].connection == connection
        && (!ledger.calls[later].isTransaction && !call.isTransaction
          || ledger.calls[later].isRelated(to: call))
    }
    if let later = last.map({ ledger.calls[$0] }), !ledger.hasStorageFailed {
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

  static func name(_ credential: String?) -> String { credential ?? "nobody" }

  func about(
    _ call: RequestedCall, _ accepted: Answer
  ) -> InvariantViolation.About {
    .call(accepted.client, call.call, call.operation)
  }
}
