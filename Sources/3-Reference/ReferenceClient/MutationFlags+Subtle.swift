// Rules that are broken only where several things come together: a hunt has to find them.

extension MutationFlags {
  // What is known and shown.

  /// A window counts more than an unfiltered listener above it (EVT-19).
  package static let windowsHideCovers = MutationFlags(rawValue: 1 << 27)
  /// A range whose limit is not reached counts as all there is (WRT-16).
  package static let rangesHoldEverything = MutationFlags(rawValue: 1 << 28)
  /// A child whose last leaf a pending write took counts as unknown for the next one (WRT-13).
  package static let emptiedAreUnknown = MutationFlags(rawValue: 1 << 29)
  /// A filtered view shows what is written below a child that it does not know (WRT-21).
  package static let unseenCountAsEmpty = MutationFlags(rawValue: 1 << 30)
  /// A child that is written outside a window stays known (LIM-10).
  package static let writesOutsideStay = MutationFlags(rawValue: 1 << 31)
  /// A hidden write counts as one that covers a refused one (WRT-14).
  package static let hiddenWritesShadow = MutationFlags(rawValue: 1 << 32)
  /// Data of an unfiltered listener change no window below it that was sent by itself (EVT-14).
  package static let coversReachNothing = MutationFlags(rawValue: 1 << 33)

  // Transactions.

  /// An update ends transactions child by child, and others run again in between (TXN-9).
  package static let updatesGoChildByChild = MutationFlags(rawValue: 1 << 34)
  /// What waited is sent without a look at what has changed meanwhile (TXN-26).
  package static let sentAsTheyWere = MutationFlags(rawValue: 1 << 35)
  /// A transaction above others does not see the data that they know (TXN-26).
  package static let hashesVouchForLess = MutationFlags(rawValue: 1 << 36)

  // Listens and connections.

  /// What is kept synchronised still is after it was refused (ACC-10).
  package static let refusedStaySynchronized = MutationFlags(rawValue: 1 << 37)

  // Persistence.

  /// An answered write changes nothing of what is kept without a listener (OFF-13).
  package static let keptDataMissWrites = MutationFlags(rawValue: 1 << 38)
}
