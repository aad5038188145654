internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree

// How calls end, and what goes out of them.

enum CallLaws {
  /// What something says that became of a call in a turn.
  static func judge(_ fact: CallFact, in turn: TurnOccasion) -> (Invariant, Judgement) {
    let invariant: Invariant
    let sentence: String
    switch fact.what {
    case let .unaccepted(path, _):
      invariant = .acknowledgedIsKept
      sentence = "the call succeeded, but the server never accepted its write of \(path)"
    case .endedAgain:
      (invariant, sentence) = (.endsOnce, "the call ended a second time")
    case .ranAfterEnd:
      (invariant, sentence) = (.endsOnce, "the function ran after the call had ended")
    case .overtaken:
      (invariant, sentence) = (.endsInOrder, "the call ended after one that was made later")
    case .endedEarly:
      (invariant, sentence) = (.answeredFirst, "the call succeeded before the server answered")
    case let .committed(value, function, input):
      let arrays = turn.profile.arrays
      guard case let .returned(result) = function(input) else { return (.committedResult, .holds) }
      let node = Node(json: result)
      if node.hasServerValues { return (.committedResult, .unknown(.serverValues)) }
      let (committed, returned) = (value.plainJSON(arrays), node.plainJSON(arrays))
      if returned == committed { return (.committedResult, .holds) }
      invariant = .committedResult
      sentence =
        "the transaction committed \(committed.text), but its function returned \(returned.text)"
    case let .keyed(key, last):
      invariant = .ascendingKeys
      sentence = "the key \(key) does not come after \(last), which was made before it"
    case let .sentBefore(earlier, path):
      invariant = .sentOnce
      sentence = "the write of \(path) was sent before \(earlier.name), made earlier"
    case let .sentTwice(path):
      (invariant, sentence) = (.sentOnce, "the write of \(path) was sent twice on one connection")
    case let .sentUnasked(path):
      invariant = .sentOnce
      sentence = "the client sent a write of \(path) that no call made, or that was answered"
    case let .onDisconnectSentBefore(path):
      invariant = .requestedOnce
      sentence = "the on-disconnect request for \(path) was sent before an earlier one"
    case let .onDisconnectSentAgain(path):
      invariant = .requestedOnce
      sentence = "the on-disconnect request for \(path) was sent again, out of order, or unasked"
    }
    let about = fact.call.map { InvariantViolation.About.call(turn.client, $0.id, $0.operation) }
    return (invariant, .violated(about ?? .client(turn.client), at: fact.sequence, sentence))
  }
}

enum LinkLaws {
  /// What is wrong with an output that is about the connection, before the model has taken it.
  static func broken(
    _ output: ClientOutput, in turn: TurnOccasion
  ) -> (invariant: Invariant, sentence: String)? {
    switch output {
    case .connect where turn.link.wantsOffline, .connectTo where turn.link.wantsOffline:
      return (.staysOffline, "the client asked for a connection after it was taken offline")
    case let .setTimer(_, delay, .backOff) where delay.milliseconds > turn.link.longestDelay + 1:
      return (
        .boundedBackOff,
        "the client waits \(Int(delay.milliseconds)) ms before it tries again, but the limit is "
          + "\(Int(turn.link.longestDelay)) ms"
      )
    default: return nil
    }
  }
}

// What a whole turn shows, apart from single events: when the end of a write comes.

extension TurnOccasion {
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
          .call(client, end.call, end.operation), at: done.sequence,
          "the call ended before \(event.name) at \(event.listener.name), which belongs to its "
            + "answer")
      default: continue
      }
    }
    return .holds
  }
}
