internal import ReferenceServer

extension Mutant {
  /// Right clients with a server that has a defect.
  static let servers = ServerDefect.allCases.filter(\.isWrong).compactMap { defect -> Mutant? in
    guard let description = defect.description else { return nil }
    return Mutant(
      "server-" + defect.rawValue, description.sentence, from: description.origin,
      component: .server, server: defect)
  }
}

extension ServerDefect {
  /// nil for what clients cannot see.
  fileprivate var description: (sentence: String, origin: String)? {
    switch self {
    case .sendsOldData: ("Listeners are sent the data from before a change.", "S1")
    case .answersBeforeWriting:
      ("A write is answered, then done; it is lost with its connection.", "S2")
    case .answersBeforeSending: ("The answer to a write comes before its data.", "S2 R10")
    case .answersBeforeListenData: ("The answer to a listen comes before its data.", "S9")
    case .repeatsOnDisconnects:
      ("On-disconnect operations are done again when the next connection begins.", "S3 R63")
    case .forgetsOnDisconnects: ("On-disconnect operations are not done.", "S4 R66")
    case .reversesOnDisconnects: ("On-disconnect operations are done last to first.", "R64")
    case .trustsOnDisconnects:
      ("On-disconnect operations are done although the rules forbid them by then.", "S12")
    case .cancelsEverything: ("Cancelling forgets all on-disconnect operations.", "C29")
    case .sendsToOneListenOfAPath: ("Of several listens at one location only one is served.", "S5")
    case .hashesWithoutPriorities: ("Hashes leave priorities out.", "S6")
    case .ignoresHashes: ("Hashes of writes are not compared.", "S6 H13")
    case .mergesAreSets: ("A merge overwrites its whole location.", "S7")
    case .sendsMergesInParts: ("A merge is sent location by location.", "S9")
    case .trustsEveryHash: ("A listen with a hash is sent no data, whatever the hash is.", "S8")
    case .coarseTime: ("The server's time goes on by minutes.", "S10")
    case .refusesInPart: ("Of a merge that is refused the allowed parts are done.", "S11")
    case .refusesAndWrites: ("A write that is refused is done all the same.", "S11")
    case .incrementsTwice: ("An increment is done twice.", "R57")
    case .revokesSilently: ("The loss of access is not sent.", "R67")
    case .ignoresQueriesOfREST, .ignoresConditionsOfREST, .streamsNoMerges,
      .acceptsBodiesThatAreNone:
      nil
    case .refusesBarePriorities: ("A priority for an empty location is refused.", "A-09")
    }
  }
}
