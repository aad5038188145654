package import ClientInterface
internal import RunModel
internal import Scenario
package import Trace
internal import Tree
internal import Wire

/// Compares each client with a reference client that is given exactly the same calls and messages:
/// its shadow.
///
/// Invariants say what is always true; a shadow says what is right here. What both let their
/// applications see must be the same at each listener and each call. When a client sends its
/// requests, in which order, with which numbers and tags, whether it listens to more than it must,
/// and when its timers fire is its own affair.
///
/// Where the rules leave something open there are several reference clients, one for each way. A
/// client that differs from its shadow goes on with one of the others that it agrees with from the
/// beginning.
struct ShadowMonitor {
  fileprivate var shadows: [Shadow]
  /// How each of them decides what is open.
  private var ways: [[Int]]
  private let profile: Profile
  private let epoch: Instant
  private let open: OpenChoices
  /// What has been compared, and how much of the trace there was then.
  private var comparisons: [(position: Int, extent: ShadowObservations.Extent)] = []

  init(clients count: Int, _ profile: Profile, epoch: Instant, _ open: OpenChoices) {
    (self.profile, self.epoch, self.open) = (profile, epoch, open)
    ways = Array(repeating: open.first, count: count)
    shadows = (0..<count).map { number in
      Shadow(ClientIndex(number), profile) { open.makeClient(deciding: open.first) }
    }
  }

  /// Takes the next turn of a client.
  mutating func take(_ step: ClientStep) {
    guard shadows.indices.contains(step.client.number) else { return }
    shadows[step.client.number].take(step, at: step.wrongClock ?? epoch + step.time)
  }

  /// What differs, the earliest first: now that the run has settled, or although it has not. The
  /// trace is that of the run until now, with the times that clients were given where they were wrong.
  mutating func judge(
    _ extent: ShadowObservations.Extent, _ trace: Trace, wrongTimes: [Int: Instant]
  ) -> [ShadowDifference] {
    comparisons.append((trace.count, extent))
    var differences: [ShadowDifference] = []
    for number in shadows.indices {
      let found = shadows[number].judge(extent)
      if found.isEmpty { continue }
      if !agree(ClientIndex(number), found, trace, wrongTimes) { differences += found }
    }
    return differences.enumerated()
      .sorted { ($0.element.evidence, $0.offset) < ($1.element.evidence, $1.offset) }
      .map(\.element)
  }
}

// How a client may decide otherwise.

extension ShadowMonitor {
  /// Where a shadow and its client differ first.
  private struct Disagreement: Equatable {
    /// In which of the comparisons.
    var comparison: Int
    var differences: [ShadowDifference]

    /// Whether it shows no earlier than another one, and is not the same.
    func isProgress(from other: Disagreement) -> Bool {
      self != other && (comparison, evidence) >= (other.comparison, other.evidence)
    }

    private var evidence: Int { differences.map(\.evidence).min() ?? 0 }
  }

  /// Goes on with a shadow from which the client has not differed in the whole run, if one of other
  /// ways is found.
  ///
  /// Of the ways to decide all points, those that differ in one point are tried. Where one makes no
  /// difference, or leads to an earlier one, the point does not count here. From the others the search
  /// goes on: so it costs the sum of the ways, and their product only for points that all count. Two
  /// points that count only together are found last, among all pairs.
  private mutating func agree(
    _ client: ClientIndex, _ found: [ShadowDifference], _ trace: Trace,
    _ wrongTimes: [Int: Instant]
  ) -> Bool {
    let start = ways[client.number]
    var tried: Set = [start]
    var front = [(start, Disagreement(comparison: comparisons.count - 1, differences: found))]
    var idle: [([Int], Disagreement)] = []
    while let (ways, last) = front.isEmpty ? idle.popLast() : front.removeFirst() {
      for other in open.neighbours(of: ways) where tried.insert(other).inserted {
        let (shadow, disagreement) = follow(client, other, trace, wrongTimes)
        guard let disagreement else {
          if shadow.isBlind { continue }
          (shadows[client.number], self.ways[client.number]) = (shadow, other)
          return true
        }
        if disagreement.isProgress(from: last) {
          front.append((other, disagreement))
        } else if ways == start {
          idle.append((other, last))
        }
      }
    }
    return false
  }

