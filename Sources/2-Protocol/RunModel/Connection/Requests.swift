package import ClientInterface
package import Wire

/// The requests of one client: their numbers, and which have no answer.
package struct Requests: Sendable {
  /// What waits for an answer.
  package struct Open: Sendable {
    package let number: Int
    /// What it asks.
    package let subject: Subject
    package let time: Instant
    /// How many requests with this number wait, if a client gives it again.
    fileprivate var count = 1
    /// Whether its long wait has been noticed.
    fileprivate var isOverdue = false
  }

  package enum Subject: Sendable {
    case request(Request)
    /// One that the vocabulary has no word for.
    case other(String)
  }

  /// The number of the last request, on this connection or on one before.
  package private(set) var last: Int?
  /// The first number of this connection.
  private var first: Int?
  private var open = RequestTable<Open>()
  /// When to look next whether something has waited for too long.
  private var lookAt: Instant?

  /// How long an answer may take before it is worth a remark.
  package static let timeout = Interval.seconds(60)

  package init() {}

  /// A connection begins or ends.
  mutating func clear() {
    first = nil
    open.removeAll()
    lookAt = nil
  }

  /// Whether anything was asked on this connection.
  package var hasAny: Bool { first != nil }

  mutating func add(_ number: Int, _ subject: Subject, at now: Instant) {
    var request = Open(number: number, subject: subject, time: now)
    if let last, number <= last {
      request.count += open[number]?.count ?? 0
      open[number] = request
    } else {
      last = number
      open.add(request, for: number)
    }
    if first == nil { first = number }
    if lookAt == nil { lookAt = now + Self.timeout }
  }

  /// Takes an answer.
  ///
  /// - Returns: What was asked; `nil` where nothing with this number waits.
  mutating func answer(_ number: Int) -> Open? {
    guard let answered = open.removeValue(forKey: number) else { return nil }
    if answered.count > 1 {
      open[number] = answered
      open[number]?.count -= 1
    }
    return answered
  }

  /// What waits with this number.
  package subscript(number: Int) -> Open? { open[number] }

  /// Whether a number may be that of a request of this connection that was answered.
  package func mayHaveBeenAsked(_ number: Int) -> Bool {
    guard let first, let last else { return false }
    return first <= number && number <= last
  }

  /// Takes out the requests that have begun to wait for too long since the last call.
  package mutating func takeOverdue(at now: Instant) -> [Open] {
    guard let lookAt, now >= lookAt else { return [] }
    var found: [Open] = []
    for request in open.values where !request.isOverdue && now - request.time >= Self.timeout {
      open[request.number]?.isOverdue = true
      found.append(request)
    }
    let next = open.values.filter { !$0.isOverdue }.map(\.time).min()
    self.lookAt = next.map { $0 + Self.timeout }
    return found
  }

  /// The requests that wait, in order of their numbers.
  package var waiting: [Open] { open.values }
}
