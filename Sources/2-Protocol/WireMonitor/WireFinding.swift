internal import Text
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

  init(
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

/// One thing that the monitor looks at: its id, the rule that a finding breaks unless it names a
/// nearer one, and whether it is only advisable.
///
/// Specs/wire-monitor.md says of each id what holds, and the cases in which nothing is said of it.
/// Ids never change, and none is given twice.
public enum WireCheck: String, CaseIterable, Sendable {
  // How a connection begins and ends.
  case helloComesFirst = "MON-1 CON-12"
  case oneConnection = "MON-2 CON-11"
  case helloFirst = "MON-3 WIR-1"
  case version = "MON-4 WIR-15"
  case restoringOrder = "MON-5 CON-7"
  case credentialFirst = "MON-6 ACC-12"
  case statsFirst = "MON-7 CON-7 note"
  case knownSession = "MON-8 WIR-19 note"
  case goneAfterShutdown = "MON-9 CON-18"

  // Requests and their answers.
  case numbered = "MON-10 WIR-12"
  case answersOnce = "MON-11 WIR-12"
  case unanswered = "MON-12 WIR-12 note"
  case signedIn = "MON-13 ACC-16 note"

  // Listens.
  case listensOnce = "MON-20 WIR-4"
  case covered = "MON-21 WIR-4"
  case tagOnce = "MON-22 WIR-7"
  case takesBackOwn = "MON-23 WIR-4"
  case takesBackTag = "MON-24 WIR-7"
  case filters = "MON-25 WIR-13"
  case tagInUse = "MON-26 WIR-7"
  case askedFor = "MON-27 WIR-18"

  // Frames.
  case segmented = "MON-30 WIR-11"
  case segmentSize = "MON-31 WIR-11"
  case segmentCount = "MON-32 WIR-11"
  case fewSegments = "MON-33 WIR-11 note"
  case aliveInside = "MON-34 WIR-16"
  case aliveTime = "MON-35 WIR-16 note"
  case whole = "MON-36 WIR-11 note"
  case aliveSender = "MON-37 WIR-16"
  case textFrames = "MON-38 WIR-11"

  // What messages consist of.
  case json = "MON-40 WIR-17"
  case shape = "MON-41 WIR-17"
  case action = "MON-42 WIR-17"
  case unknown = "MON-43 WIR-10 note"
  case spelling = "MON-44 WIR-17 note"
  case path = "MON-45 KEY-1"
  case value = "MON-46 ERR-3"
  case hash = "MON-47 HSH-2 note"
  case large = "MON-48 ERR-6 note"

  // Writes.
  case apart = "MON-50 WRT-25"
  case hashAllowed = "MON-51 WIR-8"
  case hashWatched = "MON-52 TXN-19 note"

  // What servers alone can see, and not for certain.
  case secondConnection = "MON-60 CON-11 note"

  private var words: [Substring] { rawValue.split(separator: " ") }

  public var id: String { String(words[0]) }
  /// The rule that a finding breaks, unless the finding names another one.
  public var rule: String { String(words[1]) }
  /// Whether it is only advisable: a client with such a finding is still conforming.
  public var isNote: Bool { rawValue.hasSuffix(" note") }
}
