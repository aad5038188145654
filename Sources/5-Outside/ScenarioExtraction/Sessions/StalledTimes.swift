internal import ClientInterface
internal import Faults

/// When messages of clients were held back by a fault: how long they took then says nothing about
/// latency.
struct StalledTimes {
  /// By client, from when and, when it ended, until when.
  private var times: [Int: [(from: Interval, until: Interval?)]] = [:]

  init(_ moments: [Timeline.Occurrence]) {
    for moment in moments {
      guard case let .fault(fault) = moment.what, let change = StallChange(fault) else { continue }
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

/// What a fault does to a direction of a client's network.
enum StallChange {
  case begins(FaultDirection)
  case ends(FaultDirection)

  init?(_ fault: IndexedFault) {
    switch fault {
    case let .stall(_, direction): self = .begins(direction)
    case let .resume(_, direction): self = .ends(direction)
    case .heal: self = .ends(.both)
    default: return nil
    }
  }
}
