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
  private var isOpen = false
  private var isCut = false
  /// Whether the client has closed its connection of its own.
  private var isAway = false

  init(of client: Int, _ name: String, in timeline: Timeline) {
    self.name = name
    self.timeline = timeline
    knowsCalls = timeline.reported.contains(client)
    moments = timeline.moments.filter { $0.client == client }
    for index in moments.indices { take(index) }
  }

  private mutating func take(_ index: Int) {
    switch moments[index].what {
    case .closed where isOpen:
      isOpen = false
      let comesBack = moments[index...].contains(where: \.isOpening)
      isCut = isRefused(after: index) || !comesBack
      add(.fault(isCut ? .cut(name) : .drop(name)), index)
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
      if !lines.isEmpty { add(.expect, index, settles: true) }
      isOpen = true
    default: break
    }
  }

  private mutating func add(
    _ action: Action, _ index: Int, isKnown: Bool = false, settles: Bool = false
  ) {
    lines.append(
      ScenarioScript.Line(
        time: moments[index].time, event: moments[index].event, action: action, isKnown: isKnown,
        settles: settles))
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
