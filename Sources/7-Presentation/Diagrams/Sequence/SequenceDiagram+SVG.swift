extension SequenceDiagram {
  /// The diagram as an element of a page; `id` distinguishes it from others there.
  package func svg(id: String) -> String {
    let layout = Layout(self)
    var svg = SVG(id, width: layout.width, height: layout.height)
    for (index, name) in participants.enumerated() {
      let x = layout.columns[index]
      svg.line((x, 30), (x, layout.height - 8), "life")
      svg.text(name, x: x, y: 20, "name", .middle)
    }
    var y = Layout.top
    for line in lines {
      draw(line, layout, y, &svg)
      y += Layout.height(of: line)
    }
    return svg.element(title: alternative)
  }

  private func draw(_ line: Line, _ layout: Layout, _ y: Int, _ svg: inout SVG) {
    switch line {
    case let .step(words):
      svg.box(x: 2, y: y, width: layout.width - 4, height: 20, "step")
      svg.text("step \(words)", x: 8, y: y + 14, "words")
    case let .fault(words):
      svg.box(x: 2, y: y, width: layout.width - 4, height: 20, "fault")
      svg.text(words, x: 8, y: y + 14, "words")
    case let .message(from, to, words, fate):
      let (a, b) = (layout.columns[from], layout.columns[to])
      svg.text(words, x: (a + b) / 2, y: y + 12, "words halo", .middle)
      switch fate {
      case .arrived: svg.arrow((a, y + 19), (b, y + 19), "message")
      case .lost:
        let share = MessageMark.lostShare
        let end = (a * (100 - share) + b * share) / 100
        svg.line((a, y + 19), (end, y + 19), "message lost")
        svg.cross(end, y + 19)
      }
    case let .note(column, texts):
      let width = SVG.width(of: texts) + 12
      let x = max(2, min(layout.columns[column] - width / 2, layout.width - width - 2))
      svg.box(
        x: x, y: y + 2, width: width, height: texts.count * SVG.lineHeight + 4, "note")
      for (index, text) in texts.enumerated() {
        svg.text(text, x: x + 6, y: y + 15 + index * SVG.lineHeight, "words")
      }
    }
  }
}

extension SequenceDiagram {
  /// Where everything is: as narrow as the longest texts allow.
  private struct Layout {
    static let top = 40
    var columns: [Int] = []
    var width = 0
    var height = Layout.top

    init(_ sequence: SequenceDiagram) {
      let count = sequence.participants.count
      var gaps = Array(repeating: 120, count: max(0, count - 1))
      var margins = (left: 60, right: 60)
      for line in sequence.lines {
        height += Self.height(of: line)
        switch line {
        case let .message(from, to, words, _):
          let (low, high) = (min(from, to), max(from, to))
          guard high > low else { continue }
          let needed = (SVG.width(of: [words]) + 24) / (high - low)
          for gap in low..<high { gaps[gap] = max(gaps[gap], needed) }
        case let .note(column, texts):
          let half = (SVG.width(of: texts) + 20) / 2
          if column == 0 { margins.left = max(margins.left, half) }
          if column == count - 1 { margins.right = max(margins.right, half) }
        case .step, .fault: break
        }
      }
      var x = margins.left
      for index in 0..<count {
        columns.append(x)
        if index < gaps.count { x += gaps[index] }
      }
      width = max(x + margins.right, Self.widest(sequence.lines))
      height += 16
    }

    private static func widest(_ lines: [Line]) -> Int {
      lines.map { line in
        switch line {
        case let .step(words), let .fault(words): SVG.width(of: ["step " + words]) + 20
        case .message, .note: 0
        }
      }.max() ?? 0
    }

    static func height(of line: Line) -> Int {
      switch line {
      case .step, .fault: 26
      case .message: 28
      case let .note(_, texts): texts.count * SVG.lineHeight + 10
      }
    }
  }
}
