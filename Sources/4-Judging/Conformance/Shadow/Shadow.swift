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
struct ShadowMonitor {
  private var shadows: [Shadow]
  private let epoch: Instant
  init(clients count: Int, epoch: Instant, make: @escaping () -> any SyncClient) {
    self.epoch = epoch
    shadows = (0..<count).map { Shadow(ClientIndex($0), make: make) }
  }

  /// Takes the next turn of a client.
  mutating func take(_ step: ClientStep) {
    guard shadows.indices.contains(step.client.number) else { return }
    shadows[step.client.number].take(step, at: step.wrongClock ?? epoch + step.time)
  }

  /// What differs, the earliest first: now that the run has settled, or although it has not.
  mutating func judge(_ extent: ShadowObservations.Extent) -> [ShadowDifference] {
    shadows.indices.flatMap { shadows[$0].judge(extent) }.enumerated()
      .sorted { ($0.element.evidence, $0.offset) < ($1.element.evidence, $1.offset) }
      .map(\.element)
  }

  /// What the shadows do in a whole run, until a moment.
  mutating func accounts(
    of trace: Trace, wrongTimes: [Int: Instant], until end: Interval
  ) -> [[TraceEvent]] {
    for index in shadows.indices { shadows[index].account = [] }
    var turns = TurnReader()
    trace.events.forEach(from: 0) { event in
      if turns.end(before: event, of: trace) { take(turns.step) }
      turns.take(event, wrongTimes: wrongTimes)
    }
    if turns.end() { take(turns.step) }
    return shadows.indices.map { shadows[$0].takeAccount(until: end) }
  }
}

/// The shadow of one client.
struct Shadow {
  let client: ClientIndex
  private let make: () -> any SyncClient
  private var reference: any SyncClient
  private var ledger = ShadowObservations()
  private var pairs = RequestPairs()
  private var timers: [Timer] = []
  private var connection = Connection.none
  private var disk = ShadowDisk()
  private var differences: [ShadowDifference] = []
  private var outputs: [ClientOutput] = []
  /// Calls of which an end is no observation.
  private var silentCalls: Set<CallID> = []
  /// What the listeners of the process are about.
  private var targets: [ListenerID: Operation.Target] = [:]
  /// Those that were removed in callbacks, of which the shadow may know events that were withdrawn.
  private var withdrawn: Set<ListenerID> = []
  /// Whether the client is where the shadow cannot follow: nothing is compared until its process
  /// has ended.
  private var isBlind = false
  private var isRunning = false
  /// Where the server has sent everything: at these locations and below.
  private var known = PathList<Void>()
  private var time = Interval.zero
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

  init(_ client: ClientIndex, make: @escaping () -> any SyncClient) {
    self.client = client
    self.make = make
    reference = make()
  }

  /// Takes one turn of the client, which sees the time `now`.
  mutating func take(_ step: ClientStep, at now: Instant) {
    if isRunning, !isBlind { fireTimers(before: step.time) }
    time = step.time
    if case let .open(opening) = step.input {
      open(opening, step, at: now)
    } else if step.input == .close {
      close()
    } else if isRunning, !isBlind {
      follow(step, at: now)
    }
    disk.follow(step)
  }

  /// Hands out what differs. When everything is compared, all of this instant has happened.
  mutating func judge(_ extent: ShadowObservations.Extent) -> [ShadowDifference] {
    if extent == .all {
      if isRunning { disk.rememberSettled() }
      fireTimers(before: Interval(nanoseconds: .max))
    }
    compare(extent)
    defer { differences = [] }
    return differences
  }

  private mutating func compare(_ extent: ShadowObservations.Extent) {
    isBlind = isBlind || ledger.hasFreeDifference
    guard isRunning, !isBlind else { return }
    differences += ledger.differences(extent, of: client)
    // What differed once goes on differing: only the first is of interest.
    isBlind = !differences.isEmpty
  }
}

// The beginning and the end of a process.

extension Shadow {
  private mutating func open(_ opening: ClientInput.Opening, _ step: ClientStep, at now: Instant) {
    reference = make()
    ledger = ShadowObservations()
    known.removeAll()
    pairs = RequestPairs()
    timers = []
    (targets, withdrawn) = ([:], [])
    connection = .none
    isRunning = true
    var own = opening
    if let items = disk.items(like: opening.storage) {
      own.storage = items
      isBlind = false
    } else {
      // The stored texts of the client were changed from outside, and cannot do the same here.
      isBlind = true
    }
    feed(.open(own), step, at: now)
    record(step)
  }

  private mutating func close() {
    compare(.soFar)
    isRunning = false
  }
}

// What happens to the client happens to its shadow.

