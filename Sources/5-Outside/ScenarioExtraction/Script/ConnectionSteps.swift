internal import ClientInterface
internal import Faults
internal import Scenario
internal import Wire

/// What affected the connections of a client, as steps.
struct ConnectionSteps {
  private(set) var lines: [ScenarioScript.Line] = []

  private let name: String
  private let timeline: Timeline
  private let moments: [Timeline.Occurrence]
  private let knowsCalls: Bool
  /// Whether messages take no time: then what was lost has to be held back until the connection ends.
  private let isImmediate: Bool
  private let losses: ConnectionLosses
  /// Whether a fault of the session holds messages back.
  private var isStalled = false
  /// The last fault of this client whose connection the server ended late.
  private var late: Interval?
  /// Where the last connection ended.
  private var lastEnd: Int?
  private var isOpen = false
  private var isCut = false
  /// Whether others write before the client comes back: it must not come back sooner.
  private var staysAway = false
  /// Whether the client has closed its connection of its own.
  private var isAway = false

  init(of client: Int, _ name: String, in timeline: Timeline, _ isImmediate: Bool) {
    self.name = name
    self.isImmediate = isImmediate
    losses = ConnectionLosses(of: client, in: timeline)
    self.timeline = timeline
    knowsCalls = timeline.reported.contains(client)
    moments = timeline.moments.filter { $0.client == client }
    for index in moments.indices { take(index) }
  }

  private mutating func take(_ index: Int) {
    switch moments[index].what {
    case .closed where isOpen:
      isOpen = false
      let opening = moments[index...].first(where: \.isOpening)
      isCut = isRefused(after: index) || opening == nil
      staysAway = !isCut && late == nil && othersWrite(after: index, until: opening)
      let drop = late.map { Fault<String>.lateClose(name, after: $0) } ?? .drop(name)
      end(by: .fault(isCut || staysAway ? .cut(name) : drop), index)
    case .disconnects where isOpen:
      isOpen = false
      if knowsCalls || isAfterShutdown(index) { return }
      isAway = true
      add(.call(.init(client: name, id: "off", isNamed: false, operation: .goOffline)), index)
    case .refused where isCut:
      guard !isRefused(after: index), moments[index...].contains(where: \.isOpening) else { return }
      isCut = false
      add(.fault(.heal(name)), index)
    case .connects where isAway:
      isAway = false
      add(.call(.init(client: name, id: "on", isNamed: false, operation: .goOnline)), index)
    case .killed:
      isOpen = false
      add(.fault(.kill(name)), index, isKnown: true)
    case .started: add(.fault(.start(name, .kept)), index, isKnown: true)
    case .opened:
      if staysAway { add(.fault(.heal(name)), index) }
      if !lines.isEmpty { add(.expect, index, settles: true) }
      (isOpen, staysAway) = (true, false)
      late = nil
    case let .fault(fault) where isImmediate: take(fault, index)
    default: break
    }
  }

  /// A fault that the session names.
  private mutating func take(_ fault: IndexedFault, _ index: Int) {
    if case let .lateClose(_, interval) = fault { late = interval }
    switch StallChange(fault) {
    case let .begins(direction)?:
      isStalled = true
      add(.fault(.stall(name, direction)), index, isKnown: true)
    case let .ends(direction)? where isStalled:
      isStalled = false
      add(.fault(.resume(name, direction)), index, isKnown: true)
    case .ends?, nil: break
    }
  }

  /// A connection ends: what was lost with it is lost in the scenario too.
  private mutating func end(by action: Action, _ index: Int) {
    guard isImmediate, !isStalled else { return add(action, index) }
    let connection = moments[index].connection
    let loss = losses.byConnection[connection]
    defer { lastEnd = index }
    if loss?.beginsAgain == true, let lastEnd {
      // The answer to what is sent at once over the new connection: it breaks by that.
      insert(
        .fault(.loseAcknowledgement(name)), before: moments[lastEnd].event + 1,
        moments[lastEnd].time)
      if isCut || staysAway { add(action, index) }
      return
    }
    for (sent, direction) in [(loss?.answer, FaultDirection.toClient), (loss?.request, .toServer)] {
      guard let sent else { continue }
      let message = timeline.sent[sent]
      insert(.fault(.stall(name, direction)), before: message.event, message.time)
    }
    add(action, index)
    if loss?.answer != nil { add(.fault(.resume(name, .toClient)), index) }
    if loss?.request != nil { add(.fault(.resume(name, .toServer)), index) }
  }

  private mutating func insert(_ action: Action, before event: Int, _ time: Interval) {
    lines.append(ScenarioScript.Line(time: time, event: event - 1, action: action, isKnown: true))
  }

  private mutating func add(
    _ action: Action, _ index: Int, isKnown: Bool = false, settles: Bool = false
  ) {
    lines.append(
      ScenarioScript.Line(
        time: moments[index].time, event: moments[index].event, action: action, isKnown: isKnown,
        settles: settles))
  }

  private func othersWrite(after index: Int, until opening: Timeline.Occurrence?) -> Bool {
    guard isImmediate, let opening else { return false }
    return timeline.hasWrites(
      besides: moments[index].client, from: moments[index].event, to: opening.event)
  }

  /// Whether an attempt to connect is refused before one succeeds.
  private func isRefused(after index: Int) -> Bool {
    moments[index...].dropFirst().prefix { !$0.isOpening }.contains(where: \.isRefusal)
  }

  /// Whether the server has sent the client away: it goes by itself then.
  private func isAfterShutdown(_ index: Int) -> Bool {
    guard index > 0, case let .received(message) = moments[index - 1].what else { return false }
    switch timeline.received[message].message {
    case .reset, .shutdown: return true
    default: return false
    }
  }
}

extension Timeline.Occurrence {
  fileprivate var isOpening: Bool { if case .opened = what { true } else { false } }
  fileprivate var isRefusal: Bool { if case .refused = what { true } else { false } }
}
