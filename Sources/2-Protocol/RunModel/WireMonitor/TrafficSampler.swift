package import ClientInterface
package import Tree

/// Chooses what of the traffic is reported in full, so that reporting costs little however much
/// there is.
///
/// In each second so many messages of one connection, and of all together, are reported; the others
/// are counted. What happens seldom (openings, closings, findings, faults) has a budget of its own.
package struct TrafficSampler: Sendable {
  /// What is reported in a second: messages, of one connection and in all, and other things.
  private static let maxCount = (each: 100, all: 200, uncommon: 100)
  /// Of how many connections it is reported how many messages were left out.
  private static let maxNamed = 8

  /// What the budget of a second is for.
  package enum Kind {
    case message, uncommon
  }

  /// What is reported next, in order.
  package var items: [JSON] = []
  private var windowBegin = Instant(nanoseconds: 0)
  /// How many messages were reported in this second, of each connection and in all, and how many
  /// other things.
  private var reported: [Int: Int] = [:]
  private var reportedInAll = 0
  private var reportedUncommon = 0
  private var skipped: [Int: Int] = [:]

  /// Has reported nothing yet.
  package init() {}

  /// Whether something on a connection is to be reported; if not, it is counted. Requests of REST
  /// are those of connection 0.
  package mutating func admits(
    _ connection: Int, _ kind: Kind = .message, at now: Instant
  ) -> Bool {
    if now - windowBegin >= .seconds(1) || now < windowBegin {
      windowBegin = now
      reported.removeAll(keepingCapacity: true)
      (reportedInAll, reportedUncommon) = (0, 0)
    }
    let count = reported[connection, default: 0]
    switch kind {
    case .message where count < Self.maxCount.each && reportedInAll < Self.maxCount.all:
      reported[connection] = count + 1
      reportedInAll += 1
    case .uncommon where reportedUncommon < Self.maxCount.uncommon: reportedUncommon += 1
    case .message, .uncommon:
      skipped[connection, default: 0] += 1
      return false
    }
    return true
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
