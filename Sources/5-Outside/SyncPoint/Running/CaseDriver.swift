internal import ClientInterface
internal import ReferenceClient
internal import Tree
internal import Wire

/// A reference client that is led through the steps of a case, at one location.
///
/// It is used as applications and servers use it: calls and messages go in, events come out. The
/// server never answers listens, because cases list all data that come.
struct CaseDriver {
  private let base: Path
  private var client = ReferenceClient(profile: .firebase)
  private var registrations: [Registration] = []
  private var calls = 0
  /// The number of each write's request, by the number that the case gives the write. `nil` for a
  /// write that the client refused.
  private var requests: [Int?] = []
  /// The client's tags, by those of the case.
  private var tags: [Int: Int] = [:]

  private struct Registration {
    let listener: ListenerID
    let target: Operation.Target
    let tag: Int?
    let callback: Int?
  }

  /// What a step led to.
  struct Outcome {
    var events: [Observation] = []
    /// Why the client refused the call of the step; `nil` when it did not.
    var refusal: ErrorCode?
  }

  /// An event with the registration that received it.
  struct Observation {
    var listener: ListenerID
    var event: CaseStep.Event
  }

  /// A connected client that receives nothing yet.
  init(at base: Path) {
    self.base = base
    _ = handle(.open(.init()))
    _ = handle(.opened)
    _ = handle(
      .frame(.hello(.init(timestamp: 0, version: "5", host: "kennel.test", session: "1"))))
  }

  /// Makes one step.
  mutating func perform(_ action: CaseStep.Action) -> Outcome {
    switch action {
    case let .listen(path, query, tag, callback):
      return listen(Operation.Target(base.appending(path), query), tag: tag, callback)
    case let .unlisten(path, callback): return unlisten(base.appending(path), callback)
    case let .serverUpdate(path, node, tag):
      return handle(.frame(.put(base.appending(path), node, tag: clientTag(tag))))
    case let .serverMerge(path, assignments, tag):
      return handle(.frame(.merge(base.appending(path), assignments, tag: clientTag(tag))))
    case let .set(path, node, .shown): return call(Self.set(node, at: base.appending(path)))
    case let .set(path, node, .hidden): return setHidden(node, at: base.appending(path))
    case let .update(path, assignments):
      return call(.update(base.appending(path), assignments))
    case let .acknowledge(write, answer): return acknowledge(write, answer)
    case .suppressWarning: return Outcome()
    }
  }
}

// MARK: - Listening

extension CaseDriver {
  private mutating func listen(
    _ target: Operation.Target, tag: Int?, _ callback: Int?
  ) -> Outcome {
    let listener = ListenerID("L\(registrations.count + 1)")
    registrations.append(
      Registration(listener: listener, target: target, tag: tag, callback: callback))
    return handle(.call(nextCall(), .listen(listener, target, Set(EventType.allCases))))
  }

  private mutating func unlisten(_ path: Path, _ callback: Int) -> Outcome {
    var outcome = Outcome()
    for registration in registrations
    where registration.target.path == path && registration.callback == callback {
      let part = handle(.call(nextCall(), .unlisten(registration.listener, at: nil)))
      outcome.events += part.events
    }
    return outcome
  }

  /// The client's tag for a query that the case gives a tag. A query that another listener covered
  /// from its first moment was never sent to the server; both count queries from 1, so its tag in
  /// the case is the client's.
  private func clientTag(_ tag: Int?) -> Int? {
    tag.map { tags[$0] ?? $0 }
  }
}

// MARK: - Writing

extension CaseDriver {
  /// A set of a priority is a call of its own.
  private static func set(_ node: Node, at path: Path) -> Operation {
    guard path.key == .priority, let owner = path.parent else { return .set(path, node) }
    return .setPriority(owner, node.scalar?.json ?? .null)
  }

  private mutating func call(_ operation: Operation) -> Outcome {
    requests.append(nil)
    return handle(.call(nextCall(), operation))
  }

  /// Sets a location as a transaction without local events does, and does nothing else that one does:
  /// it would run its function again, and would listen.
  private mutating func setHidden(_ node: Node, at path: Path) -> Outcome {
    client.policy.writesAreShown = false
    defer { client.policy.writesAreShown = true }
    return call(Self.set(node, at: path))
  }

  private mutating func acknowledge(_ write: Int, _ answer: CaseStep.Answer) -> Outcome {
    guard requests.indices.contains(write), let request = requests[write] else {
      return Outcome()
    }
    let status = answer == .accepted ? "ok" : "permission_denied"
    return handle(.frame(.response(.init(to: request, status: status))))
  }

  private mutating func nextCall() -> CallID {
    calls += 1
    return CallID("call\(calls)")
  }
}

// MARK: - The client

extension CaseDriver {
  private mutating func handle(_ input: ClientInput) -> Outcome {
    var outputs: [ClientOutput] = []
    client.handle(input, at: .epoch, into: &outputs)
    return outcome(of: outputs)
  }

  private mutating func outcome(of outputs: [ClientOutput]) -> Outcome {
    var outcome = Outcome()
    for output in outputs {
      switch output {
      case let .event(event): outcome.events += observation(event).map { [$0] } ?? []
      case let .threw(_, error): outcome.refusal = error
      case let .send(.request(number, request)): record(request, number)
      case .connect, .connectTo, .send(.ping), .disconnect, .setTimer, .cancelTimer, .cancelled,
        .completed, .answered, .updateRan, .calling, .returned, .store, .erase, .uncaught, .log:
        break
      }
    }
    return outcome
  }

  private func observation(_ event: ClientInterface.Event) -> Observation? {
    guard let path = registrations.first(where: { $0.listener == event.listener })?.target.path
    else { return nil }
    let key = event.type == .value ? nil : event.key
    return Observation(
      listener: event.listener,
      event: CaseStep.Event(
        event.type, at: path, key: key, previous: event.previous, value: event.value))
  }

  private mutating func record(_ request: Request, _ number: Int) {
    switch request {
    case let .listen(listen):
      let registration = registrations.last {
        $0.target.path == listen.path && $0.target.query == listen.query
      }
      if let tag = registration?.tag, let own = listen.tag { tags[tag] = own }
    case .put, .merge:
      if !requests.isEmpty { requests[requests.count - 1] = number }
    case .unlisten, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel, .get, .stats,
      .authenticate, .unauthenticate:
      break
    }
  }
}

extension Instant {
  /// Cases know no time.
  fileprivate static let epoch = Instant(nanoseconds: 0)
}
