public import ClientInterface
public import Tree
public import Wire

/// Which of a connection's directions.
public enum FaultDirection: String, CaseIterable, Hashable, Sendable {
  case toServer = "to-server"
  case toClient = "to-client"
  case both

  /// The direction in words.
  package var text: String {
    switch self {
    case .toServer: "to the server"
    case .toClient: "to the client"
    case .both: "both ways"
    }
  }
}

/// After how long the server takes a connection for dead that is silent.
package let longestSilence = Interval.seconds(60)

/// Who sees at once that a connection is half-open; the others find out by the silence.
public enum FaultSide: String, CaseIterable, Hashable, Sendable {
  case neither = "nobody"
  case client
  case server
}

/// What a process finds of what the one before it has stored.
public enum StorageCondition: String, CaseIterable, Hashable, Sendable {
  /// Everything.
  case kept
  /// Nothing.
  case lost
  /// What was there when the run last settled before the process ended: the changes since then had
  /// not reached the disk.
  case rolledBack = "rolled-back"
}

/// What becomes of the operations that clients have left for the end of their connections, when the
/// server goes down.
public enum OnDisconnectFate: String, CaseIterable, Hashable, Sendable {
  case done
  case lost
}

/// Whether the server sends the present data before it refuses a write as stale.
public enum StaleData: String, CaseIterable, Hashable, Sendable {
  case sent
  case withheld
}

/// How wrong a clock goes, as a fraction: it gains `gain` in each `per` that passes. Negative, it
/// loses.
public struct ClockDrift: Hashable, Sendable {
  /// By how much the clock is ahead after each `per`, in the same unit; negative when it loses.
  public let gain: Int
  /// The length of true time in which the clock gains `gain`; from 1 to 10^9.
  public let per: Int

  /// - Precondition: `per` is positive and at most 10^9, and the clock does not stand or go back.
  public init(gain: Int, per: Int) {
    precondition((1...1_000_000_000).contains(per), "a clock cannot drift per \(per)")
    precondition(gain > -per && gain <= 1_000_000, "a clock cannot gain \(gain) per \(per)")
    self.gain = gain
    self.per = per
  }

  /// The clock gains this much in each second, in whole microseconds.
  public init(perSecond gain: Interval) {
    self.init(gain: Int(gain.nanoseconds / 1000), per: 1_000_000)
  }

  /// The clock goes right.
  public static let none = ClockDrift(gain: 0, per: 1)

  /// Whether the clock goes right.
  public var isNone: Bool { gain == 0 }

  /// What it gains in a second.
  public var perSecond: Interval {
    Interval(nanoseconds: Int64(gain) * (1_000_000_000 / Int64(per)))
  }
}

/// A write that comes from no client, directly at the server.
public enum ServerWrite: Hashable, Sendable {
  /// Overwrites a path.
  case set(Path, Node)
  /// Overwrites several paths at or below one, as one change.
  case update(Path, [Assignment])
  case remove(Path)

  /// The step of scenarios that makes it: `server.set`.
  public var step: String {
    switch self {
    case .set: "server.set"
    case .update: "server.update"
    case .remove: "server.remove"
    }
  }

  /// The path at which the write is made.
  public var path: Path {
    switch self {
    case let .set(path, _), let .update(path, _), let .remove(path): path
    }
  }
}