  /// Another shadow of a client after the whole run, or where the client differs from it first.
  private func follow(
    _ client: ClientIndex, _ ways: [Int], _ trace: Trace, _ wrongTimes: [Int: Instant]
  ) -> (Shadow, Disagreement?) {
    var shadow = Shadow(client, profile) { [open] in open.makeClient(deciding: ways) }
    var (turns, compared) = (TurnReader(), 0)
    var disagreement: Disagreement?
    func take() {
      let step = turns.step
      if step.client == client { shadow.take(step, at: step.wrongClock ?? epoch + step.time) }
    }
    func compare(before position: Int) {
      while disagreement == nil, compared < comparisons.count,
        comparisons[compared].position <= position
      {
        if turns.end() { take() }
        let found = shadow.judge(comparisons[compared].extent)
        if !found.isEmpty { disagreement = .init(comparison: compared, differences: found) }
        compared += 1
      }
    }
    trace.events.forEach(from: 0) { event in
      compare(before: event.pointee.sequence)
      guard disagreement == nil else { return }
      if turns.end(before: event, of: trace) { take() }
      turns.take(event, wrongTimes: wrongTimes)
    }
    compare(before: trace.count)
    return (shadow, disagreement)
  }
}

/// The shadow of one client.
struct Shadow {
  let client: ClientIndex
  private let profile: Profile
  private let make: () -> any SyncClient
  private var reference: any SyncClient
  private var ledger: ShadowObservations
  private var pairs = RequestPairs()
  private var timers: [Timer] = []
  private var connection = Connection.none
  private var disk = ShadowDisk()
  /// What was found at the end of a process.
  private var differences: [ShadowDifference] = []
  private var outputs: [ClientOutput] = []
  /// The listeners of the process that can be removed.
  private var registrations: [ListenerID: Operation.Registration] = [:]
  /// Those that were removed in callbacks, of which the shadow may know events that were withdrawn.
  private var withdrawn: Set<ListenerID> = []
  /// Whether the turn has overtaken a transaction, whose result goes in a second change (TXN-9).
  private var hasOvertaken = false
  /// Whether the client is where the shadow cannot follow: nothing is compared until its process
  /// has ended.
  fileprivate private(set) var isBlind = false
  private var isRunning = false
  /// Whether the process was asked for something of which the profile leaves open what it does, or what
  /// it shows.
  private var hasOpenCall = false
  /// What listeners show where the profile leaves open how values of several kinds are ordered, and
  /// which are in a range or under a limit (QRY-7, QRY-14).
  private var openOrders: [ListenerID: (query: Query, shown: Children)] = [:]
  /// Where the server has sent everything: at these locations and below.
  private var known = PathList<Void>()
  private var time = Interval.zero
  /// The turn in which the shadow does something, if the client caused it, and the time that it sees.
  private var moment: (cause: Int?, now: Instant) = (nil, Instant(nanoseconds: 0))
  /// Where something happened last.
  private var lastSequence = 0
  /// What the shadow has done; `nil` where that is not asked for.
  fileprivate var account: [TraceEvent]?

  struct Timer {
    var id: TimerID
    /// When, by the time of the run and by the client's clock.
    var due: Interval
    var shown: Instant
    var purpose: TimerPurpose
  }

  enum Connection {
    case none, asked, open
  }

  init(_ client: ClientIndex, _ profile: Profile, make: @escaping () -> any SyncClient) {
    (self.client, self.profile) = (client, profile)
    self.make = make
    reference = make()
    ledger = ShadowObservations(of: client)
  }

