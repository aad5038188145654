package import ClientInterface
package import Tree

/// Chooses what of the traffic is reported in full, so that reporting costs little however much
/// there is.
///
/// In each second so many messages of one connection, and of all together, are reported; the others
/// are counted. What happens seldom (openings, closings, findings, faults) has a budget of its own.
package struct TrafficSampler: Sendable {
  /// How many messages a second are reported, of one connection and in all, and how many other things.
  private static let maxCount = (each: 100, all: 200, uncommon: 100)
  /// Of how many connections it is reported how many messages were left out.
  private static let maxNamed = 8

  /// What is reported next, in order.
  private var items: [JSON] = []
  private var windowBegin = Instant(nanoseconds: 0)
  private var reported: [Int: Int] = [:]
  private var reportedInAll = 0
  private var reportedUncommon = 0
  private var skipped: [Int: Int] = [:]

  /// Has reported nothing yet.
  package init() {}

  /// Whether a message of a connection is to be reported; if not, it is counted. Requests of REST
  /// are those of connection 0.
  package mutating func admits(_ connection: Int, at now: Instant) -> Bool {
    beginPeriod(at: now)
    let count = reported[connection, default: 0]
    guard count < Self.maxCount.each, reportedInAll < Self.maxCount.all else {
      skipped[connection, default: 0] += 1
      return false
    }
    reported[connection] = count + 1
    reportedInAll += 1
    return true
  }

  /// Whether something on a connection that happens seldom is to be reported; if not, it is counted.
  package mutating func admitsUncommon(_ connection: Int, at now: Instant) -> Bool {
    beginPeriod(at: now)
    guard reportedUncommon < Self.maxCount.uncommon else {
      skipped[connection, default: 0] += 1
      return false
    }
    reportedUncommon += 1
    return true
  }

  /// Adds what is reported next.
  package mutating func append(_ item: JSON) { items.append(item) }

  private mutating func beginPeriod(at now: Instant) {
    guard now - windowBegin >= .seconds(1) || now < windowBegin else { return }
    windowBegin = now
    reported.removeAll(keepingCapacity: true)
    (reportedInAll, reportedUncommon) = (0, 0)
  }

  /// What has come together since the last time, and how much was left out.
  package mutating func drain(at now: Instant) -> [JSON] {
    defer { (items, skipped) = ([], [:]) }
    if skipped.count > Self.maxNamed {
      return items + [Self.more(skipped.values.reduce(0, +), of: nil, at: now)]
    }
    let left = skipped.sorted { $0.key < $1.key }
    return items + left.map { Self.more($0.value, of: $0.key, at: now) }
  }

  /// Reports that so many things were not reported.
  package static func more(_ count: Int, of connection: Int?, at now: Instant) -> JSON {
    .object(having: [
      "kind": "more", "time": .number(now.milliseconds), "count": .number(Double(count)),
      "connection": connection.map { .number(Double($0)) },
    ])
  }
}
