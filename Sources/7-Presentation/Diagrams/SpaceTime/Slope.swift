internal import Tree

/// The straight way of an arrow, with its tip and the location of its label.
struct Slope {
  private let start: (x: Double, y: Double)
  private let end: (x: Double, y: Double)
  /// The direction, of length 1.
  private let direction: (x: Double, y: Double)
  let length: Int

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

  /// Puts a text on the way, just above it, to be read from left to right.
  var matrix: String {
    let sign: Double = direction.x < 0 ? -1 : 1
    let (cosine, sine) = (sign * direction.x, sign * direction.y)
    // Nearer to where it starts: where two messages cross, their labels do not.
    let x = start.x + 0.45 * (end.x - start.x) + 4 * sine
    let y = start.y + 0.45 * (end.y - start.y) - 4 * cosine
    let numbers = [cosine, sine, -sine, cosine, x, y].map(decimal)
    return "matrix(\(numbers.joined(separator: " ")))"
  }

  private func point(_ point: (x: Double, y: Double)) -> String {
    "\(decimal((point.x * 10).rounded() / 10)) \(decimal((point.y * 10).rounded() / 10))"
  }
}

/// A number with at most three digits behind the point, as style sheets and SVG read it.
func decimal(_ number: Double) -> String {
  canonicalText(of: (number * 1000).rounded() / 1000)
}
