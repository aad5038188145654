internal import Markup
internal import Text

/// What was wrong, in words at the foot of a picture.
struct VerdictLines {
  private let lines: [String]
  private static let lineHeight = 18

  /// - Parameters:
  ///   - run: The run.
  ///   - width: How wide the picture is, in pixels.
  init(of run: PicturedRun, width: Int) {
    guard let failure = run.failures.first else {
      lines = run.verdict == "pass" ? [] : [run.verdict]
      return
    }
    let columns = max(40, width / 7 - 6)
    lines = visible(failure.sentence).wrapped(
      to: columns, measure: DisplayWidth.of, cut: DisplayWidth.truncated)
  }

  var height: Int { lines.isEmpty ? 0 : lines.count * Self.lineHeight + 16 }

  func draw(at y: Int, _ svg: inout MarkupWriter) {
    for (index, line) in lines.enumerated() {
      let mark = index == 0 ? "✗ " : "  "
      svg.element(
        "text", ["class": "verdict", "x": "12", "y": "\(y + 8 + index * Self.lineHeight)"],
        mark + line)
    }
  }
}
