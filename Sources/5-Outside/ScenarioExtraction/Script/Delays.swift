internal import ClientInterface
internal import Document
internal import Scenario
internal import Wire

/// How long messages took, as a scenario says it.
struct Delays {
  private let ranges: [ClosedRange<Interval>]
  private static let latencyUnit = Scenario.Choice.latencyUnit

  init(_ timeline: Timeline) {
    ranges = timeline.latencies
  }

  /// Whether every message of a client took the same time.
  var isUniform: Bool {
    ranges.allSatisfy {
      ($0.upperBound - $0.lowerBound).nanoseconds < Self.latencyUnit.nanoseconds
    }
  }

  /// Whether messages took no time: a server wrote down the session.
  var areNone: Bool { ranges.allSatisfy { $0.upperBound == .zero } }

  /// From how long on it is certain that nothing is under way.
  var pause: Interval {
    let longest = ranges.map(\.upperBound).max() ?? .zero
    return longest == .zero ? .milliseconds(20) : longest + longest
  }

  func latency(_ names: [String], exactly: Bool) -> Scenario.Latency {
    var latency = Scenario.Latency()
    let own = ranges.map { range -> ClosedRange<Interval> in
      let low = Self.floor(range.lowerBound)
      // Room for whatever came later still.
      return exactly ? low...Self.floor(low + .seconds(60)) : low...low
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
  func choices(_ timeline: Timeline, _ names: [String]) -> [Scenario.Choice] {
    var counts = [Int](repeating: 0, count: names.count)
    var choices: [Scenario.Choice] = []
    for message in timeline.sent {
      counts[message.client] += 1
      guard let late = late(message.time, message.arrival, message.loss, message.client) else {
        continue
      }
      choices.append(
        .message(
          counts[message.client], .fromClient, client: names[message.client], late: late))
    }
    var answers: [Int: Interval] = [:]
    for message in timeline.sent {
      if let answer = message.answer, let arrival = message.arrival { answers[answer] = arrival }
    }
    counts = [Int](repeating: 0, count: names.count)
    func add(_ client: Int, _ departure: Interval?, _ arrival: Interval?, _ loss: Interval?) {
      counts[client] += 1
      guard let departure, let late = late(departure, arrival, loss, client) else { return }
      choices.append(.message(counts[client], .toClient, client: names[client], late: late))
    }
    var lost = timeline.lost[...]
    for (index, message) in timeline.received.enumerated() {
      while let first = lost.first, first.receivedCount <= index {
        add(first.client, first.departure, nil, lost.removeFirst().time)
      }
      add(message.client, message.departure ?? answers[index], message.time, nil)
    }
    for one in lost { add(one.client, one.departure, nil, one.time) }
    return choices
  }

  private func late(
    _ departure: Interval, _ arrival: Interval?, _ loss: Interval?, _ client: Int
  ) -> Interval? {
    // Delays are rounded down: it must not arrive at the last moment.
    guard let end = arrival ?? loss.map({ $0 + .milliseconds(10) }) else { return nil }
    let late = Self.floor(end - departure - Self.floor(ranges[client].lowerBound))
    return late > .zero && late < .seconds(60) ? late : nil
  }

  private static func floor(_ time: Interval) -> Interval {
    Interval(nanoseconds: time.nanoseconds / latencyUnit.nanoseconds * latencyUnit.nanoseconds)
  }
}

/// The rules that a scenario of a session is about, by what clients do in it.
enum RuleCitations {
  static func rules(of scenario: Scenario) -> [Scenario.Citation] {
    var ids: [String] = []
    for step in scenario.steps {
      guard case let .call(call) = step.action, let id = rule(of: call.operation),
        !ids.contains(id)
      else { continue }
      ids.append(id)
    }
    if ids.isEmpty { ids = ["CON-1"] }
    return ids.map { Scenario.Citation(id: $0, position: .init(line: 1, column: 1)) }
  }

  private static func rule(of operation: Operation) -> String? {
    switch operation.kind.family {
    case .listening: operation.registration == nil ? nil : "EVT-1"
    case .writing: operation.kind == .setPriority ? "PRI-1" : "WRT-1"
    case .transaction: "TXN-1"
    case .onDisconnect: "OND-1"
    case .credential: "ACC-13"
    case .connection, .inspection: nil
    case .reaction: "CBK-1"
    }
  }
}
