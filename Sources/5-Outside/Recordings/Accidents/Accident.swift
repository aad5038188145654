/// A state in which a recorded client does what no rule asks for. `Specs/accidents.md` describes
/// each.
///
/// An accident is recognized by the state that the reference client is in, never by a recording's
/// name. It makes some locations unreliable; they are compared again from the next complete message
/// of the server.
public enum Accident: Int, CaseIterable, Hashable, Comparable, Sendable {
  case forgottenTransaction = 101
  case withdrawnUnderAnother
  case prioritiesLast
  case acknowledgedOverNarrow
  case forgottenNarrowness
  case refill
  case nearestPathDecides
  case watchRaisesFirst
  case onceWithoutPrevious
  case onceRepeated
  case removedWatch
  case sentLeftOut
  case queuesOutOfOrder
  case onlyWhatIsReached
  case windowAgainstCover
  case takenOutUnderWrite

  /// What reports call it. The rules about access have the same letters and numbers below 100.
  public var id: String { "ACC-\(rawValue)" }

  /// What happens, in a few words.
  public var title: String {
    switch self {
    case .forgottenTransaction: "a transaction that is overtaken twice is forgotten"
    case .withdrawnUnderAnother: "a write that settles under or over another leaves a trace"
    case .prioritiesLast: "pending writes are folded into one tree, priorities last"
    case .acknowledgedOverNarrow: "an acknowledgement takes a narrow view for complete"
    case .forgottenNarrowness: "data below a narrow view make it complete"
    case .refill: "a limited window is refilled from beyond its old edge"
    case .nearestPathDecides: "a filtered listener hides the complete one above it"
    case .watchRaisesFirst: "what is owed at an overtaken transaction is raised first"
    case .onceWithoutPrevious: "a single read is given no previous key"
    case .onceRepeated: "a single read is called for every child"
    case .removedWatch: "unlisten-all takes the data from a running transaction"
    case .sentLeftOut: "a rerun does not see transactions that are on their way"
    case .queuesOutOfOrder: "independent transactions are sent out of order"
    case .onlyWhatIsReached: "only the children that a change names are looked at again"
    case .windowAgainstCover: "a filtered listener receives something else than the one above it"
    case .takenOutUnderWrite: "what leaves a window under a deep write counts as gone"
    }
  }

  public static func < (a: Accident, b: Accident) -> Bool { a.rawValue < b.rawValue }
}

extension Accident {
  /// The locations that the accident makes unreliable in this group; none when it does not happen.
  func unreliabilities(_ moment: RecordedStep) -> [Unreliability] {
    switch self {
    case .forgottenTransaction: moment.forgottenTransactions
    case .withdrawnUnderAnother: moment.withdrawnUnderAnother
    case .prioritiesLast: moment.prioritiesLast
    case .acknowledgedOverNarrow: moment.acknowledgedOverNarrow
    case .forgottenNarrowness: moment.forgottenNarrowness
    case .refill: moment.refills
    case .nearestPathDecides: moment.nearestPathDecides
    case .removedWatch: moment.removedWatches
    case .sentLeftOut: moment.sentLeftOut
    case .onlyWhatIsReached: moment.onlyWhatIsReached
    case .windowAgainstCover: moment.windowsAgainstCovers
    case .takenOutUnderWrite: moment.takenOutUnderWrites
    // Nothing is unreliable but the one thing that the accident is about: see `SingleRead` and
    // `Moment.permutation`.
    case .onceWithoutPrevious, .onceRepeated, .watchRaisesFirst, .queuesOutOfOrder: []
    }
  }
}
