/// Whether a report may use colour: only a terminal may get escape sequences.
public enum Palette: Sendable {
  case plain
  case colour

  /// What follows an escape character where a tone begins or ends.
  static let codes = Tone.allCases.map { "[\($0.rawValue)m" } + ["[0m"]

  package enum Tone: Int, CaseIterable {
    case good = 32
    case bad = 31
    case strong = 1
  }

  /// `text` in a tone. The width of a line is counted without it, so layout comes first.
  package func paint(_ text: String, _ tone: Tone) -> String {
    switch self {
    case .plain: text
    case .colour: "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }
  }
}
