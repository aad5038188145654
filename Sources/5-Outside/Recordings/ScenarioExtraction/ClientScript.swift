internal import ClientInterface
internal import Faults
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What one client did, as steps: the calls of its application, and what affected its connections.
///
/// Where calls are not reported, they are inferred from what the client sent. What it sends of itself
/// is left out: whatever is in place and is asked for again over a new connection, and the further
/// attempts of a transaction.
struct ClientScript {
  private struct ActiveListen {
    let label: String
    let path: Path
    let query: Query?
    /// Whether it was asked for over the present connection.
    var isAsked = true

    func isFor(_ path: Path, _ query: Query?) -> Bool { self.path == path && self.query == query }
  }

  /// The calls, and what holds back the data that transactions did not know of.
  private(set) var calls: [ScriptLine] = []
  private(set) var connections: [ScriptLine] = []
  /// What calls are called that are reported.
  private(set) var labels = RecordedLabels()

  private let name: String
  private let timeline: Timeline
  private let foreignWrites: ForeignWriteInference
  private let knowsCalls: Bool
  private let moments: [Timeline.Moment]
  /// The end of the last connection, and when the present one began.
  private var end: Timeline.Moment?
  private var beginning: Timeline.Moment?

  private var count = 0
  private var listens: [ActiveListen] = []
  /// The requests that were not answered when the last connection ended.
  private var unanswered: [Request] = []
  private var transactions: [InferredTransaction] = []
  private var token: String?

  /// Whether a fault of the session holds messages back.
  private var isStalled = false
  /// The last fault of this client whose connection the server ended late.
  private var late: NamedFault?
  /// Where a connection ended last, unless messages were held back.
  private var lastLoss: Timeline.Moment?
  private var isCut = false
  /// Whether others write before the client comes back: it must not come back sooner.
  private var staysAway = false
  /// Whether the client has closed its connection of its own.
  private var isAway = false

  init(of client: Int, in timeline: Timeline, _ foreignWrites: ForeignWriteInference) {
    (name, self.timeline, self.foreignWrites) = (timeline.names[client], timeline, foreignWrites)
    knowsCalls = timeline.reported.contains(client)
    moments = timeline.moments.filter { $0.client == client }
    for (index, moment) in moments.enumerated() {
      if !knowsCalls {
        infer(from: moment)
      } else if case let .call(id, operation)? = moment.input {
        let call = labels.call(id, operation, of: name)
        calls.append(ScriptLine(.call(call), at: moment, isKnown: true))
      }
      takeConnection(moment, index)
    }
  }
}

// MARK: - Calls that are inferred

extension ClientScript {
  private mutating func infer(from moment: Timeline.Moment) {
    switch moment.kind {
    case .input(_, .opened):
      forgetWhatIsNotAskedAgain(moment)
      beginning = moment
    case let .output(_, .send(.request(_, request))): infer(from: request, moment)
    case let .input(_, .frame(.revoked(path, queries))): removeListen(path, queries?.first)
    case let .input(_, .frame(.response(response))) where response.status != "ok":
      let request = moment.counterpart.flatMap { timeline.moments[$0].request }
      if let listen = request?.asListen { removeListen(listen.path, listen.query) }
    case .input(_, .closed), .output(_, .disconnect):
      end = moment
      for index in listens.indices { listens[index].isAsked = false }
      unanswered = timeline.sent(overConnectionOf: moment).filter { $0.counterpart == nil }
        .compactMap(\.request)
    default: break
    }
  }

  private mutating func removeListen(_ path: Path, _ query: Query?) {
    listens.removeAll { $0.isFor(path, query) }
  }

  /// A listen that is not asked for again was ended while there was no connection.
  private mutating func forgetWhatIsNotAskedAgain(_ moment: Timeline.Moment) {
    let requests = timeline.sent(overConnectionOf: moment)
    if end == nil || requests.isEmpty { return }
    let asked = requests.compactMap { $0.request?.asListen }
    for listen in listens where !asked.contains(where: { listen.isFor($0.path, $0.query) }) {
      add(.unlisten(ListenerID(listen.label)), moment)
      removeListen(listen.path, listen.query)
    }
  }

