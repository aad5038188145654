/// Rules that a reference client breaks on purpose, because they lie too deep for a wrapper to
/// break.
///
/// Each is what a mutant switches off, and is looked at in one line. Without any, which is how
/// clients are made unless asked for, the client is right.
package struct MutationFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  // What is known and shown.

  /// Data that the server sends are shown as they are, without the pending writes on top (WRT-13).
  package static let dataHideWrites = MutationFlags(rawValue: 1 << 0)
  /// Later writes are laid under earlier ones (WRT-13).
  package static let writesLieBackwards = MutationFlags(rawValue: 1 << 1)
  /// Withdrawing a write takes its siblings out of what is shown as well (WRT-14).
  package static let revertsWipeSiblings = MutationFlags(rawValue: 1 << 2)
  /// What an acknowledged write put is forgotten until the server says it (WRT-16).
  package static let acknowledgedWritesVanish = MutationFlags(rawValue: 1 << 3)
  /// A withdrawn write below an earlier one stays shown (WRT-24 the wrong way round).
  package static let earlierWritesShadow = MutationFlags(rawValue: 1 << 4)
  /// What a view knows in part counts as all there is (EVT-18).
  package static let partsSeemComplete = MutationFlags(rawValue: 1 << 5)
  /// The window of a query counts as all there is (EVT-19).
  package static let windowsSeemComplete = MutationFlags(rawValue: 1 << 6)
  /// Data below the location of a window make it count as all there is (EVT-19).
  package static let windowsAreForgotten = MutationFlags(rawValue: 1 << 7)
  /// A window that has room for more counts as a part of what is there (WRT-13).
  package static let windowsWithRoomAreParts = MutationFlags(rawValue: 1 << 26)
  /// The nearest view above decides what is known, though one further up knows more (OBS-3,
  /// accident 104).
  package static let nearestViewDecides = MutationFlags(rawValue: 1 << 8)
  /// Data for one query reach all (WIR-7).
  package static let tagsAreIgnored = MutationFlags(rawValue: 1 << 9)
  /// An increment is shown added twice (SRV-3).
  package static let incrementsCountTwice = MutationFlags(rawValue: 1 << 11)
  /// The answer to a listen that was taken back ends the one that came after it (WIR-4).
  package static let staleAnswersAreTaken = MutationFlags(rawValue: 1 << 12)

  // Signing in.

  /// The answer to a sign-in counts although the user has signed out since (ACC-18).
  package static let lateAnswersSignIn = MutationFlags(rawValue: 1 << 10)

  // Transactions.

  /// Those on the wire when the connection breaks are sent again (TXN-13).
  package static let sentTransactionsAreResent = MutationFlags(rawValue: 1 << 13)
  /// What an overtaken transaction has shown stays (TXN-9).
  package static let abortsLeaveResults = MutationFlags(rawValue: 1 << 14)
  /// A transaction does not see the pending writes (TXN-2).
  package static let transactionsIgnoreWrites = MutationFlags(rawValue: 1 << 15)
  /// A transaction does not see what transactions without local events have written (TXN-2).
  package static let transactionsIgnoreHiddenWrites = MutationFlags(rawValue: 1 << 16)
  /// When the function breaks down in a later run, what it made before is sent (TXN-25).
  package static let brokenRerunsSendOldResults = MutationFlags(rawValue: 1 << 17)
  /// A transaction that two sets overtake is forgotten (TXN-10).
  package static let overtakenTwiceIsForgotten = MutationFlags(rawValue: 1 << 18)
  /// Data that pending writes cover do not make waiting transactions run again (TXN-16).
  package static let coveredDataChangeNothing = MutationFlags(rawValue: 1 << 21)

  // Persistence.

  /// The numbers of writes start again with each process (OFF-3).
  package static let writeNumbersRestart = MutationFlags(rawValue: 1 << 19)
  /// What is listened to is thrown out like anything else (OFF-15).
  package static let usedDataAreThrownOut = MutationFlags(rawValue: 1 << 20)

  /// A transaction is sent while others at its location are on their way (TXN-15).
  package static let transactionsDoNotWait = MutationFlags(rawValue: 1 << 22)
  /// What transactions make of new data is shown before the data are (TXN-16).
  package static let resultsPrecedeData = MutationFlags(rawValue: 1 << 25)

  // Push ids.

  /// The second push id of a millisecond has nothing to do with the first (PSH-3).
  package static let pushIDsIgnoreTheLast = MutationFlags(rawValue: 1 << 23)
  /// Push ids are counted from a random beginning, without the time (PSH-2).
  package static let pushIDsLackTheTime = MutationFlags(rawValue: 1 << 24)
}
