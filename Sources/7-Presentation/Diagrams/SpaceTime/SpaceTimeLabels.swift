internal import Text

/// Where all texts of a picture are, so that none covers another.
///
/// Steps, times and what happens at one location have rows of their own. The label of a message
/// moves along its arrow, and gets shorter, until it is free; where no room is left, only the
/// element's title has it.
struct SpaceTimeLabels {
  /// A text along an arrow: what remains of it, and where.
  struct ArrowLabel {
    var text: String
    var matrix: String
  }

  /// For each arrow its label; nil where it has none, or where there is no room.
  private(set) var arrows: [ArrowLabel?] = []
  /// What all texts cover.
  private(set) var boxes: [LabelBox] = []
  /// How many labels of messages found no room.
  private(set) var omitted = 0

  init(_ layout: SpaceTimeLayout, names: [String]) {
    for (column, name) in names.enumerated() {
      let columns = DisplayWidth.of(SpaceTimeLayout.head(name))
      let width = Double(columns) * LabelBox.columnShare * 13
      boxes.append(
        LabelBox(
          left: Double(layout.x(column)) - width / 2, baseline: Double(SpaceTimeLayout.top - 26),
          columns: columns, size: 13))
    }
    for step in layout.steps {
      boxes.append(
        LabelBox(
          left: 8, baseline: Double(step.y - 3), columns: DisplayWidth.of(layout.shown(step.text)),
          size: 10))
    }
    for time in layout.times {
      let columns = DisplayWidth.of(time.text)
      let right = Double(layout.timeWidth - 10)
      boxes.append(
        LabelBox(
          left: right - Double(columns) * LabelBox.columnShare * 10, baseline: Double(time.y + 4),
          columns: columns, size: 10))
    }
    for mark in layout.marks { add(mark, layout) }
    for arrow in layout.arrows { add(arrow, layout) }
  }

  private mutating func add(_ mark: SpaceTimeLayout.Mark, _ layout: SpaceTimeLayout) {
    guard let label = mark.event.label else { return }
    let columns = DisplayWidth.of(SpaceTimeLayout.shown(label))
    let x = Double(layout.x(mark.at.column))
    let width = Double(columns) * LabelBox.columnShare * LabelBox.arrowSize
    boxes.append(
      LabelBox(
        left: layout.isLabelledOnTheLeft(mark.at.column) ? x - 14 - width : x + 14,
        baseline: Double(mark.at.y + 4), columns: columns, size: LabelBox.arrowSize))
  }

  private mutating func add(_ arrow: SpaceTimeLayout.Arrow, _ layout: SpaceTimeLayout) {
    guard let label = arrow.event.arrowLabel else {
      arrows.append(nil)
      return
    }
    let slope = Slope(arrow, layout)
    let near = boxes.filter { box in
      let (top, bottom) = slope.extent
      return box.bounds.bottom > top - 20 && box.bounds.top < bottom + 20
    }
    for limit in Self.limits(for: label, on: slope) {
      let text = DisplayWidth.truncated(label, to: limit)
      for location in slope.locations(columns: DisplayWidth.of(text)) {
        let box = slope.box(at: location, columns: DisplayWidth.of(text))
        if near.contains(where: box.overlaps) { continue }
        boxes.append(box)
        arrows.append(ArrowLabel(text: text, matrix: slope.matrix(at: location)))
        return
      }
    }
    arrows.append(nil)
    omitted += 1
  }

  /// How many columns a label may have, the most first.
  private static func limits(for label: String, on slope: Slope) -> [Int] {
    let most = min(DisplayWidth.of(label), max(12, slope.length / 7))
    return [most] + [24, 16, 12, 9].filter { $0 < most }
  }
}
