internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// Something that became of a call in a turn.
struct CallOccasion {
  let turn: TurnOccasion
  let fact: CallFact

  func violated(_ sentence: String) -> Judgement {
    let about = fact.call.map { InvariantViolation.About.call(turn.client, $0.id, $0.operation) }
    return .violated(about ?? .client(turn.client), at: fact.sequence, sentence)
  }
}

// How calls end, and what goes out of them.

enum CallLaws {
  static let all: [Law<CallOccasion>] = [
    Law(.acknowledgedIsKept) {
      guard case let .unaccepted(path, _) = $0.fact.what else { return .holds }
      return $0.violated("the call succeeded, but the server never accepted its write of \(path)")
    },
    Law(.endsOnce) {
      switch $0.fact.what {
      case .endedAgain: $0.violated("the call ended a second time")
      case .ranAfterEnd: $0.violated("the function ran after the call had ended")
      default: .holds
      }
    },
    Law(.endsInOrder) {
      guard case .overtaken = $0.fact.what else { return .holds }
      return $0.violated("the call ended after one that was made later")
    },
    Law(.answeredFirst) {
      guard case .endedEarly = $0.fact.what else { return .holds }
      return $0.violated("the call succeeded before the server answered")
    },
    Law(.committedResult, unknown: [.serverValues]) { occasion in
      guard case let .committed(value, function, input) = occasion.fact.what,
        case let .returned(result) = function(input)
      else { return .holds }
      let (arrays, node) = (occasion.turn.profile.arrays, Node(json: result))
      if node.hasServerValues { return .unknown(.serverValues) }
      let (committed, returned) = (value.plainJSON(arrays), node.plainJSON(arrays))
      if returned == committed { return .holds }
      return occasion.violated(
        "the transaction committed \(committed.text), but its function returned \(returned.text)")
    },
    Law(.failedOrCommitted) {
      guard case .failedAndCommitted = $0.fact.what else { return .holds }
      return $0.violated("the transaction ended with an error, and as committed")
    },
    Law(.ascendingKeys) {
      guard case let .keyed(key, last) = $0.fact.what else { return .holds }
      return $0.violated("the key \(key) does not follow \(last), which was made before it")
    },
    Law(.sentOnce) {
      switch $0.fact.what {
      case let .sentBefore(earlier, path):
        $0.violated("the write of \(path) was sent before \(earlier.name), made earlier")
      case let .sentTwice(path):
        $0.violated("the write of \(path) was sent twice on one connection")
      case let .sentUnasked(path):
        $0.violated(
          "the client sent a write of \(path) that no call made, or that was answered")
      default: .holds
      }
    },
    Law(.requestedOnce) {
      switch $0.fact.what {
      case let .onDisconnectSentBefore(path):
        $0.violated("the on-disconnect request for \(path) was sent before an earlier one")
      case let .onDisconnectSentAgain(path):
        $0.violated(
          "the on-disconnect request for \(path) was sent again, out of order, or unasked")
      default: .holds
      }
    },
  ]
}

/// An output that is about the connection, before the model has taken it.
struct LinkOccasion {
  let turn: TurnOccasion
  let done: ClientStep.Done
}

enum LinkLaws {
  static let staysOffline = Law<LinkOccasion>(.staysOffline, unknown: [.severalChanges]) {
    if !$0.turn.link.wantsOffline { return .holds }
    // One callback may have taken it online, and a later one offline again.
    if $0.turn.step.isSplit, !$0.turn.step.connects { return .unknown(.severalChanges) }
    return .violated(
      .client($0.turn.client), at: $0.done.sequence,
      "the client asked for a connection after it was taken offline")
  }

  static let boundedBackOff = Law<LinkOccasion>(.boundedBackOff) {
    let limit = $0.turn.link.longestDelay
    guard case let .setTimer(_, delay, .backOff) = $0.done.output, delay.milliseconds > limit + 1
    else { return .holds }
    return .violated(
      .client($0.turn.client), at: $0.done.sequence,
      "the client waits \(Int(delay.milliseconds)) ms before it tries again, but the limit is "
        + "\(Int(limit)) ms")
  }
}

/// A push id, with what the client can know of the time: all in milliseconds since 1970.
struct KeyOccasion {
  let turn: TurnOccasion
  let call: CallID
  let key: String
  /// The event of the answer.
  let sequence: Int
  /// What the client's clock shows.
  let clock: Double
  /// What the server's showed at the last hello, less what the client's did then.
  let offset: Double?
  /// The time in the key before.
  let last: Double?
}

