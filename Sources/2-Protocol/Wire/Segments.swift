/// How the Firebase framing carries long messages: cut into segments, with their number in front
/// (WIR-11). Characters are counted as UTF-16 units, as the clients count them.
public enum Segments {
  /// The most that one frame carries.
  public static let longest = 16384

  /// The text frames that carry `message`: itself, or a count and that many segments.
  ///
  /// A segment never ends between the two halves of a surrogate pair, which could not be sent as
  /// text: it is one unit shorter there.
  ///
  /// - Complexity: O(*n*).
  public static func frames(of message: String) -> [String] {
    if message.utf16.count <= longest { return [message] }
    var segments: [String] = []
    var segment = String.UnicodeScalarView()
    var units = 0
    for scalar in message.unicodeScalars {
      let width = scalar.value > 0xFFFF ? 2 : 1
      if units + width > longest {
        segments.append(String(segment))
        segment = String.UnicodeScalarView()
        units = 0
      }
      segment.append(scalar)
      units += width
    }
    segments.append(String(segment))
    return [String(segments.count)] + segments
  }
}

/// Puts messages together from the text frames of one connection, in order.
public struct SegmentAssembler: Sendable {
  /// The longest frame that can be a count.
  package static let longestCount = 6

  private var missing = 0
  private var parts: [String] = []

  /// Starts with no message begun; each connection needs an assembler of its own.
  public init() {}

  /// Whether a message has begun and is not whole.
  public var isIncomplete: Bool { missing > 0 }

  /// Takes a frame.
  ///
  /// - Returns: The message that it completes; `nil` while one is incomplete, and for a keep-alive,
  ///   the count 0 (WIR-12).
  public mutating func receive(_ frame: String) -> String? {
    if missing == 0 {
      guard frame.utf8.count <= Self.longestCount, let count = Int(frame) else { return frame }
      missing = max(0, count)
      return nil
    }
    parts.append(frame)
    missing -= 1
    guard missing == 0 else { return nil }
    defer { parts = [] }
    return parts.joined()
  }
}

/// Puts messages of the Firebase framing together, and counts what that keeps in memory.
package struct BoundedAssembler: Sendable {
  /// What a part costs besides its text.
  private static let overhead = 32

  private var assembler = SegmentAssembler()
  /// What the parts so far cost, in bytes.
  package private(set) var size = 0

  /// What one frame comes to.
  package enum Outcome: Hashable {
    case message(String)
    /// Part of a message, or a keep-alive.
    case nothing
    case tooLong
    /// Together with what others have begun.
    case tooMuch
  }

  /// Begins without any part.
  package init() {}

  /// Takes a frame; a message may have `limit` bytes.
  package mutating func receive(_ frame: String, limit: Int) -> Outcome {
    size += frame.utf8.count + Self.overhead
    if size > limit + Self.overhead { return .tooLong }
    let isPart = assembler.isIncomplete
    if let message = assembler.receive(frame) {
      size = 0
      return .message(message)
    }
    if !isPart { size = 0 }
    return .nothing
  }
}
