/// The failures that are known, as a file lists them.
public struct KnownFailures: Sendable {
  /// In the order of the file.
  public var entries: [KnownFailure]

  /// How many scenarios a pattern may match without saying so.
  public static let matchesWithoutMax = 20
  /// How many days before the last one a failure is warned of.
  public static let daysOfWarning = 30

  /// A list of these entries, in this order; without any, no failure is known.
  public init(_ entries: [KnownFailure] = []) {
    self.entries = entries
  }

  /// How a run compares with the list.
  ///
  /// - Parameters:
  ///   - end: What it came to.
  ///   - today: The day on which that is asked.
  /// - Returns: what makes it red or not, besides its verdict.
  public func knownStatus(of end: RunEnd, on today: CalendarDate) -> KnownFailureStatus {
    guard let entry = entry(for: end.scenario, in: end.profile) else { return .unlisted }
    switch end.end {
    case .advised, .skipped, .fault: return .unlisted
    case .passed: return entry.kind == .flaky ? .unlisted : .stale(entry)
    case let .failed(signature, rule):
      if signature != entry.signature || (entry.rule != nil && rule != entry.rule) {
        return .different(entry, signature: signature, rule: rule)
      }
      return today > entry.until ? .expired(entry) : .known(entry)
    }
  }

  /// The entry that lists a run. No two of them do: a reader refuses that.
  func entry(for scenario: String, in profile: String) -> KnownFailure? {
    entries.first { $0.lists(scenario, in: profile) }
  }

  /// A sentence for each entry that is about to expire, with its location.
  public func warnings(on today: CalendarDate) -> [Warning] {
    entries.compactMap { entry in
      let days = today.days(until: entry.until)
      guard (0...Self.daysOfWarning).contains(days) else { return nil }
      let time =
        days == 0 ? "which is today" : days == 1 ? "1 day from now" : "\(days) days from now"
      return Warning(
        entry: entry,
        message: "\(entry.scenario) is a known failure until \(entry.until), \(time); fix it, or "
          + "agree on another date (\(entry.issue))")
    }
  }

  /// What is reported of an entry that will expire.
  public struct Warning: Hashable, Sendable {
    /// The entry that is about to expire.
    public var entry: KnownFailure
    /// A sentence for people: the failure, its last day, the days left and the issue.
    public var message: String

    /// Pairs an entry with the sentence about it.
    public init(entry: KnownFailure, message: String) {
      self.entry = entry
      self.message = message
    }
  }
}
