internal import ClientInterface
internal import Wire

/// The requests of one client: their numbers, and which have no answer.
struct OutstandingRequests: Sendable {
  /// What waits for an answer.
  struct Open: Sendable {
    var number: Int
    /// What it asks, in words.
    var subject: Subject
    var time: Instant
    /// How many requests with this number wait, if a client gives it again.
    var count = 1
    /// Whether its long wait has been reported.
    var isReported = false
  }

  enum Subject: Sendable {
    case request(Request)
    /// One that the vocabulary has no word for.
    case other(String)
  }

  /// How long an answer may take before it is worth a remark.
  static let timeout = Interval.seconds(60)
  /// How many requests without an answer are named.
  static let maxNamed = 5

  private var last: Int?
  /// The first number of this connection.
  private var first: Int?
  private var open = RequestTable<Open>()
  /// When to look next whether something has waited for too long.
  private var lookAt: Instant?

  mutating func begin() {
    first = nil
    open.removeAll()
    lookAt = nil
  }

  mutating func take(_ number: Int, _ subject: Subject, at now: Instant) -> WireFinding? {
    let before = last
    last = max(number, last ?? number)
    if first == nil { first = number }
    let waiting = open[number]?.count ?? 0
    open[number] = Open(number: number, subject: subject, time: now, count: waiting + 1)
    if lookAt == nil { lookAt = now + Self.timeout }
    guard let before, number <= before else { return nil }
    return WireFinding(
      .numbered,
      number == before
        ? "request \(number), \(subject), has the number of the request before it; each has a larger "
          + "number than all before it, also on a new connection"
        : "request \(number), \(subject), comes after request \(before); each has a larger number "
          + "than all before it, also on a new connection")
  }

  /// Takes an answer.
  ///
  /// - Returns: What was asked, or what is wrong with the answer.
  mutating func answer(_ response: ServerMessage.Response) -> (Open?, WireFinding?) {
    let number = response.request
    if let answered = open[number] {
      if answered.count > 1 { open[number]?.count -= 1 } else { open[number] = nil }
      return (answered, nil)
    }
    let wasAsked = first.map { number >= $0 } == true && last.map { number <= $0 } == true
    let reason =
      wasAsked
      ? "the server answers request \(number) again, with \"\(response.status)\"; each request is "
        + "answered once"
      : "the server answers request \(number) with \"\(response.status)\", which was not made on "
        + "this connection; an answer has the number of its request"
    return (nil, WireFinding(.answersOnce, by: .server, reason))
  }

  /// Requests that have waited for long although the connection lives.
  mutating func overdue(at now: Instant) -> [WireFinding] {
    guard let lookAt, now >= lookAt else { return [] }
    var findings: [WireFinding] = []
    for request in open.values
    where !request.isReported && now - request.time >= Self.timeout {
      open[request.number]?.isReported = true
      findings.append(
        WireFinding(
          .unanswered, by: .server,
          "request \(request.number), \(request.subject), has had no answer for 60 s; every request is "
            + "answered"))
    }
    let next = open.values.filter { !$0.isReported }.map(\.time).min()
    self.lookAt = next.map { $0 + Self.timeout }
    return findings
  }

  /// Whether a request has its answer.
  func isAnswered(_ number: Int) -> Bool { open[number] == nil }

  /// How many requests wait for their answers.
  var waitingCount: Int { open.count }

  /// The first requests that wait, in order of their numbers.
  func waiting(atMost limit: Int) -> [Open] {
    Array(open.values.prefix(limit))
  }

  /// What is left without an answer.
  mutating func end() -> [WireFinding] {
    defer { begin() }
    let left = open.values
    if left.isEmpty { return [] }
    let named = left.prefix(Self.maxNamed).map { "\($0.number), \($0.subject)" }
    let more = left.count > named.count ? "; and \(left.count - named.count) more" : ""
    return [
      WireFinding(
        .unanswered, by: .server,
        "the connection ended before these requests were answered: "
          + named.joined(separator: "; ") + more)
    ]
  }
}

extension OutstandingRequests.Subject: CustomStringConvertible {
  var description: String {
    switch self {
    case let .other(action): "\"\(action)\""
    case let .request(request):
      request.path.map { "\(request.action.rawValue) \($0)" } ?? request.action.rawValue
    }
  }
}
