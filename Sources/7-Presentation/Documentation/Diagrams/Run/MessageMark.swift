/// How messages are drawn, and how far the arrow of a lost one goes, the same in every kind of picture.
/// The script of the viewer, which draws on its own, follows it (`timeline.js`).
enum MessageMark {
  /// How much of its way a lost message gets, in percent.
  static let lostShare = 70
  /// How much of its way a message gets that is still under way at the end of a run, in percent.
  static let unfinishedShare = 40

  /// The two strokes of the cross where a lost message ends.
  static func cross<Number: SignedNumeric>(
    _ x: Number, _ y: Number
  ) -> [(from: (x: Number, y: Number), to: (x: Number, y: Number))] {
    let size: Number = 5
    return [
      ((x - size, y - size), (x + size, y + size)), ((x - size, y + size), (x + size, y - size)),
    ]
  }

  /// An arrow in text, before or behind the words for the message.
  static let toTheRight = "-->"
  static let toTheLeft = "<--"
  static let lost = "--x"

  /// An arrow in Mermaid.
  static func mermaid(_ fate: SequenceDiagram.Fate) -> String {
    switch fate {
    case .arrived: "->>"
    case .lost: "--x"
    }
  }
}