  /// Takes one turn of the client, which sees the time `now`.
  mutating func take(_ step: ClientStep, at now: Instant) {
    if isRunning, !isBlind { fireTimers(before: step.time) }
    time = step.time
    moment = (step.sequence, now)
    if case let .open(opening) = step.input {
      open(opening)
      record(step)
    } else if step.input == .close {
      compare(.soFar)
      isRunning = false
    } else if isRunning, !isBlind {
      follow(step)
    } else if isRunning {
      // It stores nothing of what it does not see.
      disk.hasDiverged = true
    }
    disk.follow(step)
  }

  /// Hands out what differs. When everything is compared, all of this instant has happened.
  mutating func judge(_ extent: ShadowObservations.Extent) -> [ShadowDifference] {
    if extent == .all {
      if isRunning { disk.settle() }
      fireTimers(before: Interval(nanoseconds: .max))
    }
    compare(extent)
    defer { differences = [] }
    return differences
  }

  private mutating func compare(_ extent: ShadowObservations.Extent) {
    isBlind = isBlind || ledger.hasFreeDifference
    guard isRunning, !isBlind else { return }
    let found = ledger.differences(extent)
    // What is left open may have led to it.
    if !hasOpenCall { differences += found }
    // What differed once goes on differing: only the first is of interest.
    isBlind = !found.isEmpty
  }

  private mutating func open(_ opening: ClientInput.Opening) {
    (reference, pairs, connection, timers) = (make(), RequestPairs(), .none, [])
    (registrations, withdrawn, hasOpenCall, openOrders) = ([:], [], false, [:])
    ledger.clear()
    known.removeAll()
    isRunning = true
    var own = opening
    // Stored texts of the client that were changed from outside cannot do the same here.
    isBlind = !disk.replace(&own.storage)
    feed(.open(own))
  }
}

// What happens to the client happens to its shadow.

extension Shadow {
  private mutating func follow(_ step: ClientStep) {
    let wasOpen = connection == .open
    if !step.isSplit { hasOvertaken = false }
    switch step.input {
    case let .call(call, operation): self.call(call, operation, step)
    case .opened:
      ask()
      if connection == .asked {
        connection = .open
        pairs = RequestPairs()
        feed(.opened)
      } else {
        isBlind = true
        disk.hasDiverged = true
      }
    case .refused:
      ask()
      if connection == .asked {
        connection = .none
        feed(.refused)
      }
    case .closed: lose()
    case let .frame(message): receive(message)
    // Its own timers of this instant come when those of the client come.
    case .timer: fireTimers(before: step.time + Interval(nanoseconds: 1))
    case .open, .close: break
    }
    record(step)
    // Why a client gives a connection up is its own affair.
    if wasOpen, connection == .open, step.disconnects { lose() }
  }

  /// A push gets the key that the client has made, and is then a set like any other.
  private mutating func call(_ call: CallID, _ operation: Operation, _ step: ClientStep) {
    // What callbacks do is done here when the client does it.
    if operation.kind == .on { return }
    if !hasOpenCall { hasOpenCall = operation.isOpen(in: profile) }
    followListeners(operation.listenerChange, isNested: step.isSplit)
    ledger.begin(call, operation)
    leaveFree(call, operation)
    if case let .push(path, node) = operation, let key = step.answer?.string {
      ledger.record(.answered(call, .string(key)), by: .shadow, at: step.sequence)
      guard let node else { return }
      feed(.call(call, .set(path.appending(Key(key)), node)))
    } else if let listener = operation.snapshotOwner, withdrawn.contains(listener) {
      if let done = step.outputs.first { record(done.output, by: .shadow, at: done.sequence) }
    } else {
      feed(.call(call, operation))
    }
  }

  private mutating func followListeners(_ change: Operation.ListenerChange?, isNested: Bool) {
    guard let change else { return }
    if case let .registers(registration) = change {
      // Whether a callback of the first of two changes finds the second is left open.
      isBlind = isBlind || (isNested && hasOvertaken)
      let query = registration.target.query
      let isByValue = query.ordering != .key && query.ordering != .priority
      // QRY-28: in 1.x ranges have one kind.
      if query.hasRange ? profile == .wilddog2 : isByValue && profile != .firebase {
        openOrders[registration.listener] = (query, Children())
      }
      registrations[registration.listener] = registration.isRemovable ? registration : nil
    } else if isNested {
      for (listener, removed) in registrations
      where change.removes(listener, at: removed.target) {
        ledger.forgetOwed(to: listener)
        withdrawn.insert(listener)
      }
    }
  }

