internal import ClientInterface
internal import RunModel
internal import Wire

// What is judged of requests: their numbers rise, and each is answered once, in time.

extension WireMonitor {
  /// How many requests without an answer are named.
  private static let maxNamed = 5

  /// Judges the number of a request that is about to be sent.
  func judge(_ number: Int, _ subject: Requests.Subject) -> WireFinding? {
    guard let before = wire.requests.last, number <= before else { return nil }
    return WireFinding(
      .numbered,
      number == before
        ? "request \(number), \(subject), has the number of the request before it; each has a larger "
          + "number than all before it, also on a new connection"
        : "request \(number), \(subject), comes after request \(before); each has a larger number "
          + "than all before it, also on a new connection")
  }

  /// What is wrong with an answer to what was not asked, or was answered.
  func judgeStray(_ response: ServerMessage.Response) -> WireFinding {
    let number = response.request
    return WireFinding(
      .answersOnce, by: .server,
      wire.requests.mayHaveBeenAsked(number)
        ? "the server answers request \(number) again, with \"\(response.status)\"; each request is "
          + "answered once"
        : "the server answers request \(number) with \"\(response.status)\", which was not made on "
          + "this connection; an answer has the number of its request")
  }

  /// Requests that have waited for long although the connection lives.
  mutating func judgeOverdue(at now: Instant) -> [WireFinding] {
    wire.requests.takeOverdue(at: now).map { request in
      WireFinding(
        .unanswered, by: .server,
        "request \(request.number), \(request.subject), has had no answer for 60 s; every request is "
          + "answered")
    }
  }

  /// What is left without an answer where a connection ends.
  func judgeLeft() -> [WireFinding] {
    let left = wire.requests.waiting
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

  /// How many requests of the connection have no answer.
  public var unansweredCount: Int { wire.requests.waitingCount }

  /// The first of them, in words, with their numbers: `put /a, request 4`.
  public func unanswered(atMost limit: Int) -> [String] {
    wire.requests.waiting.prefix(limit).map { "\($0.subject), request \($0.number)" }
  }
}

extension Requests.Subject: CustomStringConvertible {
  package var description: String {
    switch self {
    case let .other(action): "\"\(action)\""
    case let .request(request):
      request.path.map { "\(request.action.rawValue) \($0)" } ?? request.action.rawValue
    }
  }
}
