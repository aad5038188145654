public import ClientInterface
public import Conformance
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// Something that a conforming client does in a run, given the same calls and messages, and that the
/// client under test never does.
package struct MissingAction: Hashable, Sendable {
  /// The client that does not do it.
  package var client: ClientIndex
  /// What the conforming client does.
  package var output: ClientOutput
  /// When it does it, from the start of the run.
  package var time: Interval
  /// The event of the trace because of which it does it.
  package var cause: Int
  /// Whether the client has done the same before: a request is sent again, a connection is asked for
  /// again.
  package var isAgain = false
}

extension ScenarioResult {
  /// What a conforming client does in this run and the client under test never does, the earliest
  /// first.
  ///
  /// A fresh client is given the calls and the messages that each client of the run was given; nothing
  /// is run again.
  ///
  /// - Parameter makeReference: Makes a conforming client.
  /// - Returns: The actions by time.
  /// - Complexity: O(events).
  package func missingActions(_ makeReference: @escaping () -> any SyncClient) -> [MissingAction] {
    actionsAndPings(makeReference).filter { $0.output != .send(.ping) }
  }

  /// The same with the keep-alives that a conforming client would send if nothing reached it any more.
  private func actionsAndPings(_ makeReference: @escaping () -> any SyncClient) -> [MissingAction] {
    let account = ActionAccount(of: trace)
    return shadowed(by: makeReference).flatMap { account.missing(among: $0) }
      .enumerated().sorted { first, second in
        let (a, b) = (first.element, second.element)
        return (a.time, a.cause, first.offset) < (b.time, b.cause, second.offset)
      }.map(\.element)
  }

  /// The missing event from which a failure follows, as its cause: `missing-event child_changed`.
  /// A client that never raises an event breaks several invariants, and makes no call in the callback
  /// of that event; all of that is explained once.
  ///
  /// - Parameter makeReference: Makes a conforming client.
  /// - Returns: `nil` where the signature itself states the cause.
  /// - Complexity: O(events).
  public func missingEvent(
    comparedWith makeReference: @escaping () -> any SyncClient
  ) -> String? {
    guard verdict == .fail, let divergence = divergences.first, !divergence.isMissingEvent,
      case let .event(event)? = absence(behind: divergence, comparedWith: makeReference)?.output
    else { return nil }
    return "missing-event \(event.type.rawValue)"
  }

  /// The missing action that a divergence follows from; `nil` where there is none, and for a divergence
  /// that is about something that was done.
  ///
  /// For a call that was to be made in a callback it is what calls that back. Else it is the earliest one
  /// of the same client that concerns the same location, call or listener, or one of another client that
  /// should have written there.
  package func absence(
    behind divergence: Divergence, comparedWith makeReference: @escaping () -> any SyncClient
  ) -> MissingAction? {
    guard let reach = divergence.kind.traits.reach else { return nil }
    let client = scenario.clients.firstIndex { $0 == divergence.clientName }
    let all = divergence.isUnsettled ? actionsAndPings : missingActions
    let missing = all(makeReference).filter { reach == .everything || !$0.isShown }
    let own = missing.filter { client == nil || $0.client.number == client }
    return callback(before: divergence, among: own)
      ?? own.first { divergence.concerns($0) }
      ?? missing.first { $0.client.number != client && $0.writes(to: divergence.subject.path) }
  }

  /// The action in whose callback the application was to make a call, or a call before that one.
  private func callback(
    before divergence: Divergence, among actions: [MissingAction]
  ) -> MissingAction? {
    guard var name = callName(of: divergence) else { return nil }
    let reactions = scenario.steps.flatMap(\.parts).compactMap { step -> Reaction? in
      if case let .on(reaction)? = step.action.call?.operation { reaction } else { nil }
    }
    for _ in reactions {
      guard
        let callback = reactions.first(where: { $0.calls.contains { $0.id.name == name } })?
          .callback
      else { return nil }
      if let action = actions.first(where: { callback.isCalled(by: $0.output) }) { return action }
      name = callback.name
    }
    return nil
  }

  /// The call, or the one that makes the listener, that a divergence is about. One that was never made
  /// is found by where it is expected.
  private func callName(of divergence: Divergence) -> String? {
    switch divergence.subject {
    case let .listener(_, name, _), let .call(_, name, _): name
    case .client:
      scenario.steps.flatMap { $0.expectation?.outcomes ?? [] }
        .first { $0.position == divergence.position }?.call.name
    case .server: nil
    }
  }
}

extension Subject {
  /// The client that it is about; `nil` for the server.
  package var clientName: String? {
    switch self {
    case let .listener(client, _, _), let .call(client, _, _), let .client(client): client
    case .server: nil
    }
  }
}

extension MissingAction {
  /// Whether the application itself should have received it.
  fileprivate var isShown: Bool {
    switch output {
    case .event, .cancelled, .completed, .answered, .threw: true
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .updateRan, .calling,
      .returned, .store, .erase, .uncaught, .log:
      false
    }
  }

  /// Whether it is a request that changes, or would change, data at or around a location.
  fileprivate func writes(to path: Path) -> Bool {
    guard case let .send(.request(_, request)) = output else { return false }
    switch request {
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel:
      return request.path?.isRelated(to: path) ?? false
    case .listen, .unlisten, .get, .stats, .authenticate, .unauthenticate: return false
    }
  }
}

extension Divergence {
  /// Whether an event is missing that an expectation lists.
  fileprivate var isMissingEvent: Bool { if case .missing = kind.base { true } else { false } }

  fileprivate var isUnsettled: Bool { if case .unsettled = kind { true } else { false } }

  /// The client that it is about; of a run that does not settle the first one that has something to do.
  fileprivate var clientName: String? {
    guard case let .unsettled(reason) = kind else { return subject.clientName }
    return reason.client
  }

  /// Whether a missing action of the client that this is about is about the same.
  fileprivate func concerns(_ missing: MissingAction) -> Bool {
    switch missing.output {
    case .connect, .connectTo, .disconnect, .send(.ping): true
    case let .send(.request(_, request)): concerns(request)
    case let .event(event): isAbout(event.listener)
    case let .cancelled(listener, _): isAbout(listener)
    case let .completed(call, _), let .answered(call, _), let .threw(call, _): isAbout(call)
    case .setTimer, .cancelTimer, .updateRan, .calling, .returned, .store, .erase,
      .uncaught, .log:
      false
    }
  }

  private func concerns(_ request: Request) -> Bool {
    if case let .frames(expected, _) = kind { return request.action.rawValue == expected.kind }
    switch subject {
    case let .call(_, _, operation):
      guard let path = operation.path else { return request.path == nil }
      return request.path?.isRelated(to: path) ?? false
    case .listener: return request.path?.isRelated(to: subject.path) ?? true
    case .client, .server: return true
    }
  }

  private func isAbout(_ listener: ListenerID) -> Bool {
    if case let .listener(_, name, _) = subject { name == listener.name } else { false }
  }

  private func isAbout(_ call: CallID) -> Bool {
    if case let .call(_, id, _) = subject { id == call.name } else { false }
  }
}

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
