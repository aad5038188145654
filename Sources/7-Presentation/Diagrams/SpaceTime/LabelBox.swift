/// The rectangle that a text of a picture covers, level or along an arrow.
struct LabelBox: Sendable {
  /// Its middle, in pixels.
  var middle: (x: Double, y: Double)
  /// Half of its width and of its height.
  var half: (width: Double, height: Double)
  /// The direction in which it is read, of length 1.
  var direction: (x: Double, y: Double) = (1, 0)

  /// A level text whose baseline is known.
  init(left: Double, baseline: Double, columns: Int, size: Double) {
    let width = Double(columns) * Self.columnShare * size
    middle = (left + width / 2, baseline - 0.33 * size)
    half = (width / 2, size / 2)
  }

  /// A text along an arrow.
  init(middle: (x: Double, y: Double), columns: Int, direction: (x: Double, y: Double)) {
    self.middle = middle
    half = (Double(columns) * Self.columnShare * Self.arrowSize / 2, Self.arrowSize / 2)
    self.direction = direction
  }

  /// How wide a column of the fixed-width fonts is at most, as a share of their size.
  static let columnShare = 0.62
  /// The size of the font along arrows and beside lines.
  static let arrowSize = 11.0

  /// Whether two rectangles share more than an edge.
  ///
  /// Two convex shapes are apart when their shadows on the normal of some edge are.
  func overlaps(_ other: LabelBox) -> Bool {
    let across = (dx: other.middle.x - middle.x, dy: other.middle.y - middle.y)
    for axis in axes + other.axes {
      let distance = abs(across.dx * axis.x + across.dy * axis.y)
      if distance >= reach(along: axis) + other.reach(along: axis) { return false }
    }
    return true
  }

  private var axes: [(x: Double, y: Double)] { [direction, (-direction.y, direction.x)] }

  private func reach(along axis: (x: Double, y: Double)) -> Double {
    let (main, side) = (axes[0], axes[1])
    return half.width * abs(main.x * axis.x + main.y * axis.y)
      + half.height * abs(side.x * axis.x + side.y * axis.y)
  }

  /// The least and the greatest abscissa and ordinate.
  var bounds: (left: Double, right: Double, top: Double, bottom: Double) {
    let (width, height) = (reach(along: (1, 0)), reach(along: (0, 1)))
    return (middle.x - width, middle.x + width, middle.y - height, middle.y + height)
  }
}
