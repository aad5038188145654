internal import Document
public import Wire

/// Something that the protocol does not allow, or does not advise.
public struct WireFinding: Hashable, Sendable {
  /// What the monitor looked at; it decides whether the finding is only a note.
  public var check: WireCheck
  /// The rule that it breaks: that of the check, or a nearer one.
  public var rule: String
  /// Who did it.
  public var sender: WireError.Sender
  /// What was found, what was expected, and how to correct it.
  public var text: String

  /// Whether it is only advisable.
  public var isNote: Bool { check.isNote }

  /// The text with the rule, as it is reported.
  public var sentence: String { "\(isNote ? "note: " : "")\(text) (\(rule))" }

  package init(
    _ check: WireCheck, by sender: WireError.Sender = .client, rule: String? = nil, _ text: String
  ) {
    self.check = check
    self.rule = rule ?? check.rule
    self.sender = sender
    // Parts of it are of clients, and may be written to a terminal.
    self.text = printable(text)
  }
}

extension [WireFinding] {
  /// Adds one.
  mutating func add(
    _ check: WireCheck, by sender: WireError.Sender = .client, rule: String? = nil, _ text: String
  ) {
    append(WireFinding(check, by: sender, rule: rule, text))
  }

  /// Nothing else than one.
  static func one(
    _ check: WireCheck, by sender: WireError.Sender = .client, _ text: String
  ) -> [WireFinding] {
    [WireFinding(check, by: sender, text)]
  }
}

/// One thing that the monitor looks at. Specs/wire-monitor.md lists all of them, with what holds and
/// the cases in which they say nothing.
public struct WireCheck: Hashable, Sendable {
  /// Never changes, and is never given twice.
  public let number: Int
  /// The rule that a finding breaks, unless the finding names another one.
  public let rule: String
  /// Whether it is only advisable: a client with such a finding is still conforming.
  public let isNote: Bool

  public var id: String { "MON-\(number)" }

  private init(_ number: Int, _ rule: String, isNote: Bool = false) {
    self.number = number
    self.rule = rule
    self.isNote = isNote
  }

  private static func note(_ number: Int, _ rule: String) -> WireCheck {
    WireCheck(number, rule, isNote: true)
  }

  // MARK: How a connection begins and ends

  /// MON-1: the client sends nothing before the hello (CON-12).
  public static let helloComesFirst = WireCheck(1, "CON-12")
  /// MON-2: a client asks for no connection while it has one (CON-11); not judged as servers see
  /// it.
  public static let oneConnection = WireCheck(2, "CON-11")
  /// MON-3: the hello is the server's first message, and is not repeated (WIR-1).
  public static let helloFirst = WireCheck(3, "WIR-1")
  /// MON-4: the version that a side states is that of the dialect (WIR-15).
  public static let version = WireCheck(4, "WIR-15")
  /// MON-5: right after the hello a client sends listens, then writes, then on-disconnect requests
  /// (CON-7); not judged as servers see it.
  public static let restoringOrder = WireCheck(5, "CON-7")
  /// MON-6: a credential precedes the listens and writes that are restored after a hello (ACC-12);
  /// not judged as servers see it.
  public static let credentialFirst = WireCheck(6, "ACC-12")
  /// MON-7, a note: statistics that are sent at all are the connection's first request (CON-7).
  public static let statsFirst = note(7, "CON-7")
  /// MON-8, a note: a last session that a client names is one that the server gave (WIR-19).
  public static let knownSession = note(8, "WIR-19")
  /// MON-9: nothing follows the server's shutdown message (CON-18); not judged as servers see it.
  public static let goneAfterShutdown = WireCheck(9, "CON-18")

  // MARK: Requests and their answers

  /// MON-10: the numbers of requests rise, also from one connection to the next (WIR-12).
  public static let numbered = WireCheck(10, "WIR-12")
  /// MON-11: an answer has the number of a request of this connection that still waits (WIR-12).
  public static let answersOnce = WireCheck(11, "WIR-12")
  /// MON-12, a note: a request is answered within 60 s and before its connection ends (WIR-12).
  public static let unanswered = note(12, "WIR-12")
  /// MON-13, a note: a credential that is sent is accepted (ACC-16); a client that connects again with
  /// the same one does so for ever.
  public static let signedIn = note(13, "ACC-16")

