internal import Document
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

  /// The text without the rest.
  var brief: String { Phrase(head, value).text }

  private static func cut(_ text: String, to width: Int) -> String {
    Truncation.middle(of: printable(text), to: width, front: .twoThirds)
  }
}
