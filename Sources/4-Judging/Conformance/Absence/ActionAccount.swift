internal import ClientInterface
import Invariants
internal import Trace
internal import Tree
internal import Wire

/// What a client and its shadow have done that others notice: requests, connections, and what the
/// application receives. When each of them did it does not matter here, nor how often more than needed.
struct ActionAccount {
  private enum Action: Hashable {
    case request(Request)
    case connection(host: String?)
    case disconnection
    case event(ListenerID, EventType, Key?, Node)
    case cancellation(ListenerID)
    case end(CallID)

    /// `nil` for what no other party notices, or what a client may leave out.
    init?(_ output: ClientOutput) {
      switch output {
      case .send(.request(_, .stats)): return nil
      // What a transaction writes depends on when it is sent.
      case let .send(.request(_, .put(path, _, _?))): self = .request(.put(path, .empty, hash: ""))
      case let .send(.request(_, request)): self = .request(request.outline)
      case .connect: self = .connection(host: nil)
      case let .connectTo(host): self = .connection(host: host)
      case .disconnect: self = .disconnection
      case let .event(event): self = .event(event.listener, event.type, event.key, event.value)
      case let .cancelled(listener, _): self = .cancellation(listener)
      case let .completed(call, _), let .answered(call, _), let .threw(call, _): self = .end(call)
      case .send, .setTimer, .cancelTimer, .updateRan, .calling, .returned, .store, .erase,
        .uncaught, .log:
        return nil
      }
    }
  }

  private var expected: [(action: Action, entry: MissingAction)] = []
  private var observed: [Action: Int] = [:]
  /// Where the client lost its last connection, or its try was refused, if it has done nothing since
  /// to get another one.
  private(set) var givenUp: Int?

  /// Notes what the shadow did, which is missing if the client does not do it too.
  mutating func noteShadow(_ entry: MissingAction) {
    if let action = Action(entry.output) { expected.append((action, entry)) }
  }

  /// Notes a turn of the client.
  mutating func noteClient(_ step: ClientStep) {
    switch step.input {
    case .closed, .refused: givenUp = step.sequence
    case .open, .close: givenUp = nil
    case .call, .opened, .frame, .timer: break
    }
    for done in step.outputs {
      if done.output.seeksConnection { givenUp = nil }
      if let action = Action(done.output) { observed[action, default: 0] += 1 }
    }
  }

  /// What only the shadow did, in the order in which it did.
  var missing: [MissingAction] {
    var left = observed
    var matched: Set<Action> = []
    return expected.compactMap { action, entry in
      if let count = left[action], count > 0 {
        left[action] = count - 1
        matched.insert(action)
        return nil
      }
      var entry = entry
      entry.isAgain = matched.contains(action)
      return entry
    }
  }
}

extension ClientOutput {
  /// Whether a client that lost its connection does not leave it at that.
  fileprivate var seeksConnection: Bool {
    switch self {
    case .connect, .connectTo, .setTimer: true
    case .send, .disconnect, .cancelTimer, .event, .cancelled, .completed, .answered, .threw,
      .updateRan, .calling, .returned, .store, .erase, .uncaught, .log:
      false
    }
  }
}
