package import Simulator

/// One of the things that can happen next in a run of which the order is open.
package struct Transition: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The next step of this lane of concurrent steps.
    case call(lane: Int)
    case delivery(Delivery)
  }

  package let kind: Kind
  let reach: Footprint
  /// Whether its place among all others can matter, because more follows at the same instant.
  let isTurningPoint: Bool

  /// What distinguishes it from all others that are possible at the same time; it stays the same
  /// until the move is made.
  package enum Identity: Hashable, Sendable {
    case lane(Int)
    case link(Delivery.Link)
  }

  package var identity: Identity {
    switch kind {
    case let .call(lane): .lane(lane)
    case let .delivery(delivery): .link(delivery.link)
    }
  }

  /// Whether the order of the two can matter.
  package func conflicts(with other: Transition) -> Bool {
    isTurningPoint || other.isTurningPoint || reach.conflicts(with: other.reach)
  }

  /// The client whose inputs it is among; `nil` when it only concerns the server.
  package var client: Int? { reach.touchesClient ? reach.client : nil }

  /// Whether the client is all that it concerns.
  package var staysWithClient: Bool { reach.touchesClient && reach.server == .nothing }

  package var isDelivery: Bool {
    if case .delivery = kind { true } else { false }
  }
}

/// What of a run is open.
package enum OpenChoices: Hashable, Sendable {
  /// Concurrent steps come in any order, and messages take their time.
  case calls
  /// Messages take any time as well.
  case deliveries
  /// Messages arrive between concurrent steps, too.
  case everything
}

/// One of several ways in which a step may end.
package struct Alternative: Hashable, Sendable {
  /// From 1.
  package var step: Int
  /// The position in the list of alternatives, from 0.
  package var index: Int

  package init(step: Int, index: Int) {
    self.step = step
    self.index = index
  }
}
