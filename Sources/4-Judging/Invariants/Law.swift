internal import ClientInterface
internal import Scenario
internal import Trace

/// An invariant with the check that decides it, on one kind of occasion.
///
/// A check looks at a model of the run and changes nothing, so each can be read, and run, by itself.
struct Law<Occasion>: Sendable {
  let invariant: Invariant
  let check: @Sendable (Occasion) -> Judgement

  init(_ invariant: Invariant, _ check: @escaping @Sendable (Occasion) -> Judgement) {
    self.invariant = invariant
    self.check = check
  }
}

/// What a law says about an occasion.
enum Judgement {
  case holds
  case violated([Violation])
  /// It says nothing, for this reason.
  case unknown(Doubt)

  /// What shows that a law does not hold.
  struct Violation {
    var about: InvariantViolation.About
    /// The event of the trace that shows it; `nil` when something did not happen.
    var evidence: Int?
    var sentence: String
    var details: [String] = []
  }

  static func violated(
    _ about: InvariantViolation.About, at evidence: Int?, _ sentence: String
  ) -> Judgement {
    .violated([Violation(about: about, evidence: evidence, sentence: sentence)])
  }
}