extension Shadow {
  private mutating func follow(_ step: ClientStep, at now: Instant) {
    let wasOpen = connection == .open
    switch step.input {
    case let .call(call, operation): self.call(call, operation, step, at: now)
    case .opened:
      ask(step, at: now)
      if connection == .asked {
        connection = .open
        pairs = RequestPairs()
        feed(.opened, step, at: now)
      } else {
        isBlind = true
        disk.part()
      }
    case .refused:
      ask(step, at: now)
      if connection == .asked {
        connection = .none
        feed(.refused, step, at: now)
      }
    case .closed: lose(step, at: now)
    case let .frame(message): receive(message, step, at: now)
    // Its own timers of this instant come when those of the client come.
    case .timer: fireTimers(before: step.time + Interval(nanoseconds: 1))
    case .open, .close: break
    }
    record(step)
    // Why a client gives a connection up is its own affair.
    let disconnects = step.outputs.contains { $0.output == .disconnect }
    if wasOpen, connection == .open, disconnects { lose(step, at: now) }
  }

  /// A push gets the key that the client has made, and is then a set like any other.
  private mutating func call(
    _ call: CallID, _ operation: Operation, _ step: ClientStep, at now: Instant
  ) {
    // What callbacks do is done here when the client does it.
    if operation.kind == .on { return }
    followListeners(operation.listenerChange, isNested: step.isSplit)
    if operation.ending == .none { silentCalls.insert(call) } else { silentCalls.remove(call) }
    leaveFree(call, operation)
    if case let .push(path, node) = operation, let key = step.answer?.string {
      ledger.record(.answered(call, .string(key)), by: .shadow, at: step.sequence)
      guard let node else { return }
      feed(.call(call, .set(path.appending(Key(key)), node)), step, at: now)
    } else if let listener = operation.snapshotOwner, withdrawn.contains(listener) {
      if let done = step.outputs.first { record(done.output, by: .shadow, at: done.sequence) }
    } else {
      feed(.call(call, operation), step, at: now)
    }
  }

  private mutating func followListeners(_ change: Operation.ListenerChange?, isNested: Bool) {
    guard let change else { return }
    if case let .registers(registration) = change {
      targets[registration.listener] = registration.isRemovable ? registration.target : nil
    } else if isNested {
      for (listener, target) in targets where change.removes(listener, at: target) {
        ledger.forgetOwed(to: listener)
        withdrawn.insert(listener)
      }
    }
  }

  private mutating func receive(_ message: ServerMessage, _ step: ClientStep, at now: Instant) {
    guard connection == .open else { return }
    switch message {
    case let .response(response):
      if response.status == "ok", let path = pairs.plainListen(response.request) {
        known.append((), at: path)
      }
      if let own = pairs.answer(response) { feed(.frame(.response(own)), step, at: now) }
    case let .put(path, node, tag?):
      guard let own = pairs.shadowTag(for: tag) else { return }
      feed(.frame(.put(path, node, tag: own)), step, at: now)
    case let .merge(path, assignments, tag?):
      guard let own = pairs.shadowTag(for: tag) else { return }
      feed(.frame(.merge(path, assignments, tag: own)), step, at: now)
    default: feed(.frame(message), step, at: now)
    }
  }

  /// Leaves out of the comparison what is free: what a function gets before everything there is
  /// known (TXN-1), and moves in the order of values (QRY-24).
  private mutating func leaveFree(_ call: CallID, _ operation: Operation) {
    switch operation {
    case let .transaction(path, _, _) where !known.has(.atOrAbove, path):
      ledger.leaveFree(.call(call))
    case let .listen(listener, target, _) where target.query.ordering == .value,
      let .once(listener, target, _) where target.query.ordering == .value:
      ledger.leaveFree(.listener(listener))
    default: break
    }
  }

  /// The client has asked for a connection; a shadow that still waits before it does the same waits
  /// no longer.
  private mutating func ask(_ step: ClientStep, at now: Instant) {
    if connection == .open { lose(step, at: now) }
    guard connection == .none,
      let index = timers.firstIndex(where: { $0.purpose == .backOff })
    else { return }
    feed(.timer(timers.remove(at: index).id), step, at: now)
  }

  private mutating func lose(_ step: ClientStep, at now: Instant) {
    guard connection == .open else { return }
    connection = .none
    feed(.closed, step, at: now)
  }