  private mutating func infer(from request: Request, _ sent: Timeline.Moment) {
    switch request {
    case let .listen(listen):
      let again = listens.firstIndex { !$0.isAsked && $0.isFor(listen.path, listen.query) }
      if let again { return listens[again].isAsked = true }
      let label = newLabel("l")
      listens.append(ActiveListen(label: label, path: listen.path, query: listen.query))
      let target = Operation.Target(listen.path, listen.query ?? .all)
      add(.listen(ListenerID(label), target, Set(EventType.allCases)), sent)
    case let .unlisten(path, query, _):
      let own = listens.firstIndex { $0.isFor(path, query) }
      guard let position = own ?? listens.firstIndex(where: { $0.path == path }) else { return }
      add(.unlisten(ListenerID(listens.remove(at: position).label)), sent)
    case let .put(path, node, _?): transact(path, node, sent)
    case .get, .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel:
      if let index = unanswered.firstIndex(of: request) {
        unanswered.remove(at: index)
      } else if case let .get(path, query) = request {
        add(.get(ListenerID(newLabel("l")), .init(path, query)), sent)
      } else if let operation = Operation(writing: request) {
        add(operation, sent, after: endBefore(sent))
      }
    case let .authenticate(credential):
      if end != nil, credential.token == token { return }
      token = credential.token
      add(.authenticate(token: credential.token), sent)
    case .unauthenticate:
      token = nil
      add(.unauthenticate, sent)
    case .stats: break
    }
  }

  /// When a write was made that was sent at once over a new connection, while others wrote before:
  /// without a connection, after the end of the last one. At once is what a client on a busy machine
  /// needs to send what has waited for the connection.
  private func endBefore(_ sent: Timeline.Moment) -> Timeline.Moment? {
    guard timeline.isImmediate, let end, let beginning,
      sent.time - beginning.time <= .milliseconds(50),
      timeline.hasWrites(besides: sent.client, from: end, to: beginning)
    else { return nil }
    return end
  }

  /// Adds a call that was made at a moment, or after the end of a connection. What listens is called
  /// like its listener.
  private mutating func add(
    _ operation: Operation, _ moment: Timeline.Moment, after end: Timeline.Moment? = nil,
    later events: Int = 0
  ) {
    let listener = operation.registration?.listener
    let call = Action.Call(
      client: name, id: CallID(listener?.name ?? newLabel("c")), isNamed: listener != nil,
      operation: operation)
    calls.append(ScriptLine(.call(call), at: end ?? moment, later: end == nil ? events : 1))
  }

  private mutating func newLabel(_ kind: String) -> String {
    count += 1
    return "\(kind)\(count)"
  }

  private mutating func transact(_ path: Path, _ made: Node, _ sent: Timeline.Moment) {
    let sample = Sample(base: foreignWrites.bases[sent.event], made: made)
    let isContended = timeline.isContended(path)
    let open = transactions.lastIndex { $0.path == path && $0.isOpen(in: timeline) }
    if let open, transactions[open].goesOn(with: sent, in: timeline) {
      goOn(open, sample, sent, isContended)
      return
    }
    var transaction = InferredTransaction(
      line: calls.count, path: path, samples: [sample], last: sent)
    add(transaction.operation(isContended), sent)
    holdBack(whatIsNewTo: &transaction, sent)
    transactions.append(transaction)
  }

  /// Another attempt of a transaction.
  private mutating func goOn(
    _ open: Int, _ sample: Sample, _ sent: Timeline.Moment, _ isContended: Bool
  ) {
    var transaction = transactions[open]
    let added = isContended ? transaction.added(by: sample) : nil
    transaction.samples.append(sample)
    if let added {
      // Others that were called while it waited for its answer are sent together with it.
      transaction.joined += added
      let other = Operation.transaction(transaction.path, .increment(added), localEvents: .shown)
      add(other, transaction.last, later: 1)
    }
    holdBack(whatIsNewTo: &transaction, sent)
    transaction.last = sent
    transactions[open] = transaction
    guard var call = calls[transaction.line].action.call else { return }
    call.operation = transaction.operation(isContended)
    calls[transaction.line].action = .call(call)
  }

  /// Holds back what an attempt did not know of, where messages take no time. A client tries again as
  /// soon as it is refused: so the refusal, too, waits until the session has the next attempt.
  private mutating func holdBack(
    whatIsNewTo transaction: inout InferredTransaction, _ sent: Timeline.Moment
  ) {
    guard timeline.isImmediate else { return }
    let late = foreignWrites.late[sent.event]
    guard let resume = transaction.resume else {
      guard let late else { return }
      let start = beginning(of: late, before: sent, at: transaction.path)
      calls.append(
        ScriptLine(
          time: start.time, event: start.event - 1, action: .fault(.stall(name, .toClient))))
      return add(resumeOf: &transaction, sent)
    }
    guard let late, late.event > transaction.last.event else {
      calls[resume] = ScriptLine(.fault(.resume(name, .toClient)), at: sent)
      return
    }
    // It had received what came before, and arrived at the server later.
    calls[resume] = line(.stall(name, .toServer), before: late)
    calls += [
      line(.resume(name, .toClient), before: late), line(.stall(name, .toClient), before: late),
      ScriptLine(.fault(.resume(name, .toServer)), at: sent),
    ]
    add(resumeOf: &transaction, sent)
  }

