internal import ClientInterface
internal import Conformance
internal import Trace
internal import Tree
internal import Wire

/// What the clients of a run have done that others notice: requests, connections, and what the application
/// receives. When a client did it does not matter here, nor how often more than needed.
struct ActionAccount {
  fileprivate enum Action: Hashable {
    case request(Request)
    case ping
    /// Without a host it is the one that the client was opened with.
    case connection(host: String?)
    case disconnection
    case event(ListenerID, EventType, Key?, Node)
    case cancellation(ListenerID)
    case answer(CallID)
    case end(CallID)

    /// `nil` for what no other party notices, or what a client may leave out.
    init?(_ output: ClientOutput, home: String?) {
      switch output {
      case .send(.request(_, .stats)): return nil
      // What a transaction writes depends on when it is sent.
      case let .send(.request(_, .put(path, _, _?))): self = .request(.put(path, .empty, hash: ""))
      case let .send(.request(_, request)): self = .request(request.outline)
      case .send(.ping): self = .ping
      case .connect: self = .connection(host: nil)
      case let .connectTo(host): self = .connection(host: host == home ? nil : host)
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
  /// The host that each client was opened with.
  private var homes: [ClientIndex: String] = [:]

  /// Takes what the clients did in a run.
  init(of trace: Trace) {
    for event in trace.events {
      switch event.kind {
      case .input(let client, .closed), .input(let client, .refused):
        givenUp[client] = event.sequence
      case let .input(client, .open(opening)):
        givenUp[client] = nil
        homes[client] = opening.host
      case .input(let client, .close): givenUp[client] = nil
      case let .output(client, output):
        if output.seeksConnection { givenUp[client] = nil }
        if let action = Action(output, home: homes[client]) {
          observed[client, default: [:]][action, default: 0] += 1
        }
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
    var matched: [Action: Int] = [:]
    var total: [Action: Int] = [:]
    for case let .output(client, output) in done.lazy.filter({ $0.cause != nil }).map(\.kind) {
      if let action = Action(output, home: homes[client]) { total[action, default: 0] += 1 }
    }
    // A ping is the last: what follows comes of silence that was not there.
    let ping = done.firstIndex {
      if case .output(_, .send(.ping)) = $0.kind { true } else { false }
    }
    return done.prefix(ping.map { $0 + 1 } ?? done.count).compactMap { event in
      guard case let .output(client, output) = event.kind,
        let action = Action(output, home: homes[client]),
        let cause = event.cause ?? givenUp[client]
      else { return nil }
      if event.cause != nil,
        count(of: action, by: client, beside: total) > matched[action, default: 0]
      {
        matched[action, default: 0] += 1
        return nil
      }
      return MissingAction(
        client: client, output: output, time: event.time, cause: cause,
        isAgain: matched[action] != nil)
    }
  }

  /// How often a client did something, or something else that serves as well and that a conforming
  /// client does not do, or not so often.
  private func count(
    of action: Action, by client: ClientIndex, beside total: [Action: Int]
  ) -> Int {
    let own = observed[client] ?? [:]
    let exact = own[action] ?? 0
    switch action {
    // Which host a client names is its own affair, unless the server has sent it to one.
    case .connection(host: nil):
      return own.reduce(0) { count, done in
        if case .connection = done.key { count + done.value } else { count }
      }
    case let .request(.unlisten(path, query, _)):
      return own[.request(.listen(.init(path: path, query: query)))] == nil ? .max : exact
    case let .request(request):
      return own.reduce(exact) { count, done in
        done.key.covers(request) ? max(count, done.value - (total[done.key] ?? 0)) : count
      }
    case .connection, .ping, .disconnection, .event, .cancellation, .answer, .end: return exact
    }
  }
}

extension ActionAccount.Action {
  /// Whether it is a listen on everything that a listen or a read asks for.
  fileprivate func covers(_ request: Request) -> Bool {
    guard case let .request(.listen(own)) = self, own.query == nil, let path = request.path else {
      return false
    }
    switch request {
    case .listen, .get: return path.starts(with: own.path)
    case .unlisten, .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
      .stats, .authenticate, .unauthenticate:
      return false
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
