/// Something that holds in every run, whatever a scenario expects.
///
/// Ids never change: scenarios name them to make an exception, and reports cite them.
public struct Invariant: Hashable, Sendable {
  /// Such as 7; never given twice.
  public let number: Int
  /// Such as `INV-7`.
  public var id: String { "INV-\(number)" }
  /// The rule that it follows from.
  public var rule: String
  /// What holds, as one sentence.
  public var sentence: String

  /// Every invariant, in the order of their numbers.
  public static let all =
    changes + lifetimes + writes + connections + rest + laws + restoring + single

  init(_ number: Int, _ rule: String, _ sentence: String) {
    self.number = number
    self.rule = rule
    self.sentence = sentence
  }
}

// What one listener receives.

extension Invariant {
  /// INV-1 (EVT-4): child_added comes only for a child that the listener does not show yet.
  public static let addedOnce = Invariant(
    1, "EVT-4", "A child is added only while it is not there.")
  /// INV-2 (EVT-25): judged at listeners that also receive child_added, which shows who is present.
  public static let presentChild = Invariant(
    2, "EVT-25", "Only a child that is there changes, moves or goes.")
  /// INV-3 (EVT-6): the snapshot of child_removed equals what the listener was last shown of the
  /// child.
  public static let lastShownValue = Invariant(
    3, "EVT-6", "A removed child brings the value that was shown last.")
  /// INV-4 (EVT-7): broken by a value event that only the child events behind it explain.
  public static let valueLast = Invariant(
    4, "EVT-7", "The value event of a change comes after its child events.")
  /// INV-5 (EVT-25): judged at listeners that receive additions, changes, removals and values.
  public static let extracted = Invariant(
    5, "EVT-25", "Child events add up to the children of the next value event.")
  /// INV-6 (EVT-25): judged at listeners of all five event types whose order the profile
  /// determines.
  public static let extractedOrder = Invariant(
    6, "EVT-25", "Child events with their previous keys give the order of the next value event.")
  /// INV-7 (EVT-10): compares the previous keys of a change with the order in its value event.
  public static let neighbour = Invariant(
    7, "EVT-10", "The previous key is the neighbour in the window after the change.")
  /// INV-8 (EVT-8): the order of the event types that one change raises at one listener.
  public static let kindsInOrder = Invariant(
    8, "EVT-8", "In one change removals come first, then additions, moves, changes, value.")
  /// INV-9 (EVT-13): not judged where a write or transaction was taken back in between.
  public static let newValue = Invariant(
    9, "EVT-13", "Of two value events in a row the second differs from the first.")
  /// INV-10 (LIM-13): judged by the number of children in each value event of a limited query.
  public static let withinLimit = Invariant(
    10, "LIM-13", "A limited window never shows more children than its limit.")
  /// INV-11 (QRY-9): judged by every child in the value events of a filtered query.
  public static let withinRange = Invariant(
    11, "QRY-9", "A window shows only children in its range.")
  /// INV-12 (EVT-14): broken by the second value event of the same change.
  public static let oneValue = Invariant(
    12, "EVT-14", "One change raises at most one value event at a listener.")
  /// INV-13 (EVT-1): broken by an event of a type that the listener was not registered for.
  public static let askedFor = Invariant(
    13, "EVT-1", "A listener receives only the kinds of event that it asked for.")

  static let changes = [
    addedOnce, presentChild, lastShownValue, valueLast, extracted, extractedOrder, neighbour,
    kindsInOrder, newValue, withinLimit, withinRange, oneValue, askedFor,
  ]
}

// When listeners and calls end.

extension Invariant {
  /// INV-14 (OBS-6): broken by any event or cancellation that follows the removal of its listener.
  public static let silentAfterRemoval = Invariant(
    14, "OBS-6", "A listener receives nothing after its removal.")
  /// INV-15 (ACC-1): broken by any event or second cancellation after a listener was cancelled.
  public static let silentAfterCancel = Invariant(
    15, "ACC-1", "A listener is cancelled at most once and receives nothing afterwards.")
  /// INV-16 (OBS-9): also broken by a single read of the value that is unanswered in a settled run.
  public static let onceIsOnce = Invariant(
    16, "OBS-9", "A single read receives one event or one cancellation.")
  /// INV-17 (WRT-10): broken by a second end, and by a transaction's function that runs after the
  /// end.
  public static let endsOnce = Invariant(
    17, "WRT-10", "Nothing comes of a call after its end.")
  /// INV-18 (WRT-10): compares the successes that a client reports with the answers it has
  /// received, for on-disconnect requests as well.
  public static let answeredFirst = Invariant(
    18, "WRT-10", "No write succeeds before the server has answered it.")
  /// INV-19 (WRT-12): broken by a plain write that ends after one that was made later.
  public static let endsInOrder = Invariant(
    19, "WRT-12", "Plain writes end in the order of the calls.")
  /// INV-20 (WRT-11): broken by an event that follows the end of a plain write in the same turn.
  public static let endsAfterEvents = Invariant(
    20, "WRT-11", "The end of a plain write comes after the events of its answer.")
  /// INV-21 (TXN-18): not judged where the function's result contains server values.
  public static let committedResult = Invariant(
    21, "TXN-18", "A transaction commits what its function returned last.")

