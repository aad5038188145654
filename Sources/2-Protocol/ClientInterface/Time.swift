internal import Tree

/// A moment, in whole nanoseconds since 1970 by the clock that is being read.
///
/// Virtual time is an integer so that it adds up exactly. Nothing in the kit reads a real clock.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the start of 1970; negative before it.
  public var nanoseconds: Int64

  /// The moment this many nanoseconds after the start of 1970.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The moment this many milliseconds after 1970.
  @inlinable
  public init(milliseconds: Double) {
    // Apart, because a product near 2^60 would be rounded to a neighbouring moment.
    let whole = milliseconds.rounded(.down)
    nanoseconds = Int64(whole) * 1_000_000 + Int64((milliseconds - whole) * 1_000_000)
  }

  /// Milliseconds since 1970, without the part below a millisecond: what clocks of the field show.
  @inlinable
  public var milliseconds: Double { Double(nanoseconds / 1_000_000) }

  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The moment that lies the interval later, or earlier if it is negative; traps on overflow.
  @inlinable
  public static func + (instant: Instant, interval: Interval) -> Instant {
    Instant(nanoseconds: instant.nanoseconds + interval.nanoseconds)
  }

  /// How long after `b` the moment `a` is, negative if it is before; traps on overflow.
  @inlinable
  public static func - (a: Instant, b: Instant) -> Interval {
    Interval(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}

/// A length of time, in whole nanoseconds.
public struct Interval: Hashable, Comparable, Sendable {
  /// The length in nanoseconds; negative for a step back in time.
  public var nanoseconds: Int64

  /// A length of this many nanoseconds, which may be negative.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// No time at all.
  public static let zero = Interval(nanoseconds: 0)

  /// A length of this many milliseconds, which may be negative; traps on overflow.
  @inlinable
  public static func milliseconds(_ count: Int) -> Interval {
    Interval(nanoseconds: Int64(count) * 1_000_000)
  }

  /// A length of this many seconds, which may be negative; traps on overflow.
  @inlinable
  public static func seconds(_ count: Int) -> Interval { milliseconds(count * 1000) }

  /// The length as a fraction of milliseconds.
  public var milliseconds: Double { Double(nanoseconds) / 1_000_000 }

  @inlinable
  public static func < (a: Interval, b: Interval) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Both lengths one after the other; traps on overflow.
  @inlinable
  public static func + (a: Interval, b: Interval) -> Interval {
    Interval(nanoseconds: a.nanoseconds + b.nanoseconds)
  }

  /// By how much `a` is longer than `b`, negative if it is shorter; traps on overflow.
  @inlinable
  public static func - (a: Interval, b: Interval) -> Interval {
    Interval(nanoseconds: a.nanoseconds - b.nanoseconds)
  }
}

extension Interval {
  /// The length in milliseconds, as traces and reports write it: `310 ms`, `0.25 ms`.
  public var millisecondText: String { canonicalText(of: milliseconds) + " ms" }

  /// The length in milliseconds to three digits behind the point: `310 ms`, `2070.296 ms`.
  package var shortText: String {
    let microseconds = (nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000
    return Interval(nanoseconds: microseconds * 1000).millisecondText
  }

  /// The length in words for people: `12 s`, `1.5 s`, `310 ms`.
  public var text: String {
    nanoseconds >= 1_000_000_000
      ? canonicalText(of: Double(nanoseconds) / 1_000_000_000) + " s" : millisecondText
  }
}
