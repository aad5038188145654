internal import Tree

/// The straight way of an arrow, with its tip and the location of its label.
struct Slope {
  private let start: (x: Double, y: Double)
  private let end: (x: Double, y: Double)
  /// The direction, of length 1.
  private let direction: (x: Double, y: Double)
  let length: Int
  private var full: Double { Double(length) }

  init(_ arrow: SpaceTimeLayout.Arrow, _ layout: SpaceTimeLayout) {
    let (x1, y1) = (Double(layout.x(arrow.from.column)), Double(arrow.from.y))
    let (x2, y2) = (Double(layout.x(arrow.to.column)), Double(arrow.to.y))
    // An arrow ends at the edge of the band of a line.
    let side: Double = x2 > x1 ? 1 : -1
    let share = Double(arrow.share) / 100
    start = (x1 + 4 * side, y1)
    let full = x2 - 5 * side - start.x
    end = (start.x + full * share, arrow.share == 100 ? y2 : max(y1 + 6, min(y2, y1 + 160)))
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let size = max(1, (dx * dx + dy * dy).squareRoot())
    direction = (dx / size, dy / size)
    length = Int(size)
  }

  var way: String { "M\(point(start))L\(point(end))" }

  /// A filled triangle at the end.
  var tip: String {
    let back = (x: end.x - 8 * direction.x, y: end.y - 8 * direction.y)
    let across = (x: -3.5 * direction.y, y: 3.5 * direction.x)
    return "M\(point(end))L\(point((back.x + across.x, back.y + across.y)))"
      + "L\(point((back.x - across.x, back.y - across.y)))Z"
  }

  /// A cross at the end.
  var cross: String {
    MessageMark.cross(end.x, end.y).map { "M\(point($0.from))L\(point($0.to))" }.joined()
  }

  /// A location of a text: how far along the way its middle is, and on which side.
  struct Location {
    var share: Double
    var isAbove = true
  }

  /// Where a text of so many columns may be, the best first.
  ///
  /// Nearer to where it starts: where two messages cross, their labels do not.
  func locations(columns: Int) -> [Location] {
    let share = Double(columns) * LabelBox.columnShare * LabelBox.arrowSize / 2 / max(1, full)
    let shares = [0.45, 0.35, 0.55, 0.28, 0.65, 0.72, 0.2, 0.8, 0.13, 0.87].filter {
      $0 == 0.45 || ($0 >= share && 1 - $0 >= share)
    }
    return shares.map { Location(share: $0) } + shares.map { Location(share: $0, isAbove: false) }
  }

  /// The least and the greatest ordinate.
  var extent: (top: Double, bottom: Double) { (min(start.y, end.y), max(start.y, end.y)) }

  /// The direction in which a text along the way is read: from left to right.
  private var reading: (x: Double, y: Double) {
    direction.x < 0 ? (-direction.x, -direction.y) : direction
  }

  /// What a text covers there.
  func box(at location: Location, columns: Int) -> LabelBox {
    let base = baseline(at: location)
    let rise = 0.33 * LabelBox.arrowSize
    return LabelBox(
      middle: (base.x + rise * reading.y, base.y - rise * reading.x), columns: columns,
      direction: reading)
  }

  /// Puts a text there, to be read from left to right.
  func matrix(at location: Location) -> String {
    let base = baseline(at: location)
    let numbers = [reading.x, reading.y, -reading.y, reading.x, base.x, base.y].map(decimal)
    return "matrix(\(numbers.joined(separator: " ")))"
  }

  /// The middle of the line that a text is written on, just above or below the way.
  private func baseline(at location: Location) -> (x: Double, y: Double) {
    let distance: Double = location.isAbove ? 4 : -11
    return (
      start.x + location.share * (end.x - start.x) + distance * reading.y,
      start.y + location.share * (end.y - start.y) - distance * reading.x
    )
  }

  private func point(_ point: (x: Double, y: Double)) -> String {
    "\(decimal((point.x * 10).rounded() / 10)) \(decimal((point.y * 10).rounded() / 10))"
  }
}

/// A number with at most three digits behind the point, as style sheets and SVG read it.
func decimal(_ number: Double) -> String {
  canonicalText(of: (number * 1000).rounded() / 1000)
}