  static let lifetimes = [
    silentAfterRemoval, silentAfterCancel, onceIsOnce, endsOnce, answeredFirst, endsInOrder,
    endsAfterEvents, committedResult,
  ]
}

// What is shown of writes.

extension Invariant {
  /// INV-22 (WRT-8): judged when the call returns, at listeners of value events that the write
  /// concerns.
  public static let seenAtOnce = Invariant(
    22, "WRT-8", "An own write is seen by the time the call returns.")
  /// INV-23 (WRT-13): broken by a value event that lacks a write the server has not answered.
  public static let staysShown = Invariant(
    23, "WRT-13", "A pending write stays shown until it is answered.")
  /// INV-24 (EVT-14): holds for updates of the application and for those that the server sends.
  public static let wholeUpdate = Invariant(
    24, "EVT-14", "No value event shows a part of an update.")
  /// INV-25 (WRT-14): found in place of `converged` where a refused write explains what a listener
  /// shows.
  public static let leavesNoTrace = Invariant(
    25, "WRT-14", "Nothing of a refused write stays shown.")
  /// INV-26 (PSH-3): compares each push id with the one before; a new hello starts again. After a push
  /// that was refused it need only be greater.
  public static let ascendingKeys = Invariant(
    26, "PSH-3", "Push ids that one client makes in one millisecond go up by one.")

  static let writes = [seenAtOnce, staysShown, wholeUpdate, leavesNoTrace, ascendingKeys]
}

// What goes over the wire.

extension Invariant {
  /// INV-27 (CON-1): judged by the value events of listeners of `.info/connected`.
  public static let connectedAlternates = Invariant(
    27, "CON-1", "What .info/connected shows alternates and is true only after hello.")
  /// INV-28 (CON-12): broken by a message that a client sends without a connection or before the
  /// hello.
  public static let helloComesFirst = Invariant(
    28, "CON-12", "Nothing is sent before the server's hello.")
  /// INV-29 (CON-5): the limit on the delay is 1 s at first, grows with every try, and never
  /// exceeds 300 s.
  public static let boundedBackOff = Invariant(
    29, "CON-5",
    "The delay before a try keeps within its limit, which starts again after success and goOnline.")
  /// INV-30 (CON-4): broken by an attempt to connect after goOffline and before goOnline.
  public static let staysOffline = Invariant(
    30, "CON-4", "A client that was taken offline does not connect by itself.")
  /// INV-31 (WIR-12): the numbers go on over the connections of a client and do not start again.
  public static let numbered = Invariant(
    31, "WIR-12", "Each request has a larger number than the one before.")
  /// INV-32 (WIR-4): broken by a second listen to a query, or by one whose tag another listen still
  /// has.
  public static let listensOnce = Invariant(
    32, "WIR-4", "No query is listened to twice on one connection, and no tag is used twice.")
  /// INV-33 (WIR-4): broken by an unlisten that matches no present listen in its query and tag.
  public static let takesBackOwn = Invariant(
    33, "WIR-4", "Only a listen that is in place is taken back.")
  /// INV-34 (OFF-3): also broken by sending a write that was never made or was answered before.
  public static let sentOnce = Invariant(
    34, "OFF-3", "Writes go out in the order of the calls, once on a connection, until answered.")
  /// INV-35 (OND-9): also broken by an on-disconnect request that no application made.
  public static let requestedOnce = Invariant(
    35, "OND-9", "On-disconnect requests go out in the order of the calls, once.")

  static let connections = [
    connectedAlternates, helloComesFirst, boundedBackOff, staysOffline, numbered, listensOnce,
    takesBackOwn, sentOnce, requestedOnce,
  ]
}

// What is true when the run has settled.

extension Invariant {
  /// INV-36 (WIR-4): also broken by a filtered listen at the same location as an unfiltered one.
  public static let noneBelow = Invariant(
    36, "WIR-4", "When settled nothing is listened to that an unfiltered listen covers.")
  /// INV-37 (OBS-17): broken by a listener, other than below `.info`, whose data no listen brings.
  public static let covered = Invariant(
    37, "OBS-17",
    "When a run has settled, every listener of a connected client is served by a listen.")
  /// INV-38 (OBS-12): locations that are kept synchronised and open transactions keep listens too.
  public static let nothingLeft = Invariant(
    38, "OBS-12",
    "When a run has settled, every listen serves a listener, and a connected client waits for no try."
  )
  /// INV-39 (WRT-10): broken by each plain write or transaction that is still open then.
  public static let allEnded = Invariant(
    39, "WRT-10",
    "When a run has settled, every write and transaction of a connected client has ended.")
  /// INV-40 (EVT-23): compares what each listener shows with the window of its query at the server.
  public static let converged = Invariant(
    40, "EVT-23", "When a run has settled, every view of a connected client is what the server has."
  )
  /// INV-41 (OND-4): compares the server's tree with one computed from all that it accepted.
  public static let serverOrder = Invariant(
    41, "OND-4", "The server holds what accepted writes and on-disconnect operations result in.")

