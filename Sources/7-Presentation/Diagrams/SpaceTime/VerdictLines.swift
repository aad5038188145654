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
    var lines = [""]
    for word in VisibleText.of(failure.sentence).split(separator: " ") {
      let word = VisibleText.cut(String(word), to: columns)
      if VisibleText.width(lines[lines.count - 1]) + VisibleText.width(word) >= columns {
        lines.append("")
      }
      lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? word : " " + word
    }
    self.lines = lines
  }

  var height: Int { lines.isEmpty ? 0 : lines.count * Self.lineHeight + 16 }

  func draw(at y: Int, _ svg: inout Markup) {
    for (index, line) in lines.enumerated() {
      let mark = index == 0 ? "✗ " : "  "
      svg.element(
        "text", ["class": "verdict", "x": "12", "y": "\(y + 8 + index * Self.lineHeight)"],
        mark + line)
    }
  }
}
