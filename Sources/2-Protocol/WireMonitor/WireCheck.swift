/// One thing that the monitor looks at. Specs/wire-monitor.md lists all of them, with the cases in
/// which they say nothing.
public struct WireCheck: Hashable, Sendable {
  /// Never changes, and is never given twice.
  public let number: Int
  /// The rule that a finding breaks, unless the finding names another one.
  public let rule: String
  /// What holds, as one sentence.
  public let title: String
  /// Whether it is only advisable: a client with such a finding is still conforming.
  public let isNote: Bool

  public var id: String { "MON-\(number)" }

  private init(_ number: Int, _ rule: String, _ title: String, isNote: Bool = false) {
    self.number = number
    self.rule = rule
    self.title = title
    self.isNote = isNote
  }

  private static func note(_ number: Int, _ rule: String, _ title: String) -> WireCheck {
    WireCheck(number, rule, title, isNote: true)
  }
}

// How a connection begins and ends.

extension WireCheck {
  public static let helloComesFirst = WireCheck(
    1, "CON-12", "Nothing is sent without a connection that the server has greeted.")
  public static let oneConnection = WireCheck(
    2, "CON-11", "A client has one connection at a time.")
  public static let helloFirst = WireCheck(
    3, "WIR-1", "The server says hello first, and once.")
  public static let version = WireCheck(
    4, "WIR-15", "Both sides state the version of the protocol.")
  public static let restoringOrder = WireCheck(
    5, "CON-7", "Listens are restored before writes, and writes before on-disconnect requests.")
  public static let credentialFirst = WireCheck(
    6, "ACC-12", "A credential is restored before listens and writes.")
  public static let statsFirst = note(
    7, "CON-7", "Statistics are the first request of a connection.")
  public static let knownSession = note(
    8, "WIR-19", "A client that connects again names its last session.")
  public static let goneAfterShutdown = WireCheck(
    9, "CON-18", "A client that was sent away sends nothing more.")

  static let connections = [
    helloComesFirst, oneConnection, helloFirst, version, restoringOrder, credentialFirst,
    statsFirst,
    knownSession, goneAfterShutdown,
  ]
}

// Requests and their answers.

extension WireCheck {
  public static let numbered = WireCheck(
    10, "WIR-12", "Each request has a larger number than the one before.")
  public static let answersOnce = WireCheck(
    11, "WIR-12", "The server answers what was asked, and once.")
  public static let unanswered = note(
    12, "WIR-12", "Every request is answered.")

  static let requests = [numbered, answersOnce, unanswered]
}

// Listens.

extension WireCheck {
  public static let listensOnce = WireCheck(
    20, "WIR-4", "No query is listened to twice on one connection.")
  public static let covered = WireCheck(
    21, "WIR-4", "Nothing is listened to for long that an unfiltered listen covers.")
  public static let tagOnce = WireCheck(
    22, "WIR-7", "A tag is that of one listen.")
  public static let takesBackOwn = WireCheck(
    23, "WIR-4", "Only a listen that is in place is taken back.")
  public static let takesBackTag = WireCheck(
    24, "WIR-7", "A listen is taken back with the tag that it has.")
  public static let filters = WireCheck(
    25, "WIR-13", "A query that only orders is sent as the plain listen.")
  public static let tagInUse = WireCheck(
    26, "WIR-7", "The server sends data for tags that are in use.")
  public static let askedFor = WireCheck(
    27, "WIR-18", "The server sends data to who listens there.")

  static let listens = [
    listensOnce, covered, tagOnce, takesBackOwn, takesBackTag, filters, tagInUse, askedFor,
  ]
}

// Frames.

extension WireCheck {
  public static let segmented = WireCheck(
    30, "WIR-11", "A message over 16384 UTF-16 units is cut into segments.")
  public static let segmentSize = WireCheck(
    31, "WIR-11", "A segment has at most 16384 UTF-16 units.")
  public static let segmentCount = WireCheck(
    32, "WIR-11", "The number of segments is in front of them, as a positive whole number.")
  public static let fewSegments = note(
    33, "WIR-11", "A message has no more segments than it needs.")
  public static let aliveInside = WireCheck(
    34, "WIR-16", "No keep-alive is within a message.")
  public static let aliveTime = note(
    35, "WIR-16", "A keep-alive comes after 45 s of silence.")
  public static let whole = note(
    36, "WIR-11", "A connection does not end within a message.")
  public static let aliveSender = WireCheck(
    37, "WIR-16", "The server sends no keep-alives.")
  public static let textFrames = WireCheck(
    38, "WIR-11", "Frames are text.")

  static let frames = [
    segmented, segmentSize, segmentCount, fewSegments, aliveInside, aliveTime, whole, aliveSender,
    textFrames,
  ]
}

// What messages consist of.

extension WireCheck {
  public static let json = WireCheck(40, "WIR-17", "A message is one JSON text.")
  public static let shape = WireCheck(
    41, "WIR-17", "A message has the members that its kind has, of the right kinds.")
  public static let action = WireCheck(42, "WIR-17", "A client sends known messages.")
  public static let unknown = note(43, "WIR-10", "Messages and members are known ones.")
  public static let spelling = note(44, "WIR-17", "Messages are written in their usual form.")
  public static let place = WireCheck(45, "KEY-1", "A location is one that the database can have.")
  public static let value = WireCheck(46, "ERR-3", "A value is one that the database can store.")
  public static let hash = note(
    47, "HSH-2", "A hash is empty, or 20 bytes as 28 characters of base64.")
  public static let large = note(48, "ERR-6", "Strings are no longer than official clients write.")

  static let messages = [json, shape, action, unknown, spelling, place, value, hash, large]
}

// Writes.

extension WireCheck {
  public static let apart = WireCheck(
    50, "WRT-25", "The locations of a merge do not lie in each other.")
  public static let hashAllowed = WireCheck(
    51, "WIR-8", "Only the puts of transactions have a hash.")
  public static let hashWatched = note(
    52, "TXN-19", "A location is listened to while a put with a hash is sent there.")

  static let writes = [apart, hashAllowed, hashWatched]

  /// All checks, by their numbers.
  public static let all = connections + requests + listens + frames + messages + writes + atServers
}

// What servers alone can see, and not for certain.

extension WireCheck {
  public static let secondConnection = note(
    60, "CON-11", "A client has one connection at a time, as far as the server knows.")

  static let atServers = [secondConnection]
}