  /// Since when its client missed what an attempt did not know of: at the earliest since it asked for
  /// the location over this connection.
  private func beginning(
    of late: ForeignWriteInference.Version, before sent: Timeline.Moment, at path: Path
  ) -> (time: Interval, event: Int) {
    let listen = moments.last {
      $0.connection == sent.connection && $0.event < sent.event
        && $0.request?.asListen.map { path.starts(with: $0.path) } == true
    }
    guard let listen, listen.event > late.event else { return (late.time, late.event) }
    return (listen.time, listen.event)
  }

  private mutating func add(
    resumeOf transaction: inout InferredTransaction, _ sent: Timeline.Moment
  ) {
    transaction.resume = calls.count
    calls.append(ScriptLine(.fault(.resume(name, .toClient)), at: sent))
  }

  /// A fault just before something was written.
  private func line(_ fault: NamedFault, before late: ForeignWriteInference.Version) -> ScriptLine {
    ScriptLine(time: late.time, event: late.event - 1, action: .fault(fault))
  }
}

// MARK: - Connections

extension ClientScript {
  private mutating func takeConnection(_ moment: Timeline.Moment, _ index: Int) {
    switch moment.kind {
    case .input(_, .closed) where moment.isEnd:
      let opening = opening(after: index)
      isCut = opening == nil
      staysAway =
        late == nil && timeline.isImmediate
        && opening.map { timeline.hasWrites(besides: moment.client, from: moment, to: $0) } ?? false
      endConnection(by: isCut || staysAway ? .cut(name) : late ?? .drop(name), moment)
    case .output(_, .disconnect) where moment.isEnd:
      if knowsCalls || isAfterShutdown(index) { return }
      isAway = true
      add(.goOffline, "off", moment)
    case .input(_, .refused) where isCut:
      if opening(after: index) == nil { return }
      isCut = false
      add(.heal(name), moment)
    case .output(_, .connect) where isAway, .output(_, .connectTo) where isAway:
      isAway = false
      add(.goOnline, "on", moment)
    case .input(_, .close): add(.kill(name), moment, isKnown: true)
    case .input(_, .open): add(.start(name, .kept), moment, isKnown: true)
    case .input(_, .opened):
      if staysAway { add(.heal(name), moment) }
      if !connections.isEmpty { connections.append(ScriptLine(.settle, at: moment)) }
      (staysAway, late) = (false, nil)
    case let .fault(incident) where timeline.isImmediate: take(incident.fault, moment)
    default: break
    }
  }

  /// A fault that the session names.
  private mutating func take(_ fault: IndexedFault?, _ moment: Timeline.Moment) {
    guard var own = fault?.mapping(client: { _ in name }) else { return }
    switch own {
    case .lateClose: return late = own
    case .stall: isStalled = true
    case .resume where isStalled: isStalled = false
    case .heal where isStalled: (isStalled, own) = (false, .resume(name, .both))
    default: return
    }
    add(own, moment, isKnown: true)
  }

  /// A connection ends: what was lost with it is lost in the scenario too.
  private mutating func endConnection(by fault: NamedFault, _ moment: Timeline.Moment) {
    // Where messages take no time, what was lost has to be held back until the connection ends.
    guard timeline.isImmediate, !isStalled else { return add(fault, moment) }
    defer { lastLoss = moment }
    let requests = timeline.sent(overConnectionOf: moment).filter(\.isRepeatable)
    let lost = requests.filter { $0.counterpart == nil }
    // The first one whose answer was lost, and the first one that was lost itself.
    let answer = lost.first { $0.arrival != nil }
    let losses = [(answer, FaultDirection.toClient), (lost.first { $0.arrival == nil }, .toServer)]
    if let answer, answer.event == requests.first?.event, answer.request?.changesData == true,
      let lastLoss, wasLostBefore(answer)
    {
      // The answer to what is sent at once over the new connection: it breaks by that.
      add(.loseAcknowledgement(name), lastLoss, isKnown: true)
      if isCut || staysAway { add(fault, moment) }
      return
    }
    for case let (request?, direction) in losses {
      add(.stall(name, direction), request, later: -1, isKnown: true)
    }
    add(fault, moment)
    for case let (_?, direction) in losses { add(.resume(name, direction), moment) }
  }

  /// Whether something is asked because it was lost with the connection before.
  private func wasLostBefore(_ sent: Timeline.Moment) -> Bool {
    let previous = moments.last { $0.connection < sent.connection && $0.isSent }
    return previous.map { timeline.sent(overConnectionOf: $0) }?.contains {
      $0.isRepeatable && $0.counterpart == nil && $0.request == sent.request
    } ?? false
  }

  private mutating func add(
    _ fault: NamedFault, _ moment: Timeline.Moment, later events: Int = 0, isKnown: Bool = false
  ) {
    connections.append(ScriptLine(.fault(fault), at: moment, later: events, isKnown: isKnown))
  }

