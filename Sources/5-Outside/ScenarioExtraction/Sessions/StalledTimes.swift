internal import ClientInterface
internal import Faults

/// When messages of clients were held back by a fault: how long they took then says nothing about
/// latency.
struct StalledTimes {
  /// By client, from when and, when it ended, until when.
  private var times: [Int: [(from: Interval, until: Interval?)]] = [:]

  init(_ moments: [Timeline.Occurrence]) {
    for moment in moments {
      guard case let .fault(text) = moment.what, let change = StallChange(text) else { continue }
      switch change {
      case .begins: times[moment.client, default: []].append((moment.time, nil))
      case .ends:
        guard let last = times[moment.client]?.indices.last else { continue }
        times[moment.client]?[last].until = moment.time
      }
    }
  }

  func contains(_ time: Interval, of client: Int) -> Bool {
    times[client]?.contains { $0.from <= time && time <= $0.until ?? time } ?? false
  }
}

/// What a fault, by its text in a trace, does to a direction of a client's network.
enum StallChange {
  case begins(FaultDirection)
  case ends(FaultDirection)

  init?(_ text: String) {
    let client = ""
    for direction in FaultDirection.allCases {
      if text == Fault<String>.stall(client, direction).text { self = .begins(direction); return }
      if text == Fault<String>.resume(client, direction).text { self = .ends(direction); return }
    }
    guard text == Fault<String>.heal(client).text else { return nil }
    self = .ends(.both)
  }
}
