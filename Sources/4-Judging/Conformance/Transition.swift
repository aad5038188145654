internal import ClientInterface
package import Faults
internal import Scenario
package import Simulator

/// One of the things that can happen next in a run of which the order is open.
package struct Transition: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The next step of this lane of concurrent steps.
    case call(lane: Int)
    case delivery(Delivery)
    /// Something goes wrong.
    case fault([IndexedFault])
    /// What comes next without anybody choosing.
    case next
  }

  package let kind: Kind
  /// What it can touch; once it was made, what it has touched.
  var reach: Footprint
  /// Whether its place among all others can matter, because more follows at the same instant.
  package let isTurningPoint: Bool

  /// What distinguishes it from all others that are possible at the same time; it stays the same
  /// until the move is made.
  package enum Identity: Hashable, Sendable {
    case lane(Int)
    case link(Delivery.Link)
    case fault, next
  }

  package var identity: Identity {
    switch kind {
    case let .call(lane): .lane(lane)
    case let .delivery(delivery): .link(delivery.link)
    case .fault: .fault
    case .next: .next
    }
  }

  /// The event of the trace that brought what is delivered under way.
  package var cause: Int? {
    if case let .delivery(delivery) = kind { delivery.cause } else { nil }
  }

  /// Whether the order of the two can matter.
  package func conflicts(with other: Transition) -> Bool {
    isTurningPoint || other.isTurningPoint || reach.conflicts(with: other.reach)
  }
}

extension ScenarioRun {
  /// The move that lets faults happen now. It concerns as little as they do, so a search must try
  /// it between any two others.
  package func move(of faults: [IndexedFault]) -> Transition {
    let client = faults.first?.client
    let isLocal = faults.allSatisfy { fault in
      fault.client == client && fault.kind.group != .server
        && !fault.kind.traits.contains(.waits)
    }
    let reach = isLocal ? client.map { Footprint.fault(of: $0.number) } : nil
    return Transition(kind: .fault(faults), reach: reach ?? .anything, isTurningPoint: false)
  }

  /// The move that lets come next what does so without anybody choosing.
  package var nextMove: Transition {
    Transition(kind: .next, reach: .anything, isTurningPoint: true)
  }
}

/// Concurrent steps that stay in their order: the calls of one client, what affects its process and
/// its network, or what happens at the server.
///
/// What affects a client has a lane of its own, so that it can strike between any two of its calls.
struct OrderedSteps {
  /// What its steps touch, which distinguishes it from other lanes.
  private let extent: Footprint
  var steps: ArraySlice<Step>

  /// The steps in lanes, which are in the order of their first steps.
  static func lanes(of steps: [Step], _ clients: ObservationLog) -> [OrderedSteps] {
    var lanes: [OrderedSteps] = []
    for step in steps {
      let extent = extent(of: step, clients)
      if let index = lanes.firstIndex(where: { $0.extent == extent }) {
        lanes[index].steps.append(step)
      } else {
        lanes.append(OrderedSteps(extent: extent, steps: [step]))
      }
    }
    return lanes
  }

  private static func extent(of step: Step, _ clients: ObservationLog) -> Footprint {
    if step.trigger != nil { return .anything }
    if let call = step.action.call {
      return clients.index(of: call.client).map { .call(of: $0.number) } ?? .anything
    }
    guard let fault = step.action.fault else { return .anything }
    if fault.kind.group == .server { return .serverWrite }
    return fault.client.flatMap { clients.index(of: $0) }.map { .fault(of: $0.number) } ?? .anything
  }

  /// What the next step can read or change.
  var reach: Footprint {
    guard let next = steps.first else { return .anything }
    // Some of what happens at the server concerns clients by more than what it sends them.
    let isWider = next.action.fault?.kind.traits.contains(.dependsOnTraffic) ?? true
    return extent == .serverWrite && isWider ? .anything : extent
  }
}