  private mutating func add(_ operation: Operation, _ label: String, _ moment: Timeline.Moment) {
    let call = Action.Call(client: name, id: CallID(label), isNamed: false, operation: operation)
    connections.append(ScriptLine(.call(call), at: moment))
  }

  /// The next beginning of a connection, unless an attempt to connect is refused before.
  private func opening(after index: Int) -> Timeline.Moment? {
    let next = moments[(index + 1)...].first { $0.input == .opened || $0.input == .refused }
    return next?.input == .opened ? next : nil
  }

  /// Whether the server has sent the client away: it goes by itself then.
  private func isAfterShutdown(_ index: Int) -> Bool {
    switch index > 0 ? moments[index - 1].received : nil {
    case .reset?, .shutdown?: true
    default: false
    }
  }
}

/// A transaction that is inferred, with its attempts.
private struct InferredTransaction {
  /// The position of its call.
  let line: Int
  let path: Path
  var samples: [Sample]
  /// The last attempt.
  var last: Timeline.Moment
  /// What is added by others that are sent together with it.
  var joined = 0.0
  /// The line by which its client receives again what was held back.
  var resume: Int?

  /// Whether it goes on, because its write came too late or was not answered.
  func isOpen(in timeline: Timeline) -> Bool {
    timeline.response(to: last).map { $0.status == "datastale" } ?? true
  }

  /// Whether it has not ended with its connection, so that another one is made.
  func goesOn(with sent: Timeline.Moment, in timeline: Timeline) -> Bool {
    !timeline.isImmediate || last.connection == sent.connection || last.counterpart != nil
      || last.request == sent.request
  }

  /// By how much more a further attempt adds to a number than the one before; `nil` where it does not.
  func added(by sample: Sample) -> Double? {
    guard let previous = samples.last, previous.made != sample.made, let before = previous.delta,
      let now = sample.delta, now != before
    else { return nil }
    return now - before
  }

  /// Its call, with a function that makes of each value what was made of it; one that just sets, if
  /// none is found.
  ///
  /// Where several clients contend for a number, each of them adds to it: values that are just set
  /// would depend on an order that a run need not have. SDKs send several transactions as one, so the
  /// last attempt counts.
  func operation(_ isContended: Bool) -> Operation {
    .transaction(path, function(isContended), localEvents: .shown)
  }

  private func function(_ isContended: Bool) -> TransactionFunction {
    guard let first = samples.first, let last = samples.last else { return .abort }
    let isConstant = samples.allSatisfy { $0.made == last.made }
    if isContended, !isConstant || samples.count == 1,
      last.base.map({ $0.isEmpty || $0.scalar?.json.number != nil }) == true,
      let delta = last.delta
    {
      return .increment(delta - joined)
    }
    if isConstant { return .set(last.made.json) }
    if let delta = first.delta,
      samples.allSatisfy({ $0.delta.map { abs($0 - delta) < 1e-9 } ?? false })
    {
      return .increment(delta)
    }
    if let changes = first.changes, samples.allSatisfy({ $0.changes == changes }) {
      return .merge(changes)
    }
    return .set(last.made.json)
  }
}

/// What an attempt of a transaction made of a value, where that is known.
private struct Sample {
  let base: Node?
  let made: Node

  /// What was added to a number, or to what is none.
  var delta: Double? {
    guard let base, let number = made.scalar?.json.number else { return nil }
    return number - (base.scalar?.json.number ?? 0)
  }

  /// The children that were given another value.
  var changes: JSON? {
    guard let base, !made.isScalar else { return nil }
    let differences = made.children.differences(from: base.children)
    return .object(differences.map { JSON.Member($0.key.string, $0.new.json) })
  }
}

extension Operation {
  /// The call that makes a client send a write; `nil` for other requests.
  fileprivate init?(writing request: Request) {
    switch request {
    case let .put(path, node, _):
      if path.key == .priority, let owner = path.parent {
        self = .setPriority(owner, node.scalar?.json ?? .null)
      } else {
        self = node.isEmpty ? .remove(path) : .set(path, node)
      }
    case let .merge(path, parts, _): self = .update(path, parts)
    case let .onDisconnectPut(path, node):
      self = node.isEmpty ? .onDisconnectRemove(path) : .onDisconnectSet(path, node)
    case let .onDisconnectMerge(path, parts): self = .onDisconnectUpdate(path, parts)
    case let .onDisconnectCancel(path): self = .onDisconnectCancel(path)
    case .listen, .unlisten, .get, .stats, .authenticate, .unauthenticate: return nil
    }
  }
}

extension Timeline.Moment {
  /// Whether it is a write, or a single read, that a client makes again which connects again, when it
  /// had no answer. What listens is asked for again in any case.
  fileprivate var isRepeatable: Bool {
    request.map { $0.action == .get || Operation(writing: $0) != nil } ?? false
  }
}
