internal import ClientInterface
internal import Conformance
internal import Trace
internal import Tree
internal import Wire

/// What the clients of a run have done that others notice: requests, connections, and what the application
/// receives. When a client did it does not matter here, nor how often more than needed.
struct ActionAccount {
  private enum Action: Hashable {
    case request(Request)
    case ping
    case connection(host: String?)
    case disconnection
    case event(ListenerID, EventType, Key?, Node)
    case cancellation(ListenerID)
    case answer(CallID)
    case end(CallID)

    /// `nil` for what no other party notices, or what a client may leave out.
    init?(_ output: ClientOutput) {
      switch output {
      case .send(.request(_, .stats)): return nil
      // What a transaction writes depends on when it is sent.
      case let .send(.request(_, .put(path, _, _?))): self = .request(.put(path, .empty, hash: ""))
      case let .send(.request(_, request)): self = .request(request.outline)
      case .send(.ping): self = .ping
      case .connect: self = .connection(host: nil)
      case let .connectTo(host): self = .connection(host: host)
      case .disconnect: self = .disconnection
      case let .event(event): self = .event(event.listener, event.type, event.key, event.value)
      case let .cancelled(listener, _): self = .cancellation(listener)
      case let .answered(call, _): self = .answer(call)
      case let .completed(call, _), let .threw(call, _): self = .end(call)
      case .setTimer, .cancelTimer, .updateRan, .calling, .returned, .store, .erase, .uncaught,
        .log:
        return nil
      }
    }
  }

  /// How often each client did what.
  private var observed: [ClientIndex: [Action: Int]] = [:]
  /// Where a client lost its connection, or its try to connect was refused, if it has done nothing
  /// since to get another one.
  private var givenUp: [ClientIndex: Int] = [:]

  /// Takes what the clients did in a run.
  init(of trace: Trace) {
    for event in trace.events {
      switch event.kind {
      case .input(let client, .closed), .input(let client, .refused):
        givenUp[client] = event.sequence
      case .input(let client, .open), .input(let client, .close): givenUp[client] = nil
      case let .output(client, output):
        if output.seeksConnection { givenUp[client] = nil }
        if let action = Action(output) { observed[client, default: [:]][action, default: 0] += 1 }
      case .step, .input, .serverReceived, .serverSent, .lostToServer, .lostToClient,
        .serverOpened, .serverClosed, .fault, .serverWrite, .serverUpdate:
        break
      }
    }
  }

  /// What a conforming client did in place of a client, and that one did not.
  ///
  /// - Parameter done: What it did, in order; an event without a cause is what it would do next.
  /// - Returns: The actions, in the same order.
  func missing(among done: [TraceEvent]) -> [MissingAction] {
    var matched: Set<Action> = []
    var left: [Action: Int] = [:]
    // A ping is the last: what follows comes of silence that was not there.
    let ping = done.firstIndex {
      if case .output(_, .send(.ping)) = $0.kind { true } else { false }
    }
    return done.prefix(ping.map { $0 + 1 } ?? done.count).compactMap { event in
      guard case let .output(client, output) = event.kind, let action = Action(output),
        let cause = event.cause ?? givenUp[client]
      else { return nil }
      let count = left[action] ?? observed[client]?[action] ?? 0
      if count > 0, event.cause != nil {
        left[action] = count - 1
        matched.insert(action)
        return nil
      }
      return MissingAction(
        client: client, output: output, time: event.time, cause: cause,
        isAgain: matched.contains(action))
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
