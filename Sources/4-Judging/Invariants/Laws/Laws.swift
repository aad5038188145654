internal import Scenario

/// All laws, by what they are asked about.
enum Laws {
  /// The invariants that are decided on each kind of occasion.
  static let byOccasion: [[Invariant]] = [
    EventLaws.all.map(\.invariant),
    CancellationLaws.all.map(\.invariant),
    ([CallLaws.acknowledged] + CallLaws.all).map(\.invariant),
    LinkLaws.all.map(\.invariant),
    ([TurnLaws.reactions, TurnLaws.ends] + TurnLaws.shown).map(\.invariant),
    AcceptanceLaws.transactions.map(\.invariant),
    ([SettledLaws.requestedAtAll, SettledLaws.allEnded] + SettledLaws.listens).map(\.invariant),
    SettledLaws.listeners.map(\.invariant),
    // What is true of the run as a whole: see InvariantMonitor.judgeSettled.
    [.comesBack, .serverOrder],
    // What the monitor of the wire finds.
    [.helloComesFirst, .numbered, .listensOnce, .takesBackOwn],
  ]

  /// Every invariant that is decided somewhere.
  static let invariants = byOccasion.flatMap { $0 }
}