  private mutating func receive(_ message: ServerMessage) {
    guard connection == .open else { return }
    switch message {
    case let .response(response):
      if response.status == "ok", let path = pairs.plainListen(response.request) {
        known.append((), at: path)
      }
      pairs.add(response)
      takeAnswers()
    case let .put(path, node, tag?):
      if let own = pairs.shadowTag(for: tag) { feed(.frame(.put(path, node, tag: own))) }
    case let .merge(path, parts, tag?):
      if let own = pairs.shadowTag(for: tag) { feed(.frame(.merge(path, parts, tag: own))) }
    case let .revoked(path, _):
      // ACC-10: what a revocation ends that crosses the end of its listen is left open.
      let isCrossing =
        !feed(.frame(message)) && registrations.contains { $0.value.target.path == path }
      isBlind = isBlind || isCrossing
    default: feed(.frame(message))
    }
  }

  /// Leaves out of the comparison what is free: what a function gets before everything there is
  /// known (TXN-1), and moves in the order of values (QRY-24).
  private mutating func leaveFree(_ call: CallID, _ operation: Operation) {
    if case let .transaction(path, _, _) = operation, !known.has(.atOrAbove, path) {
      ledger.leaveFree(.call(call))
    } else if let listened = operation.registration, listened.target.query.ordering == .value {
      ledger.leaveFree(.listener(listened.listener))
    }
  }

  /// The client has asked for a connection; a shadow that still waits before it does the same waits
  /// no longer.
  private mutating func ask() {
    lose()
    guard connection == .none,
      let index = timers.firstIndex(where: { $0.purpose == .backOff })
    else { return }
    feed(.timer(timers.remove(at: index).id))
  }

  private mutating func lose() {
    guard connection == .open else { return }
    connection = .none
    feed(.closed)
  }

  /// Fires what is due before a moment. When to try again, and how to keep a connection alive, is
  /// for the client to say.
  private mutating func fireTimers(_ purpose: TimerPurpose = .other, before end: Interval) {
    let present = moment
    defer { moment = present }
    while let timer = timers.filter({ $0.purpose == purpose && $0.due < end }).min(by: {
      $0.due < $1.due
    }) {
      timers.removeAll { $0.id == timer.id }
      time = max(time, timer.due)
      moment = (nil, timer.shown)
      feed(.timer(timer.id))
    }
  }
}

// What the two do.

extension Shadow {
  private mutating func record(_ step: ClientStep) {
    for done in step.outputs {
      if case let .send(.request(number, request)) = done.output {
        pairs.addClient(number, request)
        if case let .unlisten(path, nil, _) = request {
          for index in Array(known.positions(.at, path)).reversed() { known.remove(at: index) }
        }
      }
      record(done.output, by: .client, at: done.sequence)
    }
  }

  /// - Returns: Whether the shadow does anything.
  @discardableResult private mutating func feed(_ input: ClientInput) -> Bool {
    reference.handle(input, at: moment.now, into: &outputs)
    let doesAnything = !outputs.isEmpty
    for index in outputs.indices { act(on: outputs[index]) }
    outputs.removeAllKeepingStorage()
    takeAnswers()
    return doesAnything
  }

  /// Gives the shadow the answers to what it has asked by now.
  private mutating func takeAnswers() {
    while connection == .open, let response = pairs.takeAnswer() {
      feed(.frame(.response(response)))
    }
  }

