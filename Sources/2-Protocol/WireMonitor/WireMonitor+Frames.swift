public import ClientInterface
internal import Tree
public import Wire

// What carries messages.

extension WireMonitor {
  /// After so long without a frame a keep-alive is missed (WIR-16).
  private static let longestSilence = Interval.seconds(60)

  /// Takes one text frame of a connection with the Firebase framing, before what it says.
  public mutating func frame(
    _ text: String, by sender: WireError.Sender, at now: Instant
  ) -> [WireFinding] {
    let silence = lastFrame.map { now - $0 }
    lastFrame = now
    var findings: [WireFinding] = []
    if let silence, silence > Self.longestSilence {
      findings.append(
        WireFinding(
          .aliveTime,
          "nothing was sent for \(Int(silence.milliseconds / 1000)) s; a client sends the keep-alive 0 "
            + "after 45 s of silence"))
    }
    switch sender {
    case .client: findings.add(sentFrames.take(text, silence: silence))
    case .server: findings.add(receivedFrames.take(text, silence: silence))
    }
    return findings
  }

  /// A message that arrived at a server before it sent hello.
  public func judgeEarly() -> [WireFinding] {
    [
      WireFinding(
        .helloComesFirst, "the client sends a message before the hello of the server; wait for it")
    ]
  }

  /// A client has opened another connection while one is open, as far as the server knows.
  ///
  /// - Parameter other: The number of the one that is open.
  /// - Returns: A note: the server may be late in noticing that the other one is lost.
  public func judgeSecond(besides other: Int) -> [WireFinding] {
    [
      WireFinding(
        .secondConnection,
        "the client connects while its connection \(other) is open, and does not name that as its "
          + "last one; close one before opening another, or name its session")
    ]
  }

  /// A frame that is no text.
  public func binaryFrame(by sender: WireError.Sender) -> [WireFinding] {
    [
      WireFinding(
        .textFrames, by: sender, "a frame is binary; messages are text, send them as text frames")
    ]
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
      findings.append(
        WireFinding(
          .version, "the client states \(found); connect with v=\(dialect.version)"))
    }
    findings.add(judgeOpening(session: session, isKnown: isKnown))
    return findings
  }

  /// Judges what the client calls its last session, in either framing.
  public func judgeOpening(session: String?, isKnown: Bool) -> [WireFinding] {
    guard let session, !isKnown else { return [] }
    return [
      WireFinding(
        .knownSession,
        "the client names \"\(MessageShape.quoted(session))\" as its last session, which this server "
          + "has not given; use what the last hello contained")
    ]
  }
}