enum KeyLaws {
  static let timeInKey = Law<KeyOccasion>(.timeInKey) { occasion in
    guard let time = pushIDTime(in: occasion.key) else { return .holds }
    let clocks = [occasion.clock, occasion.clock + (occasion.offset ?? 0)]
    if clocks.contains(where: { abs($0 - time) <= margin }) { return .holds }
    // PSH-9: after either clock was set back, keys go on from where they were.
    if let last = occasion.last, time == last, time > min(clocks[0], clocks[1]) { return .holds }
    guard let operation = occasion.turn.calls.operation(of: occasion.call) else { return .holds }
    let shown = clocks.map { String(Int64($0)) }
    return .violated(
      .call(occasion.turn.client, occasion.call, operation), at: occasion.sequence,
      "the key \(occasion.key) has the time \(Int64(time)), but the client's clock shows \(shown[0])"
        + (occasion.offset == nil ? "" : ", and by it the server's \(shown[1])"))
  }

  /// How far an estimate of the server's clock may be off, by what messages take.
  private static let margin = 1000.0

  /// The time in a push id (PSH-2); `nil` for what is none (PSH-1).
  static func pushIDTime(in key: String) -> Double? {
    guard key.utf8.count == 20 else { return nil }
    var time = 0.0
    for byte in key.utf8.prefix(8) {
      guard let digit = alphabet.firstIndex(of: byte) else { return nil }
      time = time * 64 + Double(digit)
    }
    return time
  }

  private static let alphabet = Array(
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)
}

/// A listen that a client sends, and what is certain that it has of it.
struct ListenOccasion {
  let turn: TurnOccasion
  let listen: Request.Listen
  /// The event of the message.
  let sequence: Int
  let data: Node
}

enum ListenLaws {
  static let restoredClaim = Law<ListenOccasion>(.restoredClaim, unknown: [.ownOnDisconnect]) {
    let (listen, data) = ($0.listen, $0.data)
    if listen.hash.isEmpty || data.isClaimed(by: listen.hash, listen.query) { return .holds }
    // Many languages write JSON without the sign of zero, which the hash has (HSH-4).
    if data.hasNegativeZero { return .holds }
    // OND-8: what the server is to do at the end may count as done.
    let wills = $0.turn.calls.onDisconnects
    if wills.contains(where: { $0.path?.isRelated(to: listen.path) ?? false }) {
      return .unknown(.ownOnDisconnect)
    }
    return .violated(
      .client($0.turn.client), at: $0.sequence,
      "the listen to \(listen.path) is restored with the hash of other data, but the client was sent "
        + "\(data)")
  }
}

/// A put of transactions that a client sends, and what is certain that it has of the location.
struct VouchingOccasion {
  let turn: TurnOccasion
  let number: Int
  let path: Path
  let hash: String
  /// The event of the message.
  let sequence: Int
  let data: Node

  /// Whether the functions of all transactions that the put carries ran in this turn.
  fileprivate var isComputedNow: Bool {
    let calls = turn.calls
    guard let put = calls.puts[number] else { return false }
    return put.carried.allSatisfy { carried in
      let call = calls.requested[carried.index].call
      return turn.step.outputs.contains { $0.output.isRun(of: call) }
    }
  }
}

enum VouchingLaws {
  static let sentHash = Law<VouchingOccasion>(
    .sentHash,
    unknown: [.otherWrites, .openTransactions, .inheritedWrites, .ownOnDisconnect, .severalChanges]
  ) { occasion in
    let (path, data, calls) = (occasion.path, occasion.data, occasion.turn.calls)
    if data.hash == occasion.hash || data.hasNegativeZero { return .holds }
    if occasion.turn.step.isSplit { return .unknown(.severalChanges) }
    // What goes out later than in the turn of its computation may be out of date by then.
    if !occasion.isComputedNow { return .holds }
    if calls.hasInherited { return .unknown(.inheritedWrites) }
    if !calls.carriesAll(over: path, by: occasion.number) { return .unknown(.openTransactions) }
    if calls.pending.contains(where: { $0.reaches(path) }) {
      return .unknown(.otherWrites)
    }
    if calls.onDisconnects.contains(where: { $0.path?.isRelated(to: path) ?? false }) {
      return .unknown(.ownOnDisconnect)
    }
    return .violated(
      .client(occasion.turn.client), at: occasion.sequence,
      "the put of \(path) carries the hash of other data than the client was sent, which are \(data)"
    )
  }
}

extension Node {
  fileprivate var hasNegativeZero: Bool {
    [scalar, priority].contains {
      if case let .number(number)? = $0 { number.isNegativeZero } else { false }
    }
      || children.contains { $0.node.hasNegativeZero }
  }
}

extension Double {
  fileprivate var isNegativeZero: Bool { isZero && sign == .minus }
}

// What a whole turn shows, apart from single events: what callbacks do, and when the end of a write
// comes.

enum TurnLaws {
  static let reactions = Law<TurnOccasion>(.madeInCallback) {
    guard let (missing, sequence) = $0.judged.pointee.application.reactions.missed else {
      return .holds
    }
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
