internal import ClientInterface
internal import Wire

/// Follows the text frames that go one way over a connection with the Firebase framing: how long
/// messages are cut (WIR-11), and keep-alives (WIR-16).
struct FrameMonitor: Sendable {
  private let sender: WireError.Sender
  /// How many segments were announced, and how many of them came.
  private var announced = 0
  private var came = 0
  /// How long the segments of the message are so far, in UTF-16 units.
  private var units = 0

  init(_ sender: WireError.Sender) { self.sender = sender }

  /// Whether a message has begun and is not whole.
  var isWithin: Bool { came < announced }

  mutating func take(_ frame: String, silence: Interval?) -> [WireFinding] {
    if isWithin { return takeSegment(frame) }
    if frame.utf8.count <= Self.longestCount, let count = Int(frame) {
      return takeCount(count, frame, silence)
    }
    let length = Self.length(of: frame)
    guard length > Segments.longest else { return [] }
    return [
      WireFinding(
        .segmented, by: sender,
        "a message of \(length) UTF-16 units comes in one frame; cut it into "
          + "\(Self.needed(for: length)) segments of at most \(Segments.longest) units, and send their "
          + "number first")
    ]
  }

  /// What is left at the end of the connection.
  func end() -> [WireFinding] {
    guard isWithin else { return [] }
    return [
      WireFinding(
        .whole, by: sender,
        "the connection ended within a message, after \(came) of \(announced) segments")
    ]
  }

  private mutating func takeSegment(_ frame: String) -> [WireFinding] {
    came += 1
    let length = Self.length(of: frame)
    units += length
    var findings: [WireFinding] = []
    if frame == "0" {
      findings.append(
        WireFinding(
          .aliveInside, by: sender,
          "a keep-alive comes as segment \(came) of \(announced) and becomes part of the message; send "
            + "it between messages"))
    }
    if length > Segments.longest {
      findings.append(
        WireFinding(
          .segmentSize, by: sender,
          "segment \(came) of \(announced) has \(length) UTF-16 units; cut the message into segments "
            + "of at most \(Segments.longest)"))
    }
    if !isWithin {
      // A segment is one unit shorter where it would end within a surrogate pair.
      let needed = max(1, Self.needed(for: units, by: Segments.longest - 1))
      if announced > needed, announced > 1 {
        findings.append(
          WireFinding(
            .fewSegments, by: sender,
            "a message of \(units) UTF-16 units comes in \(announced) segments; \(needed) are enough"
          ))
      }
    }
    return findings
  }

  private mutating func takeCount(
    _ count: Int, _ frame: String, _ silence: Interval?
  ) -> [WireFinding] {
    guard count >= 0, String(count) == frame else {
      return [
        WireFinding(
          .segmentCount, by: sender,
          "the frame \"\(frame)\" announces segments; expected their number as digits without a sign or "
            + "leading zeros")
      ]
    }
    announced = count
    came = 0
    units = 0
    switch count {
    case 0: return judgeKeepAlive(silence)
    case 1:
      return [
        WireFinding(
          .fewSegments, by: sender,
          "the number 1 is in front of one frame; a message that is not cut "
            + "has no number in front")
      ]
    default: return []
    }
  }

  private func judgeKeepAlive(_ silence: Interval?) -> [WireFinding] {
    if sender == .server {
      return [
        WireFinding(
          .aliveSender, by: .server,
          "the server sends the keep-alive 0; some clients wait for a message "
            + "of 0 segments then")
      ]
    }
    guard let silence, silence < Self.earliest else { return [] }
    return [
      WireFinding(
        .aliveTime,
        "a keep-alive comes after \(Int(silence.milliseconds / 1000)) s of silence; one is "
          + "due after 45 s")
    ]
  }

  /// Before this a keep-alive is early, however the timers of the client run.
  private static let earliest = Interval.seconds(40)
  /// The longest frame that can be a count.
  private static let longestCount = 6

  private static func length(of frame: String) -> Int {
    // A text has no more units than bytes.
    let bytes = frame.utf8.count
    return bytes <= Segments.longest ? bytes : frame.utf16.count
  }

  private static func needed(for units: Int, by size: Int = Segments.longest) -> Int {
    (units + size - 1) / size
  }
}
