/// Something that a server does wrong on purpose, always and from the beginning.
///
/// Not a fault, which happens at a moment of a run: a kit that tests servers must notice each.
public enum ServerDefect: String, CaseIterable, Hashable, Sendable {
  /// Listeners are sent what was there before a change.
  case sendsOldData = "tells-old-data"
  /// A write is answered at once and done with the next message; it is lost with its connection.
  case answersBeforeWriting = "answers-before-writing"
  /// The answer to a write comes before its data (WIR-3 broken).
  case answersBeforeSending = "answers-before-telling"
  /// The answer to a listen comes before its data (WIR-2 broken).
  case answersBeforeListenData = "answers-before-listen-data"
  /// What was to be done at the end of a connection is done again when the next one begins.
  case repeatsOnDisconnects = "repeats-on-disconnects"
  /// What was to be done at the end of a connection is not done.
  case forgetsOnDisconnects = "forgets-on-disconnects"
  /// What was to be done at the end of a connection is done last to first.
  case reversesOnDisconnects = "reverses-on-disconnects"
  /// What was to be done at the end of a connection is done although the rules forbid it by then.
  case trustsOnDisconnects = "trusts-on-disconnects"
  /// Cancelling forgets everything that is to be done, wherever it is.
  case cancelsEverything = "cancels-everything"
  /// Of several listens of a connection at one location only the first is served.
  case sendsToOneListenOfAPath = "tells-one-listen-of-a-place"
  /// Hashes leave priorities out.
  case hashesWithoutPriorities = "hashes-without-priorities"
  /// Hashes of writes are not compared.
  case ignoresHashes = "ignores-hashes"
  /// A merge overwrites its whole location.
  case mergesAreSets = "merges-are-sets"
  /// A merge is sent location by location.
  case sendsMergesInParts = "tells-merges-in-parts"
  /// A listen with a hash is sent nothing, whatever the hash.
  case trustsEveryHash = "trusts-every-hash"
  /// The server's time goes on by minutes.
  case coarseTime = "coarse-time"
  /// Of a merge that is refused, the parts that are allowed are done.
  case refusesInPart = "refuses-in-part"
  /// A write that is refused is done all the same.
  case refusesAndWrites = "refuses-and-writes"
  /// An increment is done twice.
  case incrementsTwice = "increments-twice"
  /// The loss of access is not sent.
  case revokesSilently = "revokes-silently"
  /// REST reads everything, whatever the query (RST-2 broken).
  case ignoresQueriesOfREST = "rest-ignores-queries"
  /// REST does a write whose condition does not hold (RST-7 broken).
  case ignoresConditionsOfREST = "rest-ignores-conditions"
  /// A stream of events is sent no merges (RST-4 broken).
  case streamsNoMerges = "rest-streams-no-merges"
  /// REST accepts a body that is no JSON, and removes what is there (RST-8 broken).
  case acceptsBodiesThatAreNone = "rest-accepts-any-body"
  /// A priority for an empty location is refused. This one is no defect: the service may do so (PRI-8).
  case refusesBarePriorities = "refuses-bare-priorities"

  /// Whether a kit that tests servers must notice it.
  public var isWrong: Bool { self != .refusesBarePriorities }
}
