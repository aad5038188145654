internal import ClientInterface
internal import Scenario

// How long things take.

extension Search {
  /// Lengths of time that people would take.
  private static let usual = [1, 10, 100, 1000, 10_000, 60_000].map { Interval.milliseconds($0) }

  /// Fewer waits, shorter ones, and rest in place of them.
  mutating func simplifyTimes() {
    mergeWaits()
    for element in current.elements.reversed() {
      simplifyTrigger(of: element)
      switch current[element] {
      case let .wait(length):
        if attempt({ $0[element] = .settle }) { continue }
        for shorter in Self.usual where shorter < length {
          if attempt({ $0[element] = .wait(shorter) }) { break }
        }
      case let .network(.latency(range, client)) where range.lowerBound < range.upperBound:
        for end in [range.lowerBound, range.upperBound] {
          if attempt({ $0[element] = .network(.latency(end...end, client: client)) }) { break }
        }
      case let .network(.lateClose(client, delay)):
        for shorter in Self.usual where shorter < delay {
          if attempt({ $0[element] = .network(.lateClose(client: client, after: shorter)) }) {
            break
          }
        }
      case let .network(.closeAfter(client, messages, direction)):
        for fewer in 1..<messages {
          let closing = NetworkAction.closeAfter(client: client, messages: fewer, direction)
          if attempt({ $0[element] = .network(closing) }) { break }
        }
      case let .network(.halfOpen(client, notices)) where notices != .nobody:
        _ = attempt { $0[element] = .network(.halfOpen(client: client, notices: .nobody)) }
      case let .process(.start(client, storage)) where storage != .kept:
        _ = attempt { $0[element] = .process(.start(client: client, storage: .kept)) }
      case .network, .process, .call, .server, .settle, .disarm, .together, .expect: break
      }
    }
  }

  /// At once, or else as early as it can be said.
  private mutating func simplifyTrigger(of element: Element) {
    guard let trigger = current[step: element].trigger else { return }
    if attempt({ $0[step: element].trigger = nil }) { return }
    var simpler: [Step.Trigger] = []
    switch trigger {
    case let .after(length): simpler = Self.usual.filter { $0 < length }.map { .after($0) }
    case var .frame(frame):
      for count in 1..<max(1, frame.count) {
        frame.count = count
        simpler.append(.frame(frame))
      }
    case let .messages(count, direction, client):
      simpler = (1..<max(1, count)).map { .messages($0, direction, client: client) }
    }
    for trigger in simpler where attempt({ $0[step: element].trigger = trigger }) { return }
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
