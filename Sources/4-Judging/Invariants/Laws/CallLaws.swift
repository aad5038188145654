internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree

// How calls end, and what goes out of them.

extension TurnOccasion {
  /// What became of a call in the turn.
  func judge(_ fact: CallFact) -> Judgement {
    switch fact.what {
    case let .unaccepted(path, _):
      return violated(
        .acknowledgedIsKept, fact,
        "the call succeeded, but the server never accepted its write of \(path)")
    case .endedAgain: return violated(.endsOnce, fact, "the call ended a second time")
    case .ranAfterEnd: return violated(.endsOnce, fact, "the function ran after the call had ended")
    case .overtaken:
      return violated(.endsInOrder, fact, "the call ended after one that was made later")
    case .endedEarly:
      return violated(.answeredFirst, fact, "the call succeeded before the server answered")
    case let .committed(value, function, input):
      return judge(value, madeBy: function, of: input, fact)
    case let .keyed(key, last):
      return violated(
        .ascendingKeys, fact, "the key \(key) does not come after \(last), which was made before it"
      )
    case let .sentBefore(earlier, path):
      return violated(
        .sentOnce, fact, "the write of \(path) was sent before \(earlier.name), made earlier")
    case let .sentTwice(path):
      return violated(.sentOnce, fact, "the write of \(path) was sent twice on one connection")
    case let .sentUnasked(path):
      return violated(
        .sentOnce, fact,
        "the client sent a write of \(path) that no call made, or that was answered")
    case let .onDisconnectSentBefore(path):
      return violated(
        .requestedOnce, fact, "the on-disconnect request for \(path) was sent before an earlier one"
      )
    case let .onDisconnectSentAgain(path):
      return violated(
        .requestedOnce, fact,
        "the on-disconnect request for \(path) was sent again, out of order, or unasked")
    }
  }

  private func judge(
    _ value: Node, madeBy function: TransactionFunction, of input: JSON, _ fact: CallFact
  ) -> Judgement {
    guard case let .returned(result) = function(input) else { return .holds }
    let node = Node(json: result)
    if node.hasServerValues { return .unknown(.serverValues, of: .committedResult) }
    let (committed, returned) = (value.plainJSON(profile.arrays), node.plainJSON(profile.arrays))
    if returned == committed { return .holds }
    return violated(
      .committedResult, fact,
      "the transaction committed \(committed.text), but its function returned \(returned.text)")
  }

  private func violated(
    _ invariant: Invariant, _ fact: CallFact, _ sentence: String
  ) -> Judgement {
    let about = fact.call.map { InvariantViolation.About.call(client, $0.id, $0.operation) }
    return .violated(invariant, about ?? .client(client), at: fact.sequence, sentence)
  }

  /// An output that is about the connection, before the model has taken it.
  func judge(_ output: ClientOutput, at sequence: Int) -> Judgement {
    switch output {
    case .connect where link.wantsOffline, .connectTo where link.wantsOffline:
      return .violated(
        .staysOffline, .client(client), at: sequence,
        "the client asked for a connection after it was taken offline")
    case let .setTimer(_, delay, .backOff) where delay.milliseconds > link.longestDelay + 1:
      return .violated(
        .boundedBackOff, .client(client), at: sequence,
        "the client waits \(Int(delay.milliseconds)) ms before it tries again, but the limit is "
          + "\(Int(link.longestDelay)) ms")
    default: return .holds
    }
  }

  /// WRT-11: in a turn with the end of a plain write no event comes after that.
  func judgeEnds() -> Judgement {
    var end: (call: CallID, operation: Operation)?
    for done in step.outputs {
      switch done.output {
      case let .completed(call, _):
        guard let operation = calls.operation(of: call), operation.kind.family == .writing
        else { continue }
        end = (call, operation)
      case let .event(event):
        guard let end else { continue }
        return .violated(
          .endsAfterEvents, .call(client, end.call, end.operation), at: done.sequence,
          "the call ended before \(event.name) at \(event.listener.name), which belongs to its "
            + "answer")
      default: continue
      }
    }
    return .holds
  }
}
