internal import ClientInterface
internal import Conformance
internal import Scenario
internal import Trace
internal import Wire

/// What a failure is about, to see whether a changed scenario still has it: a change that takes it away
/// explains nothing.
///
/// It is the listener or the call that fails, and what a conforming client does there. Of something that
/// should not have been done it is what the client was given before it did it.
struct Occasion {
  private let setup: FailingSetup
  private let original: ScenarioResult
  private let subject: Subject
  private let action: MissingAction?
  private let trigger: Given?
  /// What a conforming client does in the failing scenario.
  private let conforming: Trace

  init(of result: ScenarioResult, _ setup: FailingSetup) {
    (self.setup, original) = (setup, result)
    conforming = setup.reference.run(result.scenario, in: setup.profile).trace
    guard let divergence = result.divergences.first else {
      (subject, action, trigger) = (.server, nil, nil)
      return
    }
    subject = divergence.subject
    action = result.absence(behind: divergence, comparedWith: conforming)
    trigger = divergence.evidence.flatMap { result.trace.lastGiven(before: $0) }
  }

  /// Whether it is still there in a changed scenario, in which the client does not fail.
  func stays(in changed: Scenario) -> Bool {
    let conforming = setup.reference.run(changed, in: setup.profile).trace
    guard hasSubject(conforming, changed) else { return false }
    if let action { return stays(action, in: conforming, changed) }
    guard let trigger, let client = subject.clientName else { return true }
    let run = setup.runner.run(changed, in: setup.profile).trace
    let (own, others) = (index(of: client, in: original.scenario), index(of: client, in: changed))
    return run.given(others).contains(trigger)
      || run.count(trigger, others) >= original.trace.count(trigger, own)
  }

  private func index(of client: String, in scenario: Scenario) -> ClientIndex {
    ClientIndex(scenario.clients.firstIndex(of: client) ?? scenario.clients.count)
  }

  private func hasSubject(_ trace: Trace, _ scenario: Scenario) -> Bool {
    guard let name = subject.clientName else { return true }
    return trace.given(index(of: name, in: scenario)).contains { given in
      guard case let .call(call, operation) = given.input else { return false }
      switch subject {
      case .listener:
        return operation.registration.map { subject.isAbout(.listener($0.listener)) } ?? false
      case .call: return subject.isAbout(.call(call))
      case .client, .server: return true
      }
    }
  }

  /// Whether a conforming client still does what was missing: exactly that, or as often upon the same.
  private func stays(_ action: MissingAction, in run: Trace, _ changed: Scenario) -> Bool {
    let names = original.scenario.clients
    guard names.indices.contains(action.client.number) else { return true }
    let client = index(of: names[action.client.number], in: changed)
    let outline = action.output.outline(home: nil)
    let isThere = run.outputs(client).contains { $0.output.outline(home: nil) == outline }
    if isThere, !action.isAgain { return true }
    guard let trigger = conforming.lastGiven(before: action.cause) else { return isThere }
    return run.count(action.output, upon: trigger, client)
      >= max(1, conforming.count(action.output, upon: trigger, action.client))
  }
}

/// Something that a client is given, without the numbers that count requests and queries.
private struct Given: Hashable {
  var input: ClientInput
  /// What the client had asked for, where it is an answer.
  var request: Request?

  init(_ input: ClientInput, answering request: Request?) {
    self.request = request
    self.input =
      switch input {
      case let .frame(.put(path, node, _)): .frame(.put(path, node, tag: nil))
      case let .frame(.merge(path, assignments, _)): .frame(.merge(path, assignments, tag: nil))
      case let .frame(.response(response)):
        .frame(.response(.init(to: 0, status: response.status, payload: response.payload)))
      case .open, .call, .opened, .refused, .frame, .closed, .timer, .close: input
      }
  }

  /// Whether it is another one of the same kind, at the same location.
  func isLike(_ other: Given) -> Bool {
    switch (input, other.input) {
    case let (.call(call, _), .call(another, _)): call == another
    case let (.frame(.response(one)), .frame(.response(two))):
      one.status == two.status && request?.action == other.request?.action
        && request?.path == other.request?.path
    case (.frame(.hello), .frame(.hello)), (.open, .open), (.timer, .timer): true
    case (.frame, .frame):
      input.path == other.input.path && input.data.isEmpty == other.input.data.isEmpty
    default: self == other
    }
  }
}

extension Trace {
  /// The last thing that a client was given before an event that follows from it.
  fileprivate func lastGiven(before evidence: Int) -> Given? {
    causes(of: evidence).reversed().lazy.compactMap(given).first
  }

  fileprivate func given(_ client: ClientIndex) -> [Given] {
    events.filter { $0.kind.client == client }.compactMap(given)
  }

  private func given(_ event: TraceEvent) -> Given? {
    guard case let .input(client, input) = event.kind else { return nil }
    guard case let .frame(.response(response)) = input else { return Given(input, answering: nil) }
    let requests = events.prefix(event.sequence).reversed().lazy.compactMap { event in
      if case .output(client, .send(.request(response.request, let request))) = event.kind {
        request
      } else {
        nil
      }
    }
    return Given(input, answering: requests.first)
  }

  /// What a client does, each with what it was given before.
  fileprivate func outputs(_ client: ClientIndex) -> [(output: ClientOutput, cause: Given?)] {
    events.compactMap { event in
      guard case .output(client, let output) = event.kind else { return nil }
      return (output, event.cause.flatMap(lastGiven))
    }
  }

  /// How often a client is given something of the same kind.
  fileprivate func count(_ given: Given, _ client: ClientIndex) -> Int {
    self.given(client).count { $0.isLike(given) }
  }

  /// How often a client does something of the same kind after something of the same kind.
  fileprivate func count(
    _ output: ClientOutput, upon trigger: Given, _ client: ClientIndex
  ) -> Int {
    outputs(client).count { $0.output.isLike(output) && $0.cause?.isLike(trigger) ?? false }
  }
}

extension ClientOutput {
  /// Whether it is another one of the same kind, whatever it brings.
  fileprivate func isLike(_ other: ClientOutput) -> Bool {
    switch (topic, other.topic) {
    case let (.send(.request(_, one)), .send(.request(_, two))):
      one.action == two.action && one.path == two.path
    case let (.listener(one, .event(event)), .listener(two, .event(another))):
      one == two && event.type == another.type && event.key == another.key
    case let (.listener(one, .cancelled), .listener(two, .cancelled)): one == two
    case (.call(_, .updateRan), _), (_, .call(_, .updateRan)): false
    case let (.call(one, _), .call(two, _)): one == two
    default: outline(home: nil) == other.outline(home: nil)
    }
  }
}
