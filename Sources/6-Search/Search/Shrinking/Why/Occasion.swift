internal import ClientInterface
internal import Conformance
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What a failure is about, to see whether a changed scenario still has it: a change that takes it
/// away explains nothing.
///
/// It is the listener or the call that fails, and what a conforming client does there. Of something
/// that should not have been done it is what the client was given before it did it.
struct Occasion {
  private let setup: FailingSetup
  private let original: ScenarioResult
  private let subject: Subject
  private let expected: MissingAction?
  private let trigger: Given?
  /// What a conforming client does in the failing scenario.
  private let conforming: Trace

  init(of result: ScenarioResult, _ setup: FailingSetup) {
    (self.setup, original) = (setup, result)
    conforming = setup.reference.run(result.scenario, in: setup.profile).trace
    guard let divergence = result.divergences.first else {
      (subject, expected, trigger) = (.server, nil, nil)
      return
    }
    subject = divergence.subject
    expected = result.absence(behind: divergence, comparedWith: conforming)
    trigger = divergence.evidence.flatMap { result.trace.lastGiven(before: $0) }
  }

  /// Whether it is still there in a changed scenario, in which the client does not fail.
  func stays(in changed: Scenario) -> Bool {
    let conforming = setup.reference.run(changed, in: setup.profile).trace
    guard hasSubject(conforming, changed) else { return false }
    if let expected { return stays(expected, in: conforming, changed) }
    guard let trigger, let client = subject.clientName else { return true }
    let run = setup.runner.run(changed, in: setup.profile).trace
    let (own, others) = (index(of: client, in: original.scenario), index(of: client, in: changed))
    return run.given(others).contains(trigger)
      || run.given(others).count { $0.isLike(trigger) }
        >= original.trace.given(own).count { $0.isLike(trigger) }
  }

  private func index(of client: String, in scenario: Scenario) -> ClientIndex {
    ClientIndex(scenario.clients.firstIndex(of: client) ?? scenario.clients.count)
  }

  private func hasSubject(_ trace: Trace, _ scenario: Scenario) -> Bool {
    guard let name = subject.clientName else { return true }
    let client = index(of: name, in: scenario)
    return trace.events.contains { event in
      guard case .input(client, .call(let call, let operation)) = event.kind else { return false }
      switch subject {
      case .listener:
        return operation.registration.map { subject.isAbout(.listener($0.listener)) } ?? false
      case .call: return subject.isAbout(.call(call))
      case .client, .server: return true
      }
    }
  }

  /// Whether a conforming client still does what was missing: exactly that, or as often upon the
  /// same.
  private func stays(_ expected: MissingAction, in run: Trace, _ changed: Scenario) -> Bool {
    let names = original.scenario.clients
    guard names.indices.contains(expected.client.number) else { return true }
    let client = index(of: names[expected.client.number], in: changed)
    let isThere = run.events.contains { $0.kind.client == client && expected.isDone(by: $0.kind) }
    if isThere, !expected.isAgain { return true }
    guard let trigger = conforming.lastGiven(before: expected.cause) else { return isThere }
    return run.count(expected, upon: trigger, client)
      >= max(1, conforming.count(expected, upon: trigger, expected.client))
  }
}

/// Something that a client is given, without the numbers that count requests and queries.
private struct Given: Equatable {
  /// What kind of thing it is, and where.
  private let kind: String
  private let path: Path?
  /// It itself, where it is no message.
  private var input: ClientInput?
  /// The message, where it is one.
  private var message: ServerMessage?
  /// What the client had asked for, where it is an answer.
  private var request: Request?

  init(_ event: TraceEvent, _ input: ClientInput, in trace: Trace) {
    (kind, path) = (input.circumstance, input.path)
    guard case let .toClient(message)? = event.kind.transit?.content else {
      self.input = input
      return
    }
    switch message {
    case let .response(response):
      self.message = .response(
        .init(to: 0, status: response.status, payload: response.payload))
      request = trace.request(response.request, before: event.sequence)
    case let .put(path, node, _): self.message = .put(path, node, tag: nil)
    case let .merge(path, assignments, _): self.message = .merge(path, assignments, tag: nil)
    case .hello, .revoked, .credentialRevoked, .shutdown, .reset, .pong, .notice, .other:
      self.message = message
    }
  }

  /// Whether it is another one of the same kind, at the same location.
  func isLike(_ other: Given) -> Bool {
    kind == other.kind && path == other.path
      && request.map { other.request?.isLike($0) ?? false } ?? (other.request == nil)
  }
}

extension Trace {
  /// A request that a client has sent, by its number.
  fileprivate func request(_ number: Int, before end: Int) -> Request? {
    events.prefix(end).reversed().lazy.compactMap { event in
      guard case let .toServer(.request(other, request))? = event.kind.transit?.content else {
        return nil
      }
      return other == number ? request : nil
    }.first
  }

  /// The last thing that a client was given before an event that follows from it.
  fileprivate func lastGiven(before evidence: Int) -> Given? {
    lastInput(before: evidence).map { Given($0.event, $0.input, in: self) }
  }

  fileprivate func given(_ client: ClientIndex) -> [Given] {
    events.compactMap { event in
      if case .input(client, let input) = event.kind { Given(event, input, in: self) } else { nil }
    }
  }

  /// How often a client does something of the same kind after something of the same kind.
  fileprivate func count(
    _ expected: MissingAction, upon trigger: Given, _ client: ClientIndex
  ) -> Int {
    events.count { event in
      event.kind.client == client && expected.isLike(event.kind)
        && event.cause.flatMap(lastGiven)?.isLike(trigger) ?? false
    }
  }
}