  /// Fires what is due before a moment. When to try again, and how to keep a connection alive, is
  /// for the client to say.
  mutating func fireTimers(_ purpose: TimerPurpose = .other, before end: Interval) {
    while let timer = timers.filter({ $0.purpose == purpose && $0.due < end }).min(by: {
      $0.due < $1.due
    }) {
      timers.removeAll { $0.id == timer.id }
      time = max(time, timer.due)
      feed(.timer(timer.id), nil, at: timer.shown)
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

  private mutating func feed(_ input: ClientInput, _ step: ClientStep?, at now: Instant) {
    reference.handle(input, at: now, into: &outputs)
    for index in outputs.indices { act(on: outputs[index], step, at: now) }
    outputs.removeAllKeepingStorage()
    while connection == .open, let response = pairs.takeEarly() {
      feed(.frame(.response(response)), step, at: now)
    }
  }

  private mutating func act(on output: ClientOutput, _ step: ClientStep?, at now: Instant) {
    if account != nil { record(output, at: time, because: step?.sequence ?? lastSequence) }
    switch output {
    case .connect, .connectTo: connection = .asked
    case .disconnect: connection = .none
    case let .send(.request(number, request)): pairs.addShadow(number, request)
    case let .setTimer(id, after, purpose):
      timers.removeAll { $0.id == id }
      let wait = max(.zero, after)
      timers.append(Timer(id: id, due: time + wait, shown: now + wait, purpose: purpose))
    case let .cancelTimer(id): timers.removeAll { $0.id == id }
    case let .store(key, text): disk.store(text, under: key)
    case let .erase(key): disk.store(nil, under: key)
    case .send, .event, .cancelled, .completed, .answered, .threw, .updateRan, .calling, .returned,
      .uncaught, .log:
      record(output, by: .shadow, at: step?.sequence ?? lastSequence)
    }
  }

  private mutating func record(
    _ output: ClientOutput, by side: ShadowObservations.Side, at sequence: Int
  ) {
    lastSequence = max(lastSequence, sequence)
    if case let .completed(call, _) = output, silentCalls.contains(call) { return }
    ledger.record(output, by: side, at: sequence)
  }
}

// What it does where no client does anything.

extension Shadow {
  /// What the shadow has done until a moment, and the try to connect that it would make next, or what
  /// it would do about silence: send a keep-alive.
  mutating func takeAccount(until end: Interval) -> [TraceEvent] {
    if isRunning { fireTimers(before: end) }
    if connection == .none, isRunning, !isBlind,
      let retry = timers.first(where: { $0.purpose == .backOff })
    {
      record(.connect, at: retry.due)
    }
    if connection == .open, isRunning, !isBlind {
      fireTimers(.keepAlive, before: Interval(nanoseconds: .max))
    }
    return account ?? []
  }

  /// Records what the shadow does, after the event of the trace because of which it does it.
  mutating func record(_ output: ClientOutput, at time: Interval, because cause: Int? = nil) {
    let kind = TraceEvent.Kind.output(client, output)
    account?.append(TraceEvent(sequence: 0, cause: cause, time: time, step: 0, kind: kind))
  }
}

extension ScenarioResult {
  /// What a client does that is given the calls and messages of each client of the run, client by
  /// client; last what it would do next, a try to connect without a cause.
  package func shadowed(by make: @escaping () -> any SyncClient) -> [[TraceEvent]] {
    guard let end = trace.events.last?.time else { return [] }
    var monitor = ShadowMonitor(clients: scenario.clients.count, epoch: epoch, make: make)
    return monitor.accounts(of: trace, wrongTimes: wrongTimes, until: end)
  }
}

/// What a client and its shadow have stored, each in its own way.
struct ShadowDisk {
  private typealias Texts = [Text: String]

  private var stored = (client: Texts(), shadow: Texts())
  /// What was stored when the run settled last.
  private var settled = (client: Texts(), shadow: Texts())
  /// Whether what the shadow has stored is not what it would have stored in the client's place.
  private var hasDiverged = false

  mutating func store(_ text: String?, under key: String) { stored.shadow[Text(key)] = text }

  mutating func follow(_ step: ClientStep) {
    for done in step.outputs {
      switch done.output {
      case let .store(key, text): stored.client[Text(key)] = text
      case let .erase(key): stored.client[Text(key)] = nil
      default: break
      }
    }
  }

  mutating func rememberSettled() { settled = stored }

  /// From now on the shadow does not see what the client sees.
  mutating func part() { hasDiverged = true }

  /// What the shadow finds when the client finds `items`: everything, what was there when the run
  /// settled last, or nothing. `nil` when that is not what has become of the client's.
  mutating func items(like items: [ClientInput.StoredItem]) -> [ClientInput.StoredItem]? {
    let found = Texts(items.map { (Text($0.key), $0.text) }) { $1 }
    if found.isEmpty {
      stored.shadow = [:]
      hasDiverged = false
    } else if found == stored.client {
      // Everything was kept.
    } else if found == settled.client {
      stored.shadow = settled.shadow
    } else {
      hasDiverged = true
    }
    stored.client = found
    return hasDiverged
      ? nil : stored.shadow.sorted { $0.key < $1.key }.map { .init($0.key.string, $0.value) }
  }
}