  private mutating func act(on output: ClientOutput) {
    let sequence = moment.cause ?? lastSequence
    if account != nil { record(output, at: time, because: sequence) }
    switch output.topic {
    case .connect: connection = .asked
    case .disconnect: connection = .none
    case let .send(.request(number, request)): pairs.addShadow(number, request)
    case let .timer(id, setting):
      timers.removeAll { $0.id == id }
      guard let setting else { return }
      let wait = max(.zero, setting.after)
      timers.append(
        Timer(id: id, due: time + wait, shown: moment.now + wait, purpose: setting.purpose))
    case let .storage(key, text): disk.store(text, under: key)
    case .send, .listener, .call, .nesting, .uncaught, .remark:
      record(output, by: .shadow, at: sequence)
    }
  }

  private mutating func record(
    _ output: ClientOutput, by side: ShadowObservations.Side, at sequence: Int
  ) {
    lastSequence = max(lastSequence, sequence)
    if side == .client, isLateEnd(output) { return }
    if side == .shadow, output.isOvertaken { hasOvertaken = true }
    if let event = output.event { followOrder(event) }
    ledger.record(output, by: side, at: sequence)
  }

  /// Whether a listener gets its end although a callback of the same change has removed it (CBK-14).
  private func isLateEnd(_ output: ClientOutput) -> Bool {
    guard case let .listener(listener, _) = output.topic, withdrawn.contains(listener) else {
      return false
    }
    return output.event == nil || registrations[listener]?.isOnce == true
  }

  /// Leaves free what follows from an order that the profile leaves open: that of the events, or, with
  /// a limit or a range, all that the process shows.
  private mutating func followOrder(_ event: Event) {
    guard var order = openOrders[event.listener] else { return }
    if event.type == .value {
      order.shown = event.value.children
    } else if let key = event.key {
      order.shown[key] = event.type == .childRemoved ? .empty : event.value
    }
    openOrders[event.listener] = order
    if order.query.isSettled(for: order.shown, in: profile) { return }
    if order.query.filters {
      hasOpenCall = true
    } else {
      ledger.leaveOrderFree(event.listener)
    }
  }
}

// What it does where no client does anything.

extension ScenarioResult {
  /// What a client does that is given the calls and messages of each client of the run, client by
  /// client; last what it would do next, a try to connect without a cause.
  package func shadowed(by make: @escaping () -> any SyncClient) -> [[TraceEvent]] {
    guard let end = trace.events.last?.time else { return [] }
    var monitor = ShadowMonitor(
      clients: scenario.clients.count, profile, epoch: epoch, OpenChoices { _ in make() })
    for index in monitor.shadows.indices { monitor.shadows[index].account = [] }
    var turns = TurnReader()
    trace.events.forEach(from: 0) { event in
      if turns.end(before: event, of: trace) { monitor.take(turns.step) }
      turns.take(event, wrongTimes: wrongTimes)
    }
    if turns.end() { monitor.take(turns.step) }
    return monitor.shadows.indices.map { monitor.shadows[$0].takeAccount(until: end) }
  }
}

extension Shadow {
  /// What the shadow has done until a moment, and the try to connect that it would make next, or what
  /// it would do about silence: send a keep-alive.
  fileprivate mutating func takeAccount(until end: Interval) -> [TraceEvent] {
    if isRunning { fireTimers(before: end) }
    guard isRunning, !isBlind else { return account ?? [] }
    if connection == .none, let retry = timers.first(where: { $0.purpose == .backOff }) {
      record(.connect, at: retry.due)
    }
    if connection == .open { fireTimers(.keepAlive, before: Interval(nanoseconds: .max)) }
    return account ?? []
  }

  /// Records what the shadow does, after the event of the trace because of which it does it.
  private mutating func record(_ output: ClientOutput, at time: Interval, because cause: Int? = nil)
  {
    let kind = TraceEvent.Kind.output(client, output)
    account?.append(TraceEvent(sequence: 0, cause: cause, time: time, step: 0, kind: kind))
  }
}

/// Which request of the shadow is which of the client, and which tag is which: on one connection.
///
/// Both number their requests and tag their listens as they like, so requests are paired by what
/// they ask for.
private struct RequestPairs {
  private typealias Tagged = (tag: Int, target: Operation.Target)

