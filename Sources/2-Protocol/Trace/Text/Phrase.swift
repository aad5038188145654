public import ClientInterface
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
    let head = cutInTheMiddle(printable(head), to: Self.width)
    guard let value else { return head + tail }
    let room = max(Self.leastValueWidth, Self.width - head.count - tail.count - 1)
    return head + " " + cutInTheMiddle(printable(value), to: room) + tail
  }
}

/// `text` with its middle replaced by three dots when it is longer than `width` characters.
func cutInTheMiddle(_ text: String, to width: Int) -> String {
  guard text.utf8.count > width, text.count > width else { return text }
  let kept = max(2, width - 3)
  let front = kept * 2 / 3
  return text.prefix(front) + "..." + text.suffix(kept - front)
}

/// `text` without characters that would break a line: they are written as `\u{a}`.
func printable(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if scalar.value < 0x20 || scalar.value == 0x7F {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

extension Interval {
  /// The length in milliseconds, as traces and reports write it: `310 ms`, `0.25 ms`.
  public var millisecondText: String { canonicalText(of: milliseconds) + " ms" }

  /// The length in words for people: `12 s`, `1.5 s`, `310 ms`.
  public var text: String {
    nanoseconds >= 1_000_000_000
      ? canonicalText(of: Double(nanoseconds) / 1_000_000_000) + " s" : millisecondText
  }
}
