public import ClientInterface

/// How a run with clients that have a clock of their own is made and judged.
public struct RealClockSettings: Hashable, Sendable {
  /// By how much something may be earlier or later than a scenario says.
  public var tolerance = Interval.milliseconds(250)
  /// For how long nothing must have happened for a run to count as settled.
  public var quiet = Interval.milliseconds(100)
  /// How long what is missing is waited for.
  public var timeout = Interval.seconds(4)
  /// How long a client has to connect again: it waits longer after each failure.
  public var connectionTimeout = Interval.seconds(20)
  /// How long the waits of a scenario may be together.
  public var longest = Interval.seconds(10)
  /// How often a run that diverged is made again.
  public var repeats = 2
  /// How late this process may be for the machine to count as keeping its time.
  public var longestAllowedDelay = Interval.milliseconds(150)
  /// How long an adapter may take to show that it runs, for the same.
  public var latestAnswer = Interval.milliseconds(250)

  /// Begins with the standard value of each property, as declared here.
  public init() {}
}
