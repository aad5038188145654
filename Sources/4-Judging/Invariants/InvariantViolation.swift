package import ClientInterface
package import Scenario

/// An invariant that does not hold, with what shows it.
package struct InvariantViolation {
  package var invariant: Invariant
  package var about: About
  /// The event of the trace that shows it; `nil` when something did not happen.
  package var evidence: Int?
  /// What was observed and what should have been, as one sentence.
  package var sentence: String
  /// What distinguishes it from others of the same invariant, as words of a signature.
  package var details: [String] = []

  package enum About: Hashable {
    case listener(ClientIndex, ListenerID, Operation.Target)
    case call(ClientIndex, CallID, Operation)
    case client(ClientIndex)
    case server
  }

  package init(_ invariant: Invariant, _ about: About, at evidence: Int?, _ sentence: String) {
    self.invariant = invariant
    self.about = about
    self.evidence = evidence
    self.sentence = sentence
  }
}
