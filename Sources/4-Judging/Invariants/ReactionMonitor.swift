internal import ClientInterface
internal import Scenario

/// Follows what an application does in its callbacks: each call is made where it was stated.
struct ReactionMonitor {
  private var reactions = Reactions()
  /// The calls whose callback has come, in the order in which they are to be made.
  private var due: [Reaction.Call] = []

  /// Takes one turn, or a part of it.
  ///
  /// - Returns: The first call that was not made.
  mutating func take(_ step: ClientStep) -> InvariantViolation? {
    if step.statesReaction, case let .call(_, .on(reaction)) = step.input {
      reactions.add(reaction)
    }
    if reactions.isEmpty, due.isEmpty { return nil }
    for done in step.outputs {
      if case let .calling(call) = done.output {
        due.removeAll { $0.id == call }
      } else {
        due += reactions.calls(in: done.output)
      }
    }
    guard let last = step.outputs.last, let missing = due.first else { return nil }
    // The turn goes on with the call.
    if case .calling = last.output { return nil }
    due = []
    return InvariantViolation(
      .madeInCallback, .call(step.client, missing.id, missing.operation), at: last.sequence,
      "the callback came, but \(missing.id.name) was not called from inside it")
  }
}
