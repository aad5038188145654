/// A list of known failures, brought up to date with what runs have shown.
///
/// Works on the text of the file, so that comments, order and layout stay as they are. A comment
/// directly above an entry belongs to it and goes with it.
public struct KnownFailuresUpdate {
  /// The text as it should be.
  public private(set) var text: String
  /// What was changed, a line each, in the order of the file.
  public private(set) var changes: [String] = []
  /// How many failures are not listed, because no issue was given.
  public private(set) var unlisted = 0

  /// What is written of failures that were not listed.
  public struct Terms: Sendable {
    /// The kind that new entries get.
    public var kind: KnownFailure.Kind
    /// Where they are written down; `nil` leaves them out.
    public var issue: String?
    /// The last day on which new entries hold.
    public var until: CalendarDate

    /// Sets what new entries say; without an issue none are written and they count as unlisted.
    public init(kind: KnownFailure.Kind, issue: String?, until: CalendarDate) {
      self.kind = kind
      self.issue = issue
      self.until = until
    }
  }

  /// The start of a list that was not there before.
  public static let emptyList = """
    # Failures that are known; see Specs/guides/continuous-integration.md of Kennel.
    kennel: 1
    known: []

    """

  private let list: KnownFailures
  private let runs: [RunEnd]
  private let context: KnownFailuresReader.Context

  /// - Parameters:
  ///   - list: As it was read from the text.
  ///   - text: The text of the file.
  ///   - runs: What was run, in order.
  ///   - context: All scenarios that there are.
  ///   - terms: What is written of failures that were not listed.
  public init(
    of list: KnownFailures, text: String, runs: [RunEnd], _ context: KnownFailuresReader.Context,
    _ terms: Terms
  ) {
    self.text = text
    self.list = list
    self.runs = runs
    self.context = context
    var layout = ListLayout(text, list.entries)
    for (index, entry) in list.entries.enumerated() { settle(entry, index, &layout) }
    append(terms, &layout)
    self.text = layout.text
  }

  private mutating func settle(_ entry: KnownFailure, _ index: Int, _ layout: inout ListLayout) {
    let name = "\(entry.location): \(entry.scenario)"
    let failures = runs.filter { lists(entry, $0) }.compactMap { ListedRun($0) }
    let passes = runs.count { $0.end == .passed && lists(entry, $0) }
    let isAsListed = failures.allSatisfy {
      $0.signature == entry.signature && (entry.rule == nil || entry.rule == $0.rule)
    }
    // What comes and goes is listed until it is removed.
    let mayPass = entry.kind == .flaky && isAsListed
    if mayPass || failures.isEmpty && passes == 0 || passes == 0 && isAsListed { return }
    guard isWhollyRun(entry) else {
      changes.append("left as it is, because not all of it was run: \(name)")
      return
    }
    if failures.isEmpty {
      layout.remove(index)
      changes.append("removed, because it passes: \(name)")
      return
    }
    let signatures = Set(failures.map(\.signature)), rules = Set(failures.map(\.rule))
    if passes == 0, signatures.count == 1, entry.rule == nil || rules.count == 1 {
      layout.change(
        index, signature: failures[0].signature, rule: entry.rule == nil ? nil : failures[0].rule)
      changes.append("changed to \"\(failures[0].signature)\": \(name)")
      return
    }
    let terms = Terms(kind: entry.kind, issue: entry.issue, until: entry.until)
    layout.replace(index, with: entries(of: failures, terms, note: entry.note))
    changes.append("narrowed down to what still fails: \(name)")
  }

  private mutating func append(_ terms: Terms, _ layout: inout ListLayout) {
    let new = runs.filter { list.entry(for: $0.scenario, in: $0.profile) == nil }
      .compactMap { ListedRun($0) }
    guard terms.issue != nil else {
      unlisted = new.count
      return
    }
    for entry in entries(of: new, terms, note: nil) {
      layout.append(entry)
      changes.append("added: \(entry.scenario), \"\(entry.signature)\"")
    }
  }

  private func lists(_ entry: KnownFailure, _ run: RunEnd) -> Bool {
    entry.lists(run.scenario, in: run.profile)
  }

  /// Whether every run that an entry lists was made.
  private func isWhollyRun(_ entry: KnownFailure) -> Bool {
    let made = Set(runs.map { [$0.scenario, $0.profile] })
    return context.scenarios.allSatisfy { subject in
      subject.profiles.allSatisfy { profile in
        !entry.lists(subject.id, in: profile) || made.contains([subject.id, profile])
      }
    }
  }

  /// An entry for each scenario and each way in which it fails.
  private func entries(of runs: [ListedRun], _ terms: Terms, note: String?) -> [NewEntry] {
    var entries: [NewEntry] = []
    for run in runs {
      let known = entries.firstIndex {
        $0.scenario == run.scenario && $0.signature == run.signature && $0.rule == run.rule
      }
      if let known {
        entries[known].profiles.append(run.profile)
      } else {
        entries.append(
          NewEntry(
            scenario: run.scenario, profiles: [run.profile], rule: run.rule,
            signature: run.signature, kind: terms.kind, issue: terms.issue ?? "",
            until: terms.until, note: note))
      }
    }
    for index in entries.indices { entries[index].shorten(context) }
    return entries
  }
}

/// A run that failed.
private struct ListedRun {
  var scenario: String
  var profile: String
  var signature: String
  var rule: String?

  init?(_ run: RunEnd) {
    guard case let .failed(signature, rule) = run.end else { return nil }
    (scenario, profile) = (run.scenario, run.profile)
    (self.signature, self.rule) = (signature, rule)
  }
}
