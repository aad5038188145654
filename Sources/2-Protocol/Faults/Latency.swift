public import ClientInterface

/// How long a message takes in one direction.
public struct Latency: Hashable, Sendable {
  /// The shortest time that can be drawn for a message.
  public var lowest: Interval
  /// The upper bound of the times that can be drawn, in steps of 0.1 ms from `lowest`.
  public var highest: Interval

  /// Each message takes a time of its own between the two.
  ///
  /// - Precondition: `lowest` is not negative and not above `highest`.
  public init(_ lowest: Interval, through highest: Interval) {
    precondition(
      lowest >= .zero && lowest <= highest,
      "latency \(lowest.nanoseconds) ns through \(highest.nanoseconds) ns")
    self.lowest = lowest
    self.highest = highest
  }

  /// Each message takes a time of its own within the range; traps if its lower bound is negative.
  public init(_ range: ClosedRange<Interval>) {
    self.init(range.lowerBound, through: range.upperBound)
  }

  /// From the shortest time to the longest, both included; traps if `highest` was set below
  /// `lowest`.
  public var range: ClosedRange<Interval> { lowest...highest }

  /// Every message takes the same time.
  public static func fixed(_ interval: Interval) -> Latency {
    Latency(interval, through: interval)
  }

  /// Ten milliseconds each way, so that nothing looks synchronous by accident.
  public static let standard = fixed(.milliseconds(10))

  /// Times are drawn in tenths of a millisecond, which keeps reports readable.
  static let latencyUnit = Interval(nanoseconds: 100_000)

  /// How many different times there are.
  package var arity: Int {
    Int((highest - lowest).nanoseconds / Self.latencyUnit.nanoseconds) + 1
  }

  /// The time that a choice stands for; 0 is the shortest.
  package func interval(of choice: Int) -> Interval {
    Interval(nanoseconds: lowest.nanoseconds + Int64(choice) * Self.latencyUnit.nanoseconds)
  }

  /// `10 ms` or `10 ms..60 ms`.
  public var text: String {
    let lowest = lowest.millisecondText
    let highest = highest.millisecondText
    return lowest == highest ? lowest : lowest + ".." + highest
  }
}
