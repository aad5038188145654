public import ClientInterface
internal import Text
internal import Tree

/// The text of an event in three parts, of which the middle one can be long.
struct Phrase {
  /// What happened, and where.
  var head: String
  /// A value as canonical text; cut in the middle when it is long.
  var value: String?
  /// The rest, with the separators in front of it.
  var tail: String

  init(_ head: String, _ value: String? = nil, tail: String = "") {
    self.head = head
    self.value = value
    self.tail = tail
  }

  /// How wide the text of an event is meant to be at most: what a time and a route leave of 100.
  static let width = 66
  /// How much of a value is shown even where that is wider.
  static let leastValueWidth = 24

  var text: String {
    let head = Self.cut(head, to: Self.width)
    guard let value else { return head + tail }
    let room = max(Self.leastValueWidth, Self.width - head.count - tail.count - 1)
    return head + " " + Self.cut(value, to: room) + tail
  }

  private static func cut(_ text: String, to width: Int) -> String {
    Truncation.middle(of: printable(text), to: width, front: .twoThirds)
  }
}

extension Interval {
  /// The length in milliseconds, as traces and reports write it: `310 ms`, `0.25 ms`.
  public var millisecondText: String { canonicalText(of: milliseconds) + " ms" }

  /// The length in milliseconds to three digits behind the point: `310 ms`, `2070.296 ms`.
  package var shortText: String {
    let microseconds = (nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000
    return Interval(nanoseconds: microseconds * 1000).millisecondText
  }

  /// The length in words for people: `12 s`, `1.5 s`, `310 ms`.
  public var text: String {
    nanoseconds >= 1_000_000_000
      ? canonicalText(of: Double(nanoseconds) / 1_000_000_000) + " s" : millisecondText
  }
}
