/// How the orders to be tried are found.
public enum Strategy: String, CaseIterable, Hashable, Sendable {
  /// Every order, except those in which only things changed places that do not concern each other.
  case exhaustive
  /// At each point any move is as likely as another.
  case random
  /// Moves have priorities that change at few points: finds what needs few changes of mind.
  case pct
  /// Moves have priorities, drawn again when something conflicting happened: close to drawing from
  /// the orders evenly.
  case pos
  /// The order of time, with few delays.
  case delay
}

/// Whether a search leaves out orders that can come to nothing new.
public enum Reduction: Hashable, Sendable {
  case reduced
  case none
}
