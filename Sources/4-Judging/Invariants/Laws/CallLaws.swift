internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree

/// Something that became of a call in a turn.
struct CallOccasion {
  let turn: TurnOccasion
  let fact: CallFact

  func violated(_ call: CallID, _ operation: Operation, _ sentence: String) -> Judgement {
    .violated(.call(turn.client, call, operation), at: fact.sequence, sentence)
  }

  func violated(_ end: CallFact.End, _ sentence: String) -> Judgement {
    violated(end.call, end.operation, sentence)
  }

  /// The first end of a call, if it is that.
  var end: CallFact.End? {
    if case let .ended(end) = fact.what, !end.isRepeated { end } else { nil }
  }
}

// How calls end, and what goes out of them.

enum CallLaws {
  /// The law that outranks all others about ends.
  static let acknowledged = Law<CallOccasion>(.acknowledgedIsKept) { occasion in
    guard case let .ended(end) = occasion.fact.what, let path = end.unaccepted else {
      return .holds
    }
    return occasion.violated(
      end, "the call succeeded, but the server never accepted its write of \(path)")
  }

  static let all: [Law<CallOccasion>] = [
    Law(.endsOnce) { occasion in
      switch occasion.fact.what {
      case let .ended(end) where end.isRepeated:
        return occasion.violated(end, "the call ended a second time")
      case let .ranAfterEnd(call, operation):
        return occasion.violated(call, operation, "the function ran after the call had ended")
      default: return .holds
      }
    },
    Law(.endsInOrder) {
      guard let end = $0.end, end.isOvertaken else { return .holds }
      return $0.violated(end, "the call ended after one that was made later")
    },
    Law(.answeredFirst) {
      guard let end = $0.end, end.isEarly else { return .holds }
      return $0.violated(end, "the call succeeded before the server answered")
    },
    Law(.committedResult, unknown: [.serverValues]) { occasion in
      guard let end = occasion.end, let run = end.lastRun,
        let value = end.completion.value?.plainJSON(occasion.turn.profile.arrays),
        case let .returned(result) = run.function(run.input)
      else { return .holds }
      let node = Node(json: result)
      if node.hasServerValues { return .unknown(.serverValues) }
      let returned = node.plainJSON(occasion.turn.profile.arrays)
      if returned == value { return .holds }
      return occasion.violated(
        end,
        "the transaction committed \(value.text), but its function returned \(returned.text)")
    },
    Law(.ascendingKeys) {
      guard case let .keyed(call, operation, key, last) = $0.fact.what else { return .holds }
      return $0.violated(
        call, operation, "the key \(key) does not come after \(last), which was made before it")
    },
    Law(.sentOnce) { occasion in
      guard case let .sentWrite(path, order) = occasion.fact.what else { return .holds }
      let sentence: String
      switch order {
      case .inOrder: return .holds
      case let .before(earlier):
        sentence = "the write of \(path) was sent before \(earlier.name), made earlier"
      case .twice: sentence = "the write of \(path) was sent twice on one connection"
      case .unasked:
        sentence = "the client sent a write of \(path) that no call made, or that was answered"
      }
      return .violated(.client(occasion.turn.client), at: occasion.fact.sequence, sentence)
    },
    Law(.requestedOnce) { occasion in
      guard case let .sentOnDisconnect(path, order) = occasion.fact.what else { return .holds }
      let end: String
      switch order {
      case .inOrder: return .holds
      case .beforeEarlier: end = "was sent before an earlier one"
      case .again: end = "was sent again, out of order, or unasked"
      }
      return .violated(
        .client(occasion.turn.client), at: occasion.fact.sequence,
        "the on-disconnect request for \(path) \(end)")
    },
  ]
}

/// An output that is about the connection, before the model has taken it.
struct LinkOccasion {
  let turn: TurnOccasion
  let output: ClientOutput
  let sequence: Int
}

enum LinkLaws {
  static let all: [Law<LinkOccasion>] = [
    Law(.staysOffline) {
      switch $0.output {
      case .connect, .connectTo:
        if !$0.turn.link.wantsOffline { return .holds }
      default: return .holds
      }
      return .violated(
        .client($0.turn.client), at: $0.sequence,
        "the client asked for a connection after it was taken offline")
    },
    Law(.boundedBackOff) {
      guard case let .setTimer(_, delay, .backOff) = $0.output else { return .holds }
      let bound = $0.turn.link.longestDelay
      guard delay.milliseconds > bound + 1 else { return .holds }
      return .violated(
        .client($0.turn.client), at: $0.sequence,
        "the client waits \(Int(delay.milliseconds)) ms before it tries again, but the limit is "
          + "\(Int(bound)) ms")
    },
  ]
}

// What a whole turn shows, apart from single events: when the end of a write comes, and what callbacks do.

enum TurnLaws {
  static let reactions = Law<TurnOccasion>(.madeInCallback) {
    guard let (missing, sequence) = $0.missedReaction else { return .holds }
    return .violated(
      .call($0.client, missing.id, missing.operation), at: sequence,
      "the callback came, but \(missing.id.name) was not called from inside it")
  }

  /// WRT-11: in a turn with the end of a plain write no event comes after that.
  static let ends = Law<TurnOccasion>(.endsAfterEvents) { turn in
    var end: (call: CallID, operation: Operation)?
    for done in turn.step.outputs {
      switch done.output {
      case let .completed(call, _):
        guard let operation = turn.calls.operation(of: call),
          operation.kind.family == .writing
        else { continue }
        end = (call, operation)
      case let .event(event):
        guard let end else { continue }
        return .violated(
          .call(turn.client, end.call, end.operation), at: done.sequence,
          "the call ended before \(event.name) at \(event.listener.name), which belongs to its "
            + "answer")
      default: continue
      }
    }
    return .holds
  }
}
