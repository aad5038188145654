internal import ClientInterface
internal import Faults
internal import Text
internal import Trace

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

  init(_ events: [TraceEvent], _ participants: Participants) {
    self.participants = participants
    lowest = Array(repeating: Self.top - Self.pitch, count: participants.count)
    for event in events { add(event) }
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
