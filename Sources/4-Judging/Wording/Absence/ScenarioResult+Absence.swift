package import ClientInterface
package import Conformance
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

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
    let reactions = scenario.steps.flatMap(\.reactions)
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

extension Step {
  /// What clients are to do in callbacks.
  fileprivate var reactions: [Reaction] {
    if case let .together(steps) = action { return steps.flatMap(\.reactions) }
    guard case let .on(reaction)? = action.call?.operation else { return [] }
    return [reaction]
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
