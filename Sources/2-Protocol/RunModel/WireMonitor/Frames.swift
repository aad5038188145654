public import ClientInterface
public import Document
internal import Tree
public import Wire

// What carries messages.

extension WireMonitor {
  /// Takes one text frame of a connection with the Firebase framing, before what it says: how long
  /// messages are cut is judged (WIR-11), and when keep-alives come (WIR-16).
  public mutating func frame(
    _ text: String, by sender: WireError.Sender, at now: Instant
  ) -> [WireFinding] {
    let silence = frames.last.map { now - $0 }
    frames.last = now
    if let silence, silence > .seconds(60) {
      found.add(
        .aliveTime,
        "nothing was sent for \(Int(silence.milliseconds / 1000)) s; a client sends the keep-alive "
          + "0 after 45 s of silence")
    }
    switch sender {
    case .client: frames.sent.take(text, silence, into: &found)
    case .server: frames.received.take(text, silence, into: &found)
    }
    return takeFound()
  }

  /// A frame that is no text.
  public func binaryFrame(by sender: WireError.Sender) -> [WireFinding] {
    .one(.textFrames, by: sender, "a frame is binary; messages are text, send them as text frames")
  }

  /// What is wrong with a message that is no JSON.
  public func judge(
    unreadable text: String, _ error: DocumentError, by sender: WireError.Sender
  ) -> [WireFinding] {
    .one(
      .json, by: sender,
      "a message is no JSON, at \(error); found in \(MessageShape.quoted(text))")
  }

  /// A message that arrived at a server before it sent hello.
  public func judgeEarly() -> [WireFinding] {
    .one(
      .helloComesFirst, "the client sends a message before the hello of the server; wait for it")
  }

  /// A client has opened another connection while one is open, as far as the server knows.
  ///
  /// - Parameter other: The number of the one that is open.
  /// - Returns: A note: the server may be late in noticing that the other one is lost.
  public func judgeSecond(besides other: Int) -> [WireFinding] {
    .one(
      .secondConnection,
      "the client connects while its connection \(other) is open, and does not name that as its "
        + "last one; close one before opening another, or name its session")
  }

  /// Judges what the client says when it asks for a connection with the Firebase framing.
  ///
  /// - Parameters:
  ///   - version: The version that it states (`v`).
  ///   - session: What it calls its last session (`ls`).
  ///   - isKnown: Whether the server gave that session.
  /// - Returns: What is wrong with it.
  public func judgeOpening(version: String?, session: String?, isKnown: Bool) -> [WireFinding] {
    var findings: [WireFinding] = []
    if version != dialect.version {
      let found = version.map { "version \"\($0)\"" } ?? "no version"
      findings.add(.version, "the client states \(found); connect with v=\(dialect.version)")
    }
    return findings + judgeOpening(session: session, isKnown: isKnown)
  }

  /// Judges what the client calls its last session, in either framing.
  public func judgeOpening(session: String?, isKnown: Bool) -> [WireFinding] {
    guard let session, !isKnown else { return [] }
    return .one(
      .knownSession,
      "the client names \"\(MessageShape.quoted(session))\" as its last session, which this server "
        + "has not given; use what the last hello contained")
  }
}

/// The text frames of a connection with the Firebase framing.
struct Frames: Sendable {
  var sent = OneWay(.client)
  var received = OneWay(.server)
  /// When a frame was last sent, either way.
  var last: Instant?

  /// The frames that go one way.
  struct OneWay: Sendable {
    private let sender: WireError.Sender
    /// How many segments were announced, and how many of them came.
    private var announced = 0
    private var came = 0
    /// How long the segments of the message are so far, in UTF-16 units.
    private var units = 0

    init(_ sender: WireError.Sender) { self.sender = sender }
  }
}

extension Frames.OneWay {
  /// Whether a message has begun and is not whole.
  private var isWithin: Bool { came < announced }

  mutating func take(_ frame: String, _ silence: Interval?, into findings: inout [WireFinding]) {
    // A text has no more units than bytes.
    let bytes = frame.utf8.count
    let length = bytes <= Segments.longest ? bytes : frame.utf16.count
    if isWithin { return takeSegment(frame, length, into: &findings) }
    if bytes <= SegmentAssembler.longestCount, let count = Int(frame) {
      return takeCount(count, frame, silence, into: &findings)
    }
    guard length > Segments.longest else { return }
    findings.add(
      .segmented, by: sender,
      "a message of \(length) UTF-16 units comes in one frame; cut it into "
        + "\(Self.needed(for: length)) segments of at most \(Segments.longest) units, and send their "
        + "number first")
  }

  /// What is left at the end of the connection.
  func end(into findings: inout [WireFinding]) {
    guard isWithin else { return }
    findings.add(
      .whole, by: sender,
      "the connection ended within a message, after \(came) of \(announced) segments")
  }

  private mutating func takeSegment(
    _ frame: String, _ length: Int, into findings: inout [WireFinding]
  ) {
    came += 1
    units += length
    if frame == "0" {
      findings.add(
        .aliveInside, by: sender,
        "a keep-alive comes as segment \(came) of \(announced) and becomes part of the message; send "
          + "it between messages")
    }
    if length > Segments.longest {
      findings.add(
        .segmentSize, by: sender,
        "segment \(came) of \(announced) has \(length) UTF-16 units; cut the message into segments "
          + "of at most \(Segments.longest)")
    }
    if isWithin { return }
    // A segment is one unit shorter where it would end within a surrogate pair.
    let needed = max(1, Self.needed(for: units, by: Segments.longest - 1))
    if announced > needed, announced > 1 {
      findings.add(
        .fewSegments, by: sender,
        "a message of \(units) UTF-16 units comes in \(announced) segments; \(needed) are enough")
    }
  }

  private mutating func takeCount(
    _ count: Int, _ frame: String, _ silence: Interval?, into findings: inout [WireFinding]
  ) {
    guard count >= 0, String(count) == frame else {
      return findings.add(
        .segmentCount, by: sender,
        "the frame \"\(frame)\" announces segments; expected their number as digits without a sign or "
          + "leading zeros")
    }
    (announced, came, units) = (count, 0, 0)
    if count == 1 {
      findings.add(
        .fewSegments, by: sender,
        "the number 1 is in front of one frame; a message that is not cut has no number in front")
    } else if count == 0, sender == .server {
      findings.add(
        .aliveSender, by: .server,
        "the server sends the keep-alive 0; some clients wait for a message of 0 segments then")
    } else if count == 0, let silence, silence < .seconds(40) {
      // However the timers of the client run.
      findings.add(
        .aliveTime,
        "a keep-alive comes after \(Int(silence.milliseconds / 1000)) s of silence; one is due "
          + "after 45 s")
    }
  }

  private static func needed(for units: Int, by size: Int = Segments.longest) -> Int {
    (units + size - 1) / size
  }
}
