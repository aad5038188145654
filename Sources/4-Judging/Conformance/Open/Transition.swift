package import Faults
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