  // MARK: Listens

  /// MON-20: a connection has at most one listen in place for a location and query (WIR-4).
  public static let listensOnce = WireCheck(20, "WIR-4")
  /// MON-21: a listen that an unfiltered one covers is taken back within 2 s (WIR-4).
  public static let covered = WireCheck(21, "WIR-4")
  /// MON-22: a new listen is given no tag that another one in place has (WIR-7).
  public static let tagOnce = WireCheck(22, "WIR-7")
  /// MON-23: a client takes back no listen that was not made, or that was refused or ended since
  /// (WIR-4).
  public static let takesBackOwn = WireCheck(23, "WIR-4")
  /// MON-24: the request that takes back a listen repeats its tag, or has none either (WIR-7).
  public static let takesBackTag = WireCheck(24, "WIR-7")
  /// MON-25: a query that leaves nothing out is sent without query and tag (WIR-13).
  public static let filters = WireCheck(25, "WIR-13")
  /// MON-26: tagged data belong to a listen of this connection, or one whose end is unanswered
  /// (WIR-7).
  public static let tagInUse = WireCheck(26, "WIR-7")
  /// MON-27: data without a tag are at or below a plain listen of this connection (WIR-18).
  public static let askedFor = WireCheck(27, "WIR-18")

  // MARK: Frames

  /// MON-30: a message of more than 16384 UTF-16 units is not sent in one frame (WIR-11).
  public static let segmented = WireCheck(30, "WIR-11")
  /// MON-31: a segment of a message that is cut has at most 16384 UTF-16 units (WIR-11).
  public static let segmentSize = WireCheck(31, "WIR-11")
  /// MON-32: a frame that announces segments has digits without a sign or leading zeros (WIR-11).
  public static let segmentCount = WireCheck(32, "WIR-11")
  /// MON-33, a note: a message is cut only where its length asks for it (WIR-11).
  public static let fewSegments = note(33, "WIR-11")
  /// MON-34: the client sends no `0` between the segments of a message (WIR-16).
  public static let aliveInside = WireCheck(34, "WIR-16")
  /// MON-35, a note: no keep-alive before 40 s of silence, and no silence above 60 s (WIR-16).
  public static let aliveTime = note(35, "WIR-16")
  /// MON-36, a note: all announced segments come before the connection ends (WIR-11).
  public static let whole = note(36, "WIR-11")
  /// MON-37: no frame `0` comes from the server, after which some clients wait for a message
  /// (WIR-16).
  public static let aliveSender = WireCheck(37, "WIR-16")
  /// MON-38: messages come in text frames; a binary one is a finding (WIR-11).
  public static let textFrames = WireCheck(38, "WIR-11")

  // MARK: What messages consist of

  /// MON-40: what a frame or the segments of a message add up to can be parsed (WIR-17).
  public static let json = WireCheck(40, "WIR-17")
  /// MON-41: no member is missing or of a wrong kind (WIR-17, or WIR-7, ERR-4 or ERR-9 where
  /// nearer).
  public static let shape = WireCheck(41, "WIR-17")
  /// MON-42: requests and control messages of clients are ones that servers answer (WIR-17).
  public static let action = WireCheck(42, "WIR-17")
  /// MON-43, a note: what the other side would ignore is not sent (WIR-10).
  public static let unknown = note(43, "WIR-10")
  /// MON-44, a note: spellings that servers only happen to understand are avoided (WIR-17).
  public static let spelling = note(44, "WIR-17")
  /// MON-45: a path in a message obeys the limits of keys and depth (KEY-1, KEY-6 or CON-2).
  public static let path = WireCheck(45, "KEY-1")
  /// MON-46: data in a message are valid as values, keys and priorities (ERR-3, or a nearer rule).
  public static let value = WireCheck(46, "ERR-3")
  /// MON-47, a note: a hash in a message has the form of one; whether it is right is not asked
  /// (HSH-2).
  public static let hash = note(47, "HSH-2")
  /// MON-48, a note: a string in a message has at most 10 MiB (ERR-6).
  public static let large = note(48, "ERR-6")

