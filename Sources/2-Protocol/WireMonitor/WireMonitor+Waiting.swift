// What a watcher of a connection asks of it.

extension WireMonitor {
  /// How many requests of the connection have no answer.
  public var unansweredCount: Int { requests.waitingCount }

  /// The first of them, in words, with their numbers: `put /a, request 4`.
  public func unanswered(atMost limit: Int) -> [String] {
    requests.waiting(atMost: limit).map { "\($0.subject), request \($0.number)" }
  }
}
