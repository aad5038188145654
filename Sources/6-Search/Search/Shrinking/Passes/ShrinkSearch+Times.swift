internal import ClientInterface
internal import Faults
internal import Scenario

// How long things take.

extension ShrinkSearch {
  /// Fewer waits, shorter ones, and rest in place of them.
  mutating func simplifyTimes() {
    mergeWaits()
    for element in current.elements.reversed() {
      simplifyTrigger(of: element)
      for simpler in current[element].simplerInTime
      where attemptOnce(current.changed { $0[element] = simpler }) { break }
    }
  }

  /// At once, or else as early as it can be said.
  private mutating func simplifyTrigger(of element: Element) {
    guard let trigger = current[step: element].trigger else { return }
    if attempt({ $0[step: element].trigger = nil }) { return }
    var simpler: [Step.Trigger] = []
    switch trigger {
    case let .after(length): simpler = Interval.usual(below: length).map { .after($0) }
    case var .frame(frame):
      for count in 1..<max(1, frame.count) {
        frame.count = count
        simpler.append(.frame(frame))
      }
    case let .messages(count, direction, client):
      simpler = (1..<max(1, count)).map { .messages($0, direction, client: client) }
    }
    for trigger in simpler
    where attemptOnce(current.changed { $0[step: element].trigger = trigger }) { return }
  }

  /// Two waits in a row are one.
  private mutating func mergeWaits() {
    var index = 1
    while index < current.steps.count {
      guard case let .wait(second) = current.steps[index].action,
        case let .wait(first) = current.steps[index - 1].action,
        current.steps[index - 1].expectation == nil
      else {
        index += 1
        continue
      }
      let isMerged = attempt { scenario in
        scenario.steps[index].action = .wait(first + second)
        scenario.steps.remove(at: index - 1)
      }
      if !isMerged { index += 1 }
    }
  }
}

extension Action {
  /// The same with shorter or fewer of what it states, the simplest first.
  fileprivate var simplerInTime: [Action] {
    if case let .wait(length) = self {
      return [.settle] + Interval.usual(below: length).map { .wait($0) }
    }
    return fault?.simplerInTime.map { .fault($0) } ?? []
  }
}

extension NamedFault {
  /// The same with fields that state less. Only what takes time or counts is tried.
  fileprivate var simplerInTime: [NamedFault] {
    let (kind, fields) = parts
    func replaced<Value>(
      _ field: WritableKeyPath<FaultFields<String>, Value>, by values: [Value]
    ) -> [NamedFault] {
      values.compactMap { value in
        var copy = fields
        copy[keyPath: field] = value
        return NamedFault(kind, copy)
      }
    }
    if kind == .latency, fields.latency.lowest < fields.latency.highest {
      let ends = [fields.latency.lowest, fields.latency.highest]
      return replaced(\.latency, by: ends.map { .fixed($0) })
    }
    return kind.form.fields.flatMap { field -> [NamedFault] in
      switch field {
      case .after: replaced(\.interval, by: Interval.usual(below: fields.interval))
      case .messages: replaced(\.count, by: Array(1..<max(1, fields.count)))
      case .notices where fields.notices != .neither: replaced(\.notices, by: [.neither])
      case .storage where fields.storage != .kept: replaced(\.storage, by: [.kept])
      case .notices, .direction, .host, .down, .onDisconnects, .skew, .writes, .data, .storage,
        .shift, .gain, .times, .at:
        []
      }
    }
  }
}

extension Interval {
  /// Lengths of time that people would take, shorter than this one.
  fileprivate static func usual(below length: Interval) -> [Interval] {
    [1, 10, 100, 1000, 10_000, 60_000].map { .milliseconds($0) }.filter { $0 < length }
  }
}

// What is chosen where the steps leave something open.

extension ShrinkSearch {
  /// Benign choices where they do as well: spans of them first, then one by one, then less of each.
  mutating func simplifyChoices() {
    if current.choices == nil || attempt({ $0.choices = nil }) || attempt({ $0.choices = [] }) {
      return
    }
    var size = max(1, (current.choices?.count ?? 0) / 2)
    while size > 0, !isExhausted {
      sweep(size, of: { $0.choices?.count ?? 0 }) { scenario, span in
        scenario.changed { $0.choices?.removeSubrange(span) }
      }
      size /= 2
    }
    for index in current.choices?.indices ?? 0..<0 { lower(index) }
  }

  private mutating func lower(_ index: Int) {
    guard let choice = current.choices?[index] else { return }
    switch choice {
    case .seed, .form: return
    case let .order(scope, moves):
      lowerMoves(moves) { $0.choices?[index] = .order(scope, $1) }
    case let .message(number, direction, client, late):
      lower(late) { $0.choices?[index] = .message(number, direction, client: client, late: $1) }
    case let .connection(number, client, late):
      lower(late) { $0.choices?[index] = .connection(number, client: client, late: $1) }
    }
  }

  /// The least lateness, by halving.
  private mutating func lower(
    _ late: Interval, _ change: (inout Scenario, Interval) -> Void
  ) {
    let latencyUnit = Scenario.Choice.latencyUnit.nanoseconds
    var (enough, tooLittle) = (late.nanoseconds / latencyUnit, Int64(0))
    while tooLittle + 1 < enough, !isExhausted {
      let middle = (tooLittle + enough) / 2
      let isTaken = attempt { change(&$0, Interval(nanoseconds: middle * latencyUnit)) }
      if isTaken { enough = middle } else { tooLittle = middle }
    }
  }

  /// The moves that time would have made, from the end, and earlier ones where it would not.
  private mutating func lowerMoves(_ moves: [Int], _ change: (inout Scenario, [Int]) -> Void) {
    var moves = moves
    for count in [0, moves.count / 2, moves.count - 1] where count < moves.count && count >= 0 {
      let shorter = Array(moves.prefix(count))
      if attempt({ change(&$0, shorter) }) {
        moves = shorter
        break
      }
    }
    for index in moves.indices.reversed() {
      for lower in 0..<max(0, moves[index]) {
        var changed = moves
        changed[index] = lower
        if attempt({ change(&$0, changed) }) {
          moves = changed
          break
        }
      }
    }
  }
}
