package import ClientInterface

/// What an application does in its callbacks: each call is made where it was stated.
package struct DueReactions {
  private var reactions = Reactions()
  /// The calls whose callback has come, in the order in which they are to be made.
  private var due: [Reaction.Call] = []
  /// The first call that was not made although its callback came in the last turn, or part of one,
  /// with the last event of that.
  package private(set) var missed: (call: Reaction.Call, sequence: Int)?

  /// Takes one turn, or a part of it.
  mutating func take(_ step: ClientStep) {
    if missed != nil { missed = nil }
    if step.statesReaction, case let .call(_, .on(reaction)) = step.input {
      reactions.add(reaction)
    }
    if reactions.isEmpty, due.isEmpty { return }
    for done in step.outputs {
      if case let .calling(call) = done.output {
        due.removeAll { $0.id == call }
      } else {
        due += reactions.calls(in: done.output)
      }
    }
    guard let last = step.outputs.last, let missing = due.first else { return }
    // The turn goes on with the call.
    if case .calling = last.output { return }
    due = []
    missed = (missing, last.sequence)
  }
}
