/// Something that holds in every run, whatever a scenario expects.
///
/// Ids never change: scenarios name them to make an exception, and reports cite them.
public struct Invariant: Hashable, Sendable {
  /// Such as `INV-7`.
  public var id: String
  /// The rule that it follows from.
  public var rule: String
  /// What holds, as one sentence.
  public var sentence: String

  /// Every invariant, in the order of their numbers.
  public static let all = changes + lifetimes + writes + connections + rest + laws

  init(_ number: Int, _ rule: String, _ sentence: String) {
    id = "INV-\(number)"
    self.rule = rule
    self.sentence = sentence
  }
}

// What one listener receives.

extension Invariant {
  public static let addedOnce = Invariant(
    1, "EVT-4", "A child is added only while it is not there.")
  public static let presentChild = Invariant(
    2, "EVT-25", "Only a child that is there changes, moves or goes.")
  public static let lastShownValue = Invariant(
    3, "EVT-6", "A removed child brings the value that was shown last.")
  public static let valueLast = Invariant(
    4, "EVT-7", "The value event of a change comes after its child events.")
  public static let extracted = Invariant(
    5, "EVT-25", "Child events add up to the children of the next value event.")
  public static let extractedOrder = Invariant(
    6, "EVT-25", "Child events with their previous keys give the order of the next value event.")
  public static let neighbour = Invariant(
    7, "EVT-10", "The previous key is the neighbour in the window after the change.")
  public static let kindsInOrder = Invariant(
    8, "EVT-8", "In one change removals come first, then additions, moves, changes, value.")
  public static let newValue = Invariant(
    9, "EVT-13", "Of two value events in a row the second differs from the first.")
  public static let withinLimit = Invariant(
    10, "LIM-13", "A limited window never shows more children than its limit.")
  public static let withinRange = Invariant(
    11, "QRY-9", "A window shows only children that lie in its range.")
  public static let oneValue = Invariant(
    12, "EVT-14", "One change raises at most one value event at a listener.")
  public static let askedFor = Invariant(
    13, "EVT-1", "A listener receives only the kinds of event that it asked for.")

  static let changes = [
    addedOnce, presentChild, lastShownValue, valueLast, extracted, extractedOrder, neighbour,
    kindsInOrder, newValue, withinLimit, withinRange, oneValue, askedFor,
  ]
}

// When listeners and calls end.

extension Invariant {
  public static let silentAfterRemoval = Invariant(
    14, "OBS-6", "A listener receives nothing after its removal.")
  public static let silentAfterCancel = Invariant(
    15, "ACC-1", "A listener is cancelled at most once and receives nothing afterwards.")
  public static let onceIsOnce = Invariant(
    16, "OBS-9", "A single read receives one event or one cancellation.")
  public static let endsOnce = Invariant(
    17, "WRT-10", "Nothing comes of a call after its end.")
  public static let answeredFirst = Invariant(
    18, "WRT-10", "No write succeeds before the server has answered it.")
  public static let endsInOrder = Invariant(
    19, "WRT-12", "Plain writes end in the order of the calls.")
  public static let endsAfterEvents = Invariant(
    20, "WRT-11", "The end of a plain write comes after the events of its answer.")
  public static let committedResult = Invariant(
    21, "TXN-18", "A transaction commits what its function returned last.")

  static let lifetimes = [
    silentAfterRemoval, silentAfterCancel, onceIsOnce, endsOnce, answeredFirst, endsInOrder,
    endsAfterEvents, committedResult,
  ]
}

// What is shown of writes.

extension Invariant {
  public static let seenAtOnce = Invariant(
    22, "WRT-8", "An own write is seen by the time the call returns.")
  public static let staysShown = Invariant(
    23, "WRT-13", "A pending write stays shown until it is answered.")
  public static let wholeUpdate = Invariant(
    24, "EVT-14", "No value event shows a part of an update.")
  public static let leavesNoTrace = Invariant(
    25, "WRT-14", "Nothing of a refused write stays shown.")
  public static let ascendingKeys = Invariant(
    26, "PSH-3", "Push ids of one client ascend.")

  static let writes = [seenAtOnce, staysShown, wholeUpdate, leavesNoTrace, ascendingKeys]
}

// What goes over the wire.

extension Invariant {
  public static let connectedAlternates = Invariant(
    27, "CON-1", "What .info/connected shows alternates and is true only after the greeting.")
  public static let helloComesFirst = Invariant(
    28, "CON-12", "Nothing is sent without a connection that the server has greeted.")
  public static let boundedBackOff = Invariant(
    29, "CON-5",
    "The delay before a try keeps within its limit, which starts again after success and goOnline.")
  public static let staysOffline = Invariant(
    30, "CON-4", "A client that was taken offline does not connect by itself.")
  public static let numbered = Invariant(
    31, "WIR-12", "Each request has a larger number than the one before.")
  public static let listensOnce = Invariant(
    32, "WIR-4", "No query is listened to twice on one connection, and no tag is used twice.")
  public static let takesBackOwn = Invariant(
    33, "WIR-4", "Only a listen that is in place is taken back.")
  public static let sentOnce = Invariant(
    34, "OFF-3", "Writes go out in the order of the calls, once on a connection, until answered.")
  public static let requestedOnce = Invariant(
    35, "OND-9", "On-disconnect requests go out in the order of the calls, once.")

  static let connections = [
    connectedAlternates, helloComesFirst, boundedBackOff, staysOffline, numbered, listensOnce,
    takesBackOwn, sentOnce, requestedOnce,
  ]
}

// What is true when the run has settled.

extension Invariant {
  public static let noneBelow = Invariant(
    36, "WIR-4", "When settled nothing is listened to that an unfiltered listen covers.")
  public static let covered = Invariant(
    37, "OBS-17",
    "When a run has settled, every listener of a connected client is served by a listen.")
  public static let nothingLeft = Invariant(
    38, "OBS-12",
    "When a run has settled, every listen serves a listener, and a connected client waits for no try."
  )
  public static let allEnded = Invariant(
    39, "WRT-10",
    "When a run has settled, every write and transaction of a connected client has ended.")
  public static let converged = Invariant(
    40, "EVT-23", "When a run has settled, every view of a connected client is what the server has."
  )
  public static let serverOrder = Invariant(
    41, "OND-4", "The server holds what accepted writes and on-disconnect operations come to.")
  public static let addsUp = Invariant(
    42, "TXN-17", "Increments by transactions add up.")
  public static let linearizable = Invariant(
    43, "TXN-26",
    "Sets and transactions at one location can be put into one order that explains them."
  )

  static let rest = [
    noneBelow, covered, nothingLeft, allEnded, converged, serverOrder, addsUp, linearizable,
  ]
}

// What the server accepts compared with what applications requested.

extension Invariant {
  public static let atomicTransaction = Invariant(
    44, "TXN-26", "What a transaction stores is what its function gives for what the server had.")
  public static let hashOfInput = Invariant(
    45, "TXN-26", "The hash of a transaction is that of the data that its function was given.")
  public static let acknowledgedIsKept = Invariant(
    46, "WRT-10", "A write that was acknowledged to the application took effect at the server.")
  public static let requestedOnly = Invariant(
    47, "OFF-3", "Only what an application requested takes effect.")
  public static let effectiveOnce = Invariant(
    48, "OFF-3", "A write that has ended does not take effect again.")
  public static let effectiveInOrder = Invariant(
    49, "EVT-24", "The writes of one client take effect in the order of the calls.")

  static let laws = [
    atomicTransaction, hashOfInput, acknowledgedIsKept, requestedOnly, effectiveOnce,
    effectiveInOrder,
  ]
}
