internal import ClientInterface
internal import Document
internal import Faults
internal import Trace
internal import Tree

/// Where everything of a picture stands, in pixels.
///
/// Time runs down, but not evenly: what happens at one moment needs room, and an hour in which
/// nothing happens needs none. Later is always lower, and what follows from something is never
/// above it.
struct SpaceTimeLayout {
  static let labelWidth = 232
  static let spacing = 250
  static let top = 64
  /// The least distance of two labels on one line.
  static let pitch = 16

  struct Point: Hashable {
    var column: Int
    var y: Int
  }

  /// Something that happens at one location.
  struct Mark {
    var event: TraceEvent
    var at: Point
  }

  /// Something that goes from one line to another.
  struct Arrow {
    var event: TraceEvent
    var from: Point
    var to: Point
    /// How much of the way it gets, in percent.
    var share = 100
  }

  struct Stripe {
    var column: Int
    var from: Int
    var to: Int
    var label = ""
  }

  private(set) var marks: [Mark] = []
  private(set) var arrows: [Arrow] = []
  private(set) var steps: [(y: Int, text: String)] = []
  private(set) var times: [(y: Int, text: String)] = []
  /// While clients are connected.
  private(set) var bands: [Stripe] = []
  /// The times in which a fault is in effect.
  private(set) var shades: [Stripe] = []
  private(set) var height = Self.top
  /// Where something is missing.
  private(set) var missing: Point?
  /// How wide the column of the time is: as the longest time needs it.
  private(set) var timeWidth = 84

  private let participants: Participants
  private var points: [Int: Point] = [:]
  private var arrived: Set<Int> = []
  private var lowest: [Int]
  private var base = Self.top
  private var now: Interval?
  /// Whether the time of this moment is written: it stands where something happens first.
  private var isTimeReported = false
  private var connected: [Int: Int] = [:]
  private var troubles: [(stripe: Stripe, end: FaultKind)] = []

  init(
    _ events: [TraceEvent], _ participants: Participants,
    missing: PicturedRun.Failure.Missing? = nil
  ) {
    self.participants = participants
    lowest = Array(repeating: Self.top - Self.pitch, count: participants.count)
    let behind = missing.map { missing in
      events.firstIndex { $0.time > missing.time } ?? events.endIndex
    }
    for (index, event) in events.enumerated() {
      if index == behind, let missing { add(missing) }
      add(event)
    }
    if behind == events.endIndex, let missing { add(missing) }
    for event in events where event.isSending && !arrived.contains(event.sequence) {
      addUnfinished(event)
    }
    height += Self.pitch
    for (column, start) in connected.sorted(by: { $0.key < $1.key }) {
      bands.append(Stripe(column: column, from: start, to: height))
    }
    shades += troubles.map { trouble in
      var stripe = trouble.stripe
      stripe.to = height
      return stripe
    }
  }

  /// The middle of a line.
  func x(_ column: Int) -> Int { timeWidth + Self.labelWidth + column * Self.spacing }

  /// Whether what happens on a line is written to the left of it.
  func isLabelledOnTheLeft(_ column: Int) -> Bool { column < participants.server }

  var width: Int {
    x(participants.count - 1) + Self.labelWidth
  }

  /// What is shown of the name of a line.
  static func head(_ name: String) -> String { DisplayWidth.truncated(name, to: 28) }

  /// What is shown of a label beside a line.
  static func shown(_ label: String) -> String { DisplayWidth.truncated(label, to: 31) }

  /// What is shown of a step: what fits beside the lines.
  func shown(_ step: String) -> String { DisplayWidth.truncated(step, to: (x(0) - 16) * 10 / 62) }

  private mutating func add(_ event: TraceEvent) {
    if event.time != now { begin(event.time) }
    guard let column = participants.column(of: event) else {
      // A step has a row of its own, below all labels that were before it.
      let y = height + (steps.last?.y == height ? 14 : 20)
      steps.append((y, "\(event.step)  \(event.text)"))
      settle(at: y)
      return
    }
    var y = max(base, lowest[column] + Self.pitch)
    if let cause = event.cause.flatMap({ points[$0] }) { y = max(y, cause.y) }
    let point = Point(column: column, y: y)
    points[event.sequence] = point
    if !isTimeReported {
      times.append((y, event.time.shortText))
      timeWidth = max(timeWidth, event.time.shortText.count * 7 + 20)
      isTimeReported = true
    }
    lowest[column] = y
    height = max(height, y)
    mark(event, at: point)
    updateStripes(event, at: point)
  }