  /// What the client has asked, by its numbers.
  private var asked = RequestTable<Request>()
  /// What the shadow has asked and got no answer to.
  private var open: [(number: Int, outline: Request)] = []
  /// Answers that the shadow has not got: it has not asked so far.
  private var answers: [(outline: Request, response: ServerMessage.Response)] = []
  /// What each side has listened to with a tag, in order.
  private var tagged: (client: [Tagged], shadow: [Tagged]) = ([], [])

  mutating func addClient(_ number: Int, _ request: Request) {
    asked[number] = request.outline
    if let listen = Self.tagged(request) { tagged.client.append(listen) }
  }

  mutating func addShadow(_ number: Int, _ request: Request) {
    open.append((number, request.outline))
    if let listen = Self.tagged(request) { tagged.shadow.append(listen) }
  }

  private static func tagged(_ request: Request) -> Tagged? {
    guard case let .listen(listen) = request, let tag = listen.tag, let query = listen.query
    else { return nil }
    return (tag, Operation.Target(listen.path, query.acrossKinds))
  }

  /// The shadow's tag for what the client has tagged so; `nil` where the shadow does not listen.
  ///
  /// What is listened to now is the last on both sides, and so on backwards: a side may have left
  /// out a listen that was taken back at once.
  func shadowTag(for tag: Int) -> Int? {
    guard let target = tagged.client.last(where: { $0.tag == tag })?.target else { return nil }
    let later = tagged.client.reversed().prefix { $0.tag != tag }.count { $0.target == target }
    return tagged.shadow.reversed().filter { $0.target == target }.dropFirst(later).first?.tag
  }

  /// The location of the client's plain listen with this number, until it is answered.
  func plainListen(_ number: Int) -> Path? {
    guard case let .listen(listen)? = asked[number], listen.query == nil else { return nil }
    return listen.path
  }

  /// Takes an answer to the client.
  mutating func add(_ response: ServerMessage.Response) {
    guard let outline = asked.removeValue(forKey: response.request) else { return }
    answers.append((outline, response))
  }

  /// The first answer to something that the shadow has asked, as it must get it.
  ///
  /// Requests are paired exactly, or else a conditional write with another at the same location: what
  /// it writes depends on when it is sent.
  mutating func takeAnswer() -> ServerMessage.Response? {
    for (index, (outline, response)) in answers.enumerated() {
      let exact = open.firstIndex { $0.outline == outline }
      let paired = exact ?? open.firstIndex { $0.outline.isSameTransaction(as: outline) }
      guard let paired else { continue }
      answers.remove(at: index)
      var own = response
      own.request = open.remove(at: paired).number
      return own
    }
    return nil
  }
}

/// What a client and its shadow have stored, each in its own way.
private struct ShadowDisk {
  private typealias Texts = [Text: String]

  private var stored = (client: Texts(), shadow: Texts())
  /// What was stored when the run settled last.
  private var settled = (client: Texts(), shadow: Texts())
  /// Whether what the shadow has stored is not what it would have stored in the client's place: it
  /// has not seen what the client has seen.
  var hasDiverged = false

  mutating func store(_ text: String?, under key: String) { stored.shadow[Text(key)] = text }

  mutating func follow(_ step: ClientStep) {
    for done in step.outputs {
      if case let .storage(key, text) = done.output.topic { stored.client[Text(key)] = text }
    }
  }

  /// The run has settled.
  mutating func settle() { settled = stored }

  /// Replaces what the client finds by what the shadow finds then: everything, what was there when the
  /// run settled last, or nothing.
  ///
  /// - Returns: Whether that is what has become of the client's.
  mutating func replace(_ items: inout [ClientInput.StoredItem]) -> Bool {
    let found = Texts(items.map { (Text($0.key), $0.text) }) { $1 }
    if found.isEmpty {
      stored.shadow = [:]
      hasDiverged = false
    } else if found != stored.client {
      if found == settled.client { stored.shadow = settled.shadow } else { hasDiverged = true }
    }
    stored.client = found
    if hasDiverged { return false }
    items = stored.shadow.sorted { $0.key < $1.key }.map { .init($0.key.string, $0.value) }
    return true
  }
}
