package import ClientInterface
package import Conformance
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
  /// first; also the keep-alives that it would send if nothing reached it any more.
  ///
  /// A fresh client is given the calls and the messages that each client of the run was given; nothing
  /// is run again.
  ///
  /// - Parameter makeReference: Makes a conforming client.
  /// - Returns: The actions by time.
  /// - Complexity: O(events).
  package func missingActions(_ makeReference: @escaping () -> any SyncClient) -> [MissingAction] {
    missingActions(shadowed(by: makeReference))
  }

  /// What is missing of what conforming clients did, a list for each client.
  private func missingActions(_ done: [[TraceEvent]]) -> [MissingAction] {
    done.enumerated().flatMap { number, done in
      ActionAccount(of: ClientIndex(number), in: trace).missing(among: done)
    }.enumerated().sorted { first, second in
      let (a, b) = (first.element, second.element)
      return (a.time, a.cause, first.offset) < (b.time, b.cause, second.offset)
    }.map(\.element)
  }

  /// The cause of a failure, or the missing event from which it follows: `missing-event child_changed`.
  /// A client that never raises an event breaks several invariants, and makes no call in the callback
  /// of that event; all of that is explained once.
  ///
  /// - Parameter makeReference: Makes a conforming client.
  /// - Returns: `nil` when the client did not fail.
  /// - Complexity: O(events).
  package func cause(comparedWith makeReference: @escaping () -> any SyncClient) -> Signature? {
    cause(among: shadowed(by: makeReference))
  }

  /// The same, compared with what conforming clients did, a list for each client.
  func cause(among done: @autoclosure () -> [[TraceEvent]]) -> Signature? {
    guard verdict == .fail, let divergence = divergences.first else { return cause }
    if case .missing = divergence.kind.base { return cause }
    if divergence.kind.traits.reach == nil { return cause }
    let absence = absence(behind: divergence, among: missingActions(done()))
    guard case let .event(event)? = absence?.output else { return cause }
    return Signature("missing-event \(event.type.rawValue)")
  }

  /// The missing action that a divergence follows from; `nil` where there is none, and for a divergence
  /// that is about something that was done.
  ///
  /// For a call that was to be made in a callback it is what calls that back. Else it is the earliest one
  /// of the same client that concerns the same location, call or listener, or one of another client that
  /// should have written there. Of a run that does not settle the client is the first one that has
  /// something to do.
  package func absence(
    behind divergence: Divergence, comparedWith makeReference: @escaping () -> any SyncClient
  ) -> MissingAction? {
    if divergence.kind.traits.reach == nil { return nil }
    return absence(behind: divergence, among: missingActions(makeReference))
  }

  /// The same, compared with a run of the scenario with conforming clients; its cause is an event of
  /// that run.
  func absence(
    behind divergence: Divergence, comparedWith conforming: Trace
  ) -> MissingAction? {
    let done = scenario.clients.indices.map { number in
      conforming.events.filter { $0.kind.isOutput(of: ClientIndex(number)) }
    }
    return absence(behind: divergence, among: missingActions(done))
  }

  private func absence(
    behind divergence: Divergence, among actions: [MissingAction]
  ) -> MissingAction? {
    guard let reach = divergence.kind.traits.reach else { return nil }
    var name = divergence.subject.clientName
    var missing = actions
    if case let .unsettled(reason) = divergence.kind {
      name = reason.client
    } else {
      missing.removeAll { $0.output == .send(.ping) }
    }
    if reach == .exchange { missing.removeAll { $0.output.recipient != nil } }
    let client = scenario.clients.firstIndex { $0 == name }
    let own = missing.filter { client == nil || $0.client.number == client }
    return callback(before: divergence, among: own)
      ?? own.first { divergence.concerns($0.output) }
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
      let reaction = reactions.first { $0.calls.contains { $0.id.name == name } }
      guard let callback = reaction?.callback else { return nil }
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

extension TraceEvent.Kind {
  fileprivate func isOutput(of client: ClientIndex) -> Bool {
    if case .output(client, _) = self { true } else { false }
  }
}

extension Request {
  /// Whether it asks for the same kind of thing at the same location.
  func isLike(_ other: Request) -> Bool { action == other.action && path == other.path }
}

extension MissingAction {
  /// Whether an event is what it is.
  func isDone(by event: TraceEvent.Kind) -> Bool {
    guard case let .output(_, other) = event else { return false }
    return other.outline(home: nil) == output.outline(home: nil)
  }

  /// Whether an event is something of its kind, whatever it brings.
  func isLike(_ event: TraceEvent.Kind) -> Bool {
    guard case let .output(_, other) = event else { return false }
    switch (output.topic, other.topic) {
    case let (.send(.request(_, one)), .send(.request(_, two))):
      return one.isLike(two)
    case let (.listener(one, .event(event)), .listener(two, .event(another))):
      return one == two && event.type == another.type && event.key == another.key
    case let (.listener(one, .cancelled), .listener(two, .cancelled)): return one == two
    case (.call(_, .updateRan), _), (_, .call(_, .updateRan)): return false
    case let (.call(one, _), .call(two, _)): return one == two
    default: return isDone(by: event)
    }
  }

  /// Whether it is a request that changes, or would change, data at or around a location.
  fileprivate func writes(to path: Path) -> Bool {
    guard case let .send(.request(_, request)) = output else { return false }
    let writes: [Request.Action] = [
      .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
    ]
    return writes.contains(request.action) && request.path?.isRelated(to: path) ?? false
  }
}

extension Divergence {
  /// Whether something that the client does not do is about what this is about: whatever concerns the
  /// connection is.
  fileprivate func concerns(_ missing: ClientOutput) -> Bool {
    if let recipient = missing.recipient { return subject.isAbout(recipient) }
    guard case let .send(.request(_, request)) = missing else { return true }
    if case let .frames(expected, _) = kind { return request.action.rawValue == expected.kind }
    switch subject {
    case let .call(_, _, operation):
      guard let path = operation.path else { return request.path == nil }
      return request.path?.isRelated(to: path) ?? false
    case .listener: return request.path?.isRelated(to: subject.path) ?? true
    case .client, .server: return true
    }
  }
}

/// What a client of a run has done that others notice: requests, connections, and what the application
/// receives. When it did it does not matter here, nor how often more than needed.
struct ActionAccount {
  private let client: ClientIndex
  /// How often the client did what, by outlines.
  private var observed: [ClientOutput: Int] = [:]
  /// How often it asked for a connection, to whatever host.
  private var attempts = 0
  /// Where the client lost its connection, or its try to connect was refused, if it has done nothing
  /// since to get another one.
  private var givenUp: Int?
  /// The host that the client was opened with.
  private var home: String?

  /// Takes what the client did in a run.
  init(of client: ClientIndex, in trace: Trace) {
    self.client = client
    for event in trace.events {
      switch event.kind {
      case .input(client, .closed), .input(client, .refused): givenUp = event.sequence
      case .input(client, .open(let opening)): (givenUp, home) = (nil, opening.host)
      case .input(client, .close): givenUp = nil
      case .output(client, let output): take(output)
      default: break
      }
    }
  }

  private mutating func take(_ output: ClientOutput) {
    switch output {
    case .connect, .connectTo: (givenUp, attempts) = (nil, attempts + 1)
    case .setTimer: givenUp = nil
    default: break
    }
    if let outline = output.outline(home: home) { observed[outline, default: 0] += 1 }
  }

  /// What a conforming client did in place of the client, and that one did not.
  ///
  /// - Parameter done: What it did, in order; an event without a cause is what it would do next.
  /// - Returns: The actions, in the same order.
  func missing(among done: [TraceEvent]) -> [MissingAction] {
    var actions: [(outline: ClientOutput, output: ClientOutput, event: TraceEvent)] = []
    for event in done {
      guard case let .output(_, output) = event.kind, let outline = output.outline(home: home)
      else { continue }
      actions.append((outline, output, event))
    }
    let caused = actions.filter { $0.event.cause != nil }
    let total = Dictionary(caused.map { ($0.outline, 1) }, uniquingKeysWith: +)
    var matched: [ClientOutput: Int] = [:]
    var missing: [MissingAction] = []
    for (outline, output, event) in actions {
      if event.cause != nil, count(of: outline, beside: total) > matched[outline, default: 0] {
        matched[outline, default: 0] += 1
      } else if let cause = event.cause ?? givenUp {
        missing.append(
          MissingAction(
            client: client, output: output, time: event.time, cause: cause,
            isAgain: matched[outline] != nil))
      }
      // What follows comes of silence that was not there.
      if outline == .send(.ping) { break }
    }
    return missing
  }

  /// What the client did more often than a conforming one, and what its application received sooner or
  /// later than of that one.
  ///
  /// - Parameters:
  ///   - done: What a conforming client did in its place, in order.
  ///   - trace: What the client did.
  /// - Returns: The acts in the order of the client, each with the event because of which it was done or
  ///   should have been.
  func displaced(
    beside done: [TraceEvent], in trace: Trace
  ) -> [(way: Deviation.Way, output: ClientOutput, time: Interval, cause: Int)] {
    var expected: [ClientOutput: [TraceEvent]] = [:]
    for event in done where event.cause != nil {
      guard case let .output(_, output) = event.kind, let outline = output.outline(home: home)
      else { continue }
      expected[outline, default: []].append(event)
    }
    var count: [ClientOutput: Int] = [:]
    var found: [(way: Deviation.Way, output: ClientOutput, time: Interval, cause: Int)] = []
    for event in trace.events {
      guard case .output(client, let output) = event.kind, let outline = output.outline(home: home)
      else { continue }
      let number = count[outline, default: 0]
      count[outline] = number + 1
      guard let equals = expected[outline], number < equals.count else {
        found.append((.extra, output, event.time, event.sequence))
        continue
      }
      let equal = equals[number]
      // When a client sends something is its own affair.
      guard output.recipient != nil, let cause = equal.cause else { continue }
      if event.time > equal.time { found.append((.late, output, equal.time, cause)) }
      if event.time < equal.time { found.append((.early, output, event.time, event.sequence)) }
    }
    return found
  }

  /// How often the client did something, or something else that serves as well and that a conforming
  /// client does not do, or not so often.
  private func count(of outline: ClientOutput, beside total: [ClientOutput: Int]) -> Int {
    let exact = observed[outline] ?? 0
    switch outline {
    // Which host a client names is its own affair, unless the server has sent it to one.
    case .connect: return attempts
    case let .send(.request(_, .unlisten(path, query, _))):
      let listen = Request.listen(.init(path: path, query: query))
      return observed[.send(.request(0, listen))] == nil ? .max : exact
    case let .send(.request(_, request)):
      return observed.reduce(exact) { count, done in
        done.key.covers(request) ? max(count, done.value - (total[done.key] ?? 0)) : count
      }
    default: return exact
    }
  }
}

extension ClientOutput {
  /// What it has in common with what another client does in its stead; `nil` for what no other party
  /// notices, or what a client may leave out. Connections are to the host that the client was opened
  /// with, or to another one.
  fileprivate func outline(home: String?) -> ClientOutput? {
    switch topic {
    case .send(.request(_, .stats)): nil
    // What a transaction writes depends on when it is sent.
    case let .send(.request(_, .put(path, _, _?))):
      .send(.request(0, .put(path, .empty, hash: "")))
    case let .send(.request(_, request)): .send(.request(0, request.outline))
    case let .connect(host): host == home ? .connect : self
    case let .listener(listener, .event(event)):
      .event(Event(event.type, to: listener, key: event.key, value: event.value))
    case let .listener(listener, .cancelled): .cancelled(listener, "")
    case let .call(call, .answered): .answered(call, .null)
    case let .call(call, .completed), let .call(call, .threw): .completed(call, .ok)
    case .send(.ping), .disconnect: self
    case .timer, .storage, .call(_, .updateRan), .nesting, .uncaught, .remark: nil
    }
  }

  /// Whether it is a listen on everything that a listen or a read asks for.
  fileprivate func covers(_ request: Request) -> Bool {
    guard case let .send(.request(_, .listen(own))) = self, own.query == nil,
      let path = request.path
    else { return false }
    return [.listen, .get].contains(request.action) && path.starts(with: own.path)
  }
}

extension ClientInput {
  /// What acts that are not as they should be follow from: its own sets, updates and removals are one
  /// thing for a client.
  var occasion: String {
    if case let .call(_, operation) = self, operation.isPlainWrite { return "write" }
    return circumstance
  }
}

extension ClientOutput {
  /// Whether failures can be told by it: what a call returns at once, and whether silence is looked
  /// into, is no sign.
  var isTelling: Bool {
    switch topic {
    case .send(.ping), .call(_, .answered): false
    case .send, .connect, .disconnect, .listener, .call: true
    case .timer, .storage, .nesting, .uncaught, .remark: false
    }
  }

  /// What it is, in a word, and what kind of it.
  var act: String {
    switch topic {
    case let .send(.request(_, request)): "send \(request.action.rawValue)"
    case .send(.ping): "send ping"
    case .connect: "connect"
    case .disconnect: "disconnect"
    case let .listener(_, .event(event)): "event \(event.type.rawValue)"
    case .listener(_, .cancelled): "cancelled"
    case let .call(_, .completed(completion)): "completed \(completion.name)"
    case .call(_, .threw): "threw"
    case .call(_, .answered): "answered"
    case .call(_, .updateRan): "ran"
    case .uncaught: "uncaught"
    // What follows the first letters of a key are names and numbers.
    case let .storage(key, _): "store " + key.prefix(while: \.isLetter)
    case .timer, .nesting, .remark: "other"
    }
  }

  /// Whether others than the client notice it, and may make something of it: statistics are for nobody.
  var isNoticed: Bool {
    switch topic {
    case .timer, .storage, .nesting, .remark: false
    case .send, .connect, .disconnect, .listener, .call, .uncaught: act != "send stats"
    }
  }
}
