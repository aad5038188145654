internal import ClientInterface
internal import Document
internal import Scenario

/// Something that happened in a session as a step of a scenario, with its time.
struct ScriptLine {
  let time: Interval
  /// The event of the session.
  let event: Int
  var action: Action
  /// Whether the session contains it; else it is inferred.
  var isKnown = false

  /// The call that it makes, if it makes one.
  var call: Action.Call? {
    get { action.call }
    set { action = newValue.map { .call($0) } ?? action }
  }
}

/// The steps of a scenario of a session, and where they are in the session.
struct ScriptSteps {
  /// How closely the times of the session are kept.
  enum Pace: CaseIterable {
    /// The run settles wherever the session did: what a person would write.
    case restful
    /// Every step has its time.
    case exact
    /// The same, but clients that connect again are waited for.
    case untilSettled
  }

  private(set) var steps: [Step] = []
  private(set) var bounds: [Range<Int>] = []
  /// Whether a step is known from the session; else it is inferred.
  private(set) var isKnown: [Bool] = []

  private let timeline: Timeline
  private let pace: Pace
  private var now: Interval
  private var last: ScriptLine?
  private var hasNews = false

  /// Makes the steps of lines, which are in order. Where the run has to settle, if the pace asks for
  /// that, a line does so. The session has so many `events`; at their end something is expected.
  init(
    _ lines: [ScriptLine], of timeline: Timeline, from start: Interval, pace: Pace, events: Int
  ) {
    self.timeline = timeline
    self.pace = pace
    now = start
    for line in lines {
      if case .settle = line.action {
        guard pace == .untilSettled else { continue }
        add(.settle, at: line.event)
        now = max(now, line.time)
      } else {
        pass(to: line)
        add(line.action, at: line.event, isKnown: line.isKnown)
        last = line
        hasNews = true
      }
    }
    add(.expect, at: events, expecting: .settled)
  }

  /// Lets time pass until a line.
  private mutating func pass(to line: ScriptLine) {
    var gap = line.time - now
    if timeline.isImmediate {
      // Clocks of machines are more precise than is readable.
      gap = .milliseconds(Int(gap.milliseconds.rounded()))
      if gap < .milliseconds(1) {
        gap = last?.needsGap(before: line) == true ? .milliseconds(1) : .zero
      }
    }
    guard gap > .zero else { return }
    now = now + gap
    if last == nil { return }
    let isPause = hasNews && gap >= timeline.pause
    if isPause, pace == .restful {
      add(.expect, at: line.event, expecting: .settled)
    } else {
      add(.wait(gap), at: line.event, expecting: isPause ? .now : nil)
    }
  }

  private mutating func add(
    _ action: Action, at event: Int, expecting timing: Expectation.Timing? = nil,
    isKnown: Bool = true
  ) {
    let position = Position(line: steps.count + 1, column: 1)
    let begin = max(bounds.last?.upperBound ?? 0, event)
    steps.append(
      Step(
        file: "", position: position, text: "", action: action,
        expectation: timing.map { Expectation(position: position, timing: $0) }))
    bounds.append(begin..<begin)
    self.isKnown.append(isKnown)
    if timing != nil { hasNews = false }
  }
}

extension ScriptLine {
  init(_ action: Action, at moment: Timeline.Moment, isKnown: Bool = false) {
    self.init(time: moment.time, event: moment.event, action: action, isKnown: isKnown)
  }

  /// Whether there must be time between it and the next one, where messages take none: only between
  /// writes of one client none is needed.
  fileprivate func needsGap(before next: ScriptLine) -> Bool {
    !(isPlainWrite && next.isPlainWrite && call?.client == next.call?.client)
  }

  /// Whether it is a write whose outcome is not needed before the next one.
  private var isPlainWrite: Bool { call?.operation.kind.family == .writing }
}

// MARK: - How long messages took

extension Timeline {
  private static let latencyUnit = Scenario.Choice.latencyUnit

  /// Whether every message of a client took the same time.
  var isUniform: Bool {
    latencies.allSatisfy {
      ($0.upperBound - $0.lowerBound).nanoseconds < Self.latencyUnit.nanoseconds
    }
  }

  /// From how long on it is certain that nothing is under way.
  var pause: Interval {
    let longest = latencies.map(\.upperBound).max() ?? .zero
    return longest == .zero ? .milliseconds(20) : longest + longest
  }

  /// How long messages of the clients take; exactly with room for whatever came later still.
  func latency(_ names: [String], exactly isExact: Bool) -> Scenario.Latency {
    var latency = Scenario.Latency()
    let own = latencies.map { range in
      let low = Self.floor(range.lowerBound)
      return isExact ? low...Self.floor(low + .seconds(60)) : low...low
    }
    if let first = own.first, own.allSatisfy({ $0 == first }) {
      latency.standard = first
    } else {
      latency.overrides = zip(names, own).map { .init(client: $0, range: $1) }
    }
    return latency
  }

  /// By how much each message came later than the fastest. One that was lost is on its way until
  /// then: otherwise it would arrive.
  func choices(_ names: [String]) -> [Scenario.Choice] {
    let received = (moments.filter { $0.received != nil } + lost).sorted { $0.event < $1.event }
    return choices(of: sent.map { moments[$0] }, .fromClient, names)
      + choices(of: received, .toClient, names)
  }

  private func choices(
    of messages: [Moment], _ direction: Scenario.Choice.Direction, _ names: [String]
  ) -> [Scenario.Choice] {
    var counts = [Int](repeating: 0, count: names.count)
    return messages.compactMap { message in
      counts[message.client] += 1
      // Delays are rounded down: it must not arrive at the last moment.
      guard
        let departure = message.departure ?? message.counterpart.flatMap({ moments[$0].arrival }),
        let end = message.arrival ?? message.loss.map({ $0 + .milliseconds(10) })
      else { return nil }
      let fastest = Self.floor(latencies[message.client].lowerBound)
      let late = Self.floor(end - departure - fastest)
      guard late > .zero, late < .seconds(60) else { return nil }
      return .message(
        counts[message.client], direction, client: names[message.client], late: late)
    }
  }

  private static func floor(_ time: Interval) -> Interval {
    Interval(nanoseconds: time.nanoseconds / latencyUnit.nanoseconds * latencyUnit.nanoseconds)
  }
}

// MARK: - Rules

extension Scenario {
  /// The rules that a scenario of a session is about, by what clients do in it.
  var ruleCitations: [Citation] {
    var ids: [String] = []
    for step in steps {
      guard let id = step.action.call?.operation.rule, !ids.contains(id) else { continue }
      ids.append(id)
    }
    if ids.isEmpty { ids = ["CON-1"] }
    return ids.map { Citation(id: $0, position: .init(line: 1, column: 1)) }
  }
}

extension Operation {
  fileprivate var rule: String? {
    switch kind.family {
    case .listening: registration == nil ? nil : "EVT-1"
    case .writing: kind == .setPriority ? "PRI-1" : "WRT-1"
    case .transaction: "TXN-1"
    case .onDisconnect: "OND-1"
    case .credential: "ACC-13"
    case .connection, .inspection: nil
    case .reaction: "CBK-1"
    }
  }
}
