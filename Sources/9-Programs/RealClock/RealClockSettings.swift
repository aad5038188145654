public import ClientInterface
package import System

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

extension RealClockSettings: OptionSettings {
  /// The options for adapters whose clients have a clock of their own.
  package static var options: [Option<RealClockSettings>] {
    Option.table([
      .value(
        "tolerance", "MS", \.tolerance, .milliseconds(through: 60_000),
        """
        With a COMMAND on a real clock: events may be MS milliseconds earlier or later than a \
        scenario states (default: 250).
        """),
      .value(
        "settle", "MS", \.quiet, .milliseconds(through: 10_000),
        "On a real clock: a run has settled after MS without an event (default: 100)."),
      .value(
        "patience", "MS", \.patience, .milliseconds(through: 600_000),
        "On a real clock: wait at most MS for a missing event (default: 4000)."),
      .value(
        "longest", "SECONDS", \.longest, .seconds(through: 86_400),
        """
        On a real clock: skip scenarios whose waits add up to more than this, 10 seconds unless stated.
        """),
      .value(
        "repeats", "N", \.repeats, .number(0...100),
        """
        On a real clock: a divergence counts only if it occurs again in N more runs (default: 2). \
        Otherwise the run is inconclusive.
        """),
    ]) { $0.needsAdapter = true }
  }

  /// The timeout, as an option sets it: a client has no less time to connect again.
  private var patience: Interval {
    get { timeout }
    set {
      timeout = newValue
      connectionTimeout = max(connectionTimeout, newValue)
    }
  }
}

extension OptionKind where Value == Interval {
  private static func time(_ unit: Interval, through most: Int) -> OptionKind {
    OptionKind(
      "a whole number from 0 to \(most)",
      { text in
        guard let count = Int(text), (0...most).contains(count) else { return nil }
        return Interval(nanoseconds: Int64(count) * unit.nanoseconds)
      }, text: { String($0.nanoseconds / unit.nanoseconds) })
  }

  fileprivate static func milliseconds(through most: Int) -> OptionKind {
    time(.milliseconds(1), through: most)
  }

  fileprivate static func seconds(through most: Int) -> OptionKind {
    time(.seconds(1), through: most)
  }
}
