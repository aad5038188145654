internal import ClientInterface
internal import ReferenceClient
internal import Tree

/// What an accident makes unreliable, and for how long.
struct Unreliability {
  /// What differs while the unreliability holds.
  enum Reach {
    /// What listeners at the location see, and with them the transactions that run again there.
    case shown
    /// What the client knows or writes there as well: also its calls and requests.
    case known
    /// Nothing but the one call, in the one group.
    case call(CallID)
  }

  /// What must be over before the next complete message can end the unreliability.
  enum Hold {
    case nothing
    /// One of these writes is pending.
    case writes(Set<Int>)
    /// The transaction of this call has not come to its end.
    case transaction(CallID)
  }

  let accident: Accident
  /// Everything at, above and below is unreliable, or with a query that view alone.
  let path: Path
  var query: Query?
  let reach: Reach
  var hold = Hold.nothing
  /// Whether the server has sent the whole of the location since.
  private var isReported = false

  init(
    _ accident: Accident, _ reach: Reach, at path: Path, _ query: Query? = nil,
    while hold: Hold = .nothing
  ) {
    self.accident = accident
    self.path = path
    self.query = query
    self.reach = reach
    self.hold = hold
  }

  /// Whether the accident has no consequences beyond its group.
  var isTransient: Bool {
    if case .call = reach { true } else { false }
  }

  /// Follows what happens after the group in which the accident happened.
  ///
  /// - Returns: Whether the unreliability is over: the next groups are compared again.
  mutating func isFinished(after moment: RecordedStep) -> Bool {
    if isTransient { return true }
    if let news = moment.news, covers(news, moment.before) { isReported = true }
    if !isHeld(moment) { hold = .nothing }
    if case .nothing = hold { return isReported }
    return false
  }

  private func covers(_ news: RecordedStep.ServerData, _ client: ReferenceClient) -> Bool {
    if let tag = news.tag {
      guard let query, let view = client.view(at: path, query) else { return false }
      return view.tag == tag && news.sets.contains { path.starts(with: $0.path) }
    }
    return news.sets.contains { path.starts(with: $0.path) }
  }

  private func isHeld(_ moment: RecordedStep) -> Bool {
    switch hold {
    case .nothing: false
    case let .writes(ids): moment.after.writes.contains { ids.contains($0.id) }
    case let .transaction(call): moment.after.transactions.contains { $0.call == call }
    }
  }
}