  static let rest = [noneBelow, covered, nothingLeft, allEnded, converged, serverOrder]
}

// What the server accepts compared with what applications requested.

extension Invariant {
  /// INV-44 (TXN-26): judged when the server accepts a conditional put.
  public static let atomicTransaction = Invariant(
    44, "TXN-26", "What a transaction stores is what its function gives for what the server had.")
  /// INV-45 (TXN-26): judged when the server answers a conditional put.
  public static let hashOfInput = Invariant(
    45, "TXN-26", "The hash of a transaction is that of the data that its function was given.")
  /// INV-46 (WRT-10): broken by a plain write or a transaction that succeeds although the server
  /// never accepted it.
  public static let acknowledgedIsKept = Invariant(
    46, "WRT-10", "A write that was acknowledged to the application took effect at the server.")
  /// INV-47 (OFF-3): broken when the server accepts a write that no application asked for.
  public static let requestedOnly = Invariant(
    47, "OFF-3", "Only what an application requested takes effect.")
  /// INV-48 (OFF-3): broken when the server accepts a write that was sent again after its end, or
  /// the result of a transaction twice.
  public static let effectiveOnce = Invariant(
    48, "OFF-3", "A write that has ended does not take effect again.")
  /// INV-49 (EVT-24): broken when the server accepts a plain write after one requested later, or a
  /// transaction after a write or transaction of the same data that was requested later.
  public static let effectiveInOrder = Invariant(
    49, "EVT-24", "The writes of one client take effect in the order of the calls.")
  /// INV-50 (ACC-12): broken when the server accepts a write over a connection with a credential
  /// that the application had replaced before it asked for the write, or never gave.
  public static let ownIdentity = Invariant(
    50, "ACC-12",
    "A write takes effect under the identity with which it was requested, or a later one."
  )
  /// INV-51 (WRT-13): broken by an event that no state of the server explains, not even with the
  /// client's pending writes and results of transactions on top.
  public static let trueOnce = Invariant(
    51, "WRT-13", "What a listener is shown was true at some moment.")

  /// INV-52 (CBK-1): broken by a client, or its adapter, that does not call where a reaction says so.
  public static let madeInCallback = Invariant(
    52, "CBK-1", "What an application does in a callback is done before the callback returns.")

  static let laws = [
    atomicTransaction, hashOfInput, acknowledgedIsKept, requestedOnly, effectiveOnce,
    effectiveInOrder, ownIdentity, trueOnce, madeInCallback,
  ]
}

// What comes back with a connection, and that there is one.

extension Invariant {
  /// INV-53 (CON-3): broken by a client whose network is up and that neither is connected nor has
  /// a timer to try again, unless the application took it offline or the server sent it away.
  public static let comesBack = Invariant(
    53, "CON-3", "When a run has settled, a client that can be connected is.")
  /// INV-54 (OND-9): broken by a request that was made and never went out.
  public static let requestedAtAll = Invariant(
    54, "OND-9",
    "When a run has settled, every on-disconnect request of a connected client has gone out.")

  static let restoring = [comesBack, requestedAtAll]
}

// What one message, one call or one event shows.

extension Invariant {
  /// INV-55 (HSH-7): judged where a client restores a listen after its connection ended, and nothing else
  /// can have changed what it has.
  public static let restoredClaim = Invariant(
    55, "HSH-7", "A listen that is restored claims no other data than the client was sent.")
  /// INV-56 (PSH-2): the client's own clock, or that of the server as far as its hello shows it.
  public static let timeInKey = Invariant(
    56, "PSH-2", "The time in a push id is that of the client's clock or of the server's.")
  /// INV-57 (EVT-6): broken by a child_removed that names a child.
  public static let noneBefore = Invariant(
    57, "EVT-6", "A removal names no child before the one that goes.")
  /// INV-58 (TXN-22): broken by a transaction that ends with an error and says that it has committed.
  public static let failedOrCommitted = Invariant(
    58, "TXN-22", "A transaction that ends with an error has not committed.")

  /// INV-59 (GET-7): judged where the answer of the server ends a get.
  public static let answerOfServer = Invariant(
    59, "GET-7", "A get that the server answers ends with what the server has answered.")
  /// INV-60 (TXN-26): judged where nothing but what the server sent can be what the function was given.
  public static let sentHash = Invariant(
    60, "TXN-26", "A transaction over no pending writes vouches for what the client was sent.")

  static let single = [
    restoredClaim, timeInKey, noneBefore, failedOrCommitted, answerOfServer, sentHash,
  ]
}