  /// What is missing stands below all that its client did at that moment.
  private mutating func add(_ absent: PicturedRun.Failure.Missing) {
    guard let client = participants.clients.firstIndex(of: absent.client) else { return }
    if absent.time != now { begin(absent.time) }
    let column = participants.column(of: ClientIndex(client))
    let point = Point(column: column, y: max(base, lowest[column] + Self.pitch))
    missing = point
    lowest[column] = point.y
    height = max(height, point.y)
  }

  /// A moment begins below all that was before it.
  private mutating func begin(_ time: Interval) {
    let passed = now.map { (time - $0).nanoseconds } ?? 0
    // A gap of a second looks longer than one of a millisecond, and no more than that.
    let digits = String(max(0, passed / 1_000_000)).count
    base = height + (now == nil ? 0 : 12 + 6 * digits)
    height = max(height, base)
    now = time
    isTimeReported = false
  }

  private mutating func settle(at y: Int) {
    let next = y + 12
    lowest = lowest.map { max($0, next - Self.pitch) }
    base = max(base, next)
    height = max(height, y)
  }

  private mutating func mark(_ event: TraceEvent, at point: Point) {
    if let transit = event.transit, transit.moment == .isLost {
      let (from, to) = participants.ends(of: transit)
      let start = event.cause.flatMap { points[$0] } ?? point
      event.cause.map { _ = arrived.insert($0) }
      arrows.append(
        Arrow(
          event: event, from: Point(column: from, y: start.y), to: Point(column: to, y: point.y),
          share: MessageMark.lostShare))
    } else if event.isArrival, let cause = event.cause, let from = points[cause] {
      arrived.insert(cause)
      arrows.append(Arrow(event: event, from: from, to: point))
    } else if !event.isSending, !event.isRequestForConnection {
      marks.append(Mark(event: event, at: point))
    }
  }

  /// A message that is still under way when the run ends.
  private mutating func addUnfinished(_ event: TraceEvent) {
    guard let from = points[event.sequence], let transit = event.transit else { return }
    let end = Point(column: participants.ends(of: transit).to, y: max(height, from.y + 40))
    arrows.append(
      Arrow(event: event, from: from, to: end, share: MessageMark.unfinishedShare))
  }

  /// What an event begins or ends.
  private mutating func updateStripes(_ event: TraceEvent, at point: Point) {
    switch event.kind {
    case .input(_, .opened): connected[point.column] = point.y
    case .input(_, .closed), .input(_, .close), .output(_, .disconnect):
      guard let start = connected.removeValue(forKey: point.column) else { return }
      bands.append(Stripe(column: point.column, from: start, to: point.y))
    case let .fault(incident): trouble(incident, event.text, at: point)
    default: break
    }
  }

  private mutating func trouble(_ incident: Incident, _ label: String, at point: Point) {
    let kind = incident.fault?.kind
    if let kind,
      let index = troubles.lastIndex(where: { $0.stripe.column == point.column && $0.end == kind })
    {
      var stripe = troubles.remove(at: index).stripe
      stripe.to = point.y
      shades.append(stripe)
      return
    }
    let stripe = Stripe(column: point.column, from: point.y, to: point.y + 2, label: label)
    if let end = kind?.end {
      troubles.append((stripe, end))
    } else if !incident.isArming {
      shades.append(stripe)
    }
  }
}

extension FaultKind {
  /// The kind of fault until which this one lasts; `nil` for one that has no length.
  fileprivate var end: FaultKind? {
    switch self {
    case .cut: .heal
    case .stall: .resume
    default: nil
    }
  }
}

extension Incident {
  fileprivate var isArming: Bool { if case .armed = self { true } else { false } }
}

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