  // MARK: Writes

  /// MON-50: no path of a merge is equal to another one or below it (WRT-25).
  public static let apart = WireCheck(50, "WRT-25")
  /// MON-51: merges, other requests and writes of a priority have no hash (WIR-8).
  public static let hashAllowed = WireCheck(51, "WIR-8")
  /// MON-52, a note: a put with a hash goes to a location at or below a plain listen (TXN-19).
  public static let hashWatched = note(52, "TXN-19")

  // MARK: What servers alone can see, and not for certain

  /// MON-60, a note: a client does not connect while the server still has a connection of it
  /// (CON-11).
  public static let secondConnection = note(60, "CON-11")

  // MARK: What a server makes of one message at a time

  /// MON-70: the data of a listen come before its answer (WIR-2).
  static let listenDataFirst = WireCheck(70, "WIR-2")
  /// MON-71: the effect of a write comes before its answer, over the same connection (WIR-3).
  static let writeDataFirst = WireCheck(71, "WIR-3")
  /// MON-72: a change is sent to a listen as one message (EVT-14).
  static let oneChange = WireCheck(72, "EVT-14")
  /// MON-73: a write with a hash is accepted where that is the hash of the data, and refused as stale
  /// elsewhere (TXN-26).
  static let hashCompared = WireCheck(73, "TXN-26")
  /// MON-74: when nothing happens any more, what was sent for a listen is what it shows (EVT-23).
  static let upToDate = WireCheck(74, "EVT-23")
  /// MON-75: the server has what the writes give that it accepted, at first different after a put (WRT-1).
  static let puts = WireCheck(75, "WRT-1")
  /// MON-76: the same, after a merge (WRT-4).
  static let merges = WireCheck(76, "WRT-4")
  /// MON-77: the same, after what was left for the end of a connection (OND-4).
  static let onDisconnects = WireCheck(77, "OND-4")
  /// MON-78: the same, after a write in which the server fills something in (SRV-8).
  static let serverValues = WireCheck(78, "SRV-8")

  // MARK: What a server shows and does by REST

  /// MON-80: a request reads what listens show (RST-1).
  package static let restRead = WireCheck(80, "RST-1")
  /// MON-81: a request with a query reads the window of the query (RST-2).
  package static let restQuery = WireCheck(81, "RST-2")
  /// MON-82: a write is accepted, and says what is there (RST-3).
  package static let restWrite = WireCheck(82, "RST-3")
  /// MON-83: a stream of events shows what listens show (RST-4).
  package static let restStream = WireCheck(83, "RST-4")
  /// MON-84: a shallow read has the keys of the children (RST-5).
  package static let restShallow = WireCheck(84, "RST-5")
  /// MON-85: a POST makes a child, and names it (RST-6).
  package static let restPush = WireCheck(85, "RST-6")
  /// MON-86: a write with a condition is done exactly where that holds (RST-7).
  package static let restCondition = WireCheck(86, "RST-7")
  /// MON-87: a body that is no JSON is refused, and changes nothing (RST-8).
  package static let restRefusal = WireCheck(87, "RST-8")

  /// All checks, by their numbers.
  public static let all = [
    helloComesFirst, oneConnection, helloFirst, version, restoringOrder, credentialFirst,
    statsFirst, knownSession, goneAfterShutdown, numbered, answersOnce, unanswered, signedIn,
    listensOnce, covered, tagOnce, takesBackOwn, takesBackTag, filters, tagInUse, askedFor,
    segmented, segmentSize, segmentCount, fewSegments, aliveInside, aliveTime, whole, aliveSender,
    textFrames, json, shape, action, unknown, spelling, path, value, hash, large, apart,
    hashAllowed, hashWatched, secondConnection, listenDataFirst, writeDataFirst, oneChange,
    hashCompared, upToDate, puts, merges, onDisconnects, serverValues, restRead, restQuery,
    restWrite, restStream, restShallow, restPush, restCondition, restRefusal,
  ]
}
