public import Document
public import Scenario

/// The failures that are known, as a file lists them, and which of them are stale.
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
    guard let entry = entry(for: end.scenario, in: end.profile) else {
      return entries.first { $0.isRenamed(to: end) }.map { .renamed($0, to: end.scenario) }
        ?? .unlisted
    }
    switch end.end {
    case .advised, .skipped, .fault: return .unlisted
    case .passed: return entry.kind == .flaky ? .unlisted : .stale(entry)
    case let .failed(signature, rule):
      if !entry.describes(signature, rule) {
        return .different(entry, signature: signature, rule: rule)
      }
      return entry.until.map { today > $0 } == true ? .expired(entry) : .known(entry)
    }
  }

  /// The entry that lists a run. No two of them do: a reader refuses that.
  func entry(for scenario: String, in profile: String) -> KnownFailure? {
    entries.first { $0.lists(scenario, in: profile) }
  }

  /// Whether a run fails as it is listed, on whatever day.
  public func lists(_ end: RunEnd) -> Bool {
    guard case let .failed(signature, rule) = end.end else { return false }
    return entry(for: end.scenario, in: end.profile)?.describes(signature, rule) ?? false
  }

  /// A sentence for each entry that lists nothing any more, and for each that is about to expire.
  public func warnings(on today: CalendarDate) -> [Warning] {
    entries.compactMap { entry in
      if let mistake = entry.mismatch { return Warning(entry: entry, message: mistake) }
      guard let until = entry.until else { return nil }
      let days = today.days(until: until)
      guard (0...Self.daysOfWarning).contains(days) else { return nil }
      let time =
        days == 0 ? "which is today" : days == 1 ? "1 day from now" : "\(days) days from now"
      return Warning(
        entry: entry,
        message: "\(entry.scenario) is a known failure until \(until), \(time); fix it, or "
          + "agree on another date" + entry.reference)
    }
  }

  /// What is reported of an entry that will expire, or lists nothing.
  public struct Warning: Hashable, Sendable {
    /// The entry that is about to expire.
    public var entry: KnownFailure
    /// A sentence for people, such as the failure, its last day, the days left and the issue.
    public var message: String

    /// Pairs an entry with the sentence about it.
    public init(entry: KnownFailure, message: String) {
      self.entry = entry
      self.message = message
    }
  }
}

/// A failure that is known, and need not be looked at until a day.
public struct KnownFailure: Hashable, Sendable {
  /// Why a failure is listed; the raw value is the word in the file.
  public enum Kind: String, CaseIterable, Sendable {
    /// It will be corrected.
    case bug
    /// It stays as it is.
    case wontfix
    /// It comes and goes. Only for clients on a real clock: in virtual time the same seed gives the
    /// same run.
    case flaky
  }

  /// The scenarios that fail.
  public var scenario: Glob
  /// How many scenarios a pattern may match at most, where that is stated.
  public var maxCount: Int?
  /// The profiles in which they fail; empty for all.
  public var profiles: [String]
  /// The rule that the failure is about; nil for any.
  public var rule: String?
  /// What the failures have in common.
  public var signature: String
  /// Why the failure is listed, which decides what a pass means: only a flaky one may pass.
  public var kind: Kind
  /// Where it is written down; nil where the file does not say.
  public var issue: String?
  /// The last day on which it is known; nil for as long as it fails.
  public var until: CalendarDate?
  /// What else there is to say.
  public var note: String?
  /// Where it is listed.
  public var file: String
  /// Where in `file` the entry is.
  public var position: Position
  /// Why no scenario is listed, in a sentence; nil where there are some. It is not in the file.
  public var mismatch: String?
  /// The client that was run, as a command line names it: `-- python3 adapter.py`; empty where that
  /// is not known. It is not in the file.
  public var subject = ""
  /// The program as commands name it. It is not in the file.
  public var program = "kennel"

  /// Makes an entry from its parts, unchecked; the reader checks what a file says.
  public init(
    scenario: Glob, most: Int? = nil, profiles: [String] = [], rule: String? = nil,
    signature: String, kind: Kind, issue: String? = nil, until: CalendarDate? = nil,
    note: String? = nil,
    file: String, position: Position
  ) {
    self.scenario = scenario
    self.maxCount = most
    self.profiles = profiles
    self.rule = rule
    self.signature = signature
    self.kind = kind
    self.issue = issue
    self.until = until
    self.note = note
    self.file = file
    self.position = position
  }

  /// `FILE:LINE`, for messages.
  public var location: String { "\(file):\(position.line)" }

  /// The issue in brackets behind a blank, for the end of a sentence; empty without one.
  fileprivate var reference: String { issue.map { " (\($0))" } ?? "" }

  /// Whether a run is one of those that are listed here.
  public func lists(_ scenario: String, in profile: String) -> Bool {
    (profiles.isEmpty || profiles.contains(profile)) && self.scenario.matches(scenario)
  }

  /// Whether a failure with this signature, about this rule, is the one that is listed.
  func describes(_ signature: String, _ rule: String?) -> Bool {
    signature == self.signature && (self.rule == nil || rule == self.rule)
  }

  /// Whether it lists no scenario, and a run of one that is not listed fails as it says.
  func isRenamed(to end: RunEnd) -> Bool {
    guard mismatch != nil, case let .failed(signature, rule) = end.end else { return false }
    return describes(signature, rule) && (profiles.isEmpty || profiles.contains(end.profile))
  }

  /// Whether it lists a run of one of these scenarios, in any profile.
  public func lists(anyOf scenarios: [String]) -> Bool {
    scenarios.contains(where: scenario.matches)
  }
}

/// What a run came to, as far as known failures are concerned.
public struct RunEnd: Hashable, Sendable {
  /// How a run ended, reduced to what the list can match.
  public enum End: Hashable, Sendable {
    case passed
    /// It does not do all that a client should, which an entry may list and need not.
    case advised
    /// With its signature, and the rule that the failure is about.
    case failed(String, rule: String?)
    /// It was not judged.
    case skipped
    /// The kit could not run it, which is never known.
    case fault
  }

  /// The id of the scenario.
  public var scenario: String
  /// The name of the profile in which it ran.
  public var profile: String
  /// How the run ended.
  public var end: End

  /// Describes the end of the run of one scenario, by its id, in the named profile.
  public init(_ scenario: String, in profile: String, _ end: End) {
    self.scenario = scenario
    self.profile = profile
    self.end = end
  }
}

/// How a run compares with the list of known failures.
public enum KnownFailureStatus: Hashable, Sendable {
  /// It is not listed, or was not judged: its verdict says everything.
  case unlisted
  /// It fails as it is listed.
  case known(KnownFailure)
  /// It is listed, and passes.
  case stale(KnownFailure)
  /// It is listed, and fails in another way: with this signature, about this rule.
  case different(KnownFailure, signature: String, rule: String?)
  /// It fails as it is listed, but was to be corrected by now.
  case expired(KnownFailure)
  /// It is not listed, and fails as an entry of a scenario says that there is no more.
  case renamed(KnownFailure, to: String)

  /// The word for it in reports; `nil` when it is not listed.
  public var word: String? {
    switch self {
    case .unlisted: nil
    case .known: "known"
    case .stale: "stale"
    case .different: "different"
    case .expired: "expired"
    case .renamed: "renamed"
    }
  }

  /// The entry that lists it.
  public var entry: KnownFailure? {
    switch self {
    case .unlisted: nil
    case let .known(entry), let .stale(entry), let .different(entry, _, _), let .expired(entry),
      let .renamed(entry, _):
      entry
    }
  }

  /// What there is to say, in a sentence without a full stop.
  public var sentence: String? {
    switch self {
    case .unlisted: nil
    case let .known(entry):
      "known failure (\(entry.kind.rawValue))" + (entry.until.map { " until \($0)" } ?? "")
        + ((entry.issue ?? entry.note).map { ": \($0)" } ?? "")
    case let .stale(entry):
      "it passes, but \(entry.location) lists it as a known failure; remove it there, or run "
        + "'\(entry.update)'"
    case let .different(entry, signature, rule):
      if signature != entry.signature {
        "it fails with the signature \"\(signature)\", but \(entry.location) lists it with "
          + "\"\(entry.signature)\"; a signature is \(KnownFailure.signatureMeaning)"
      } else {
        "it fails with \(rule.map { "rule \($0)" } ?? "no rule"), but \(entry.location) lists it with "
          + "rule \(entry.rule ?? "")"
      }
    case let .expired(entry):
      "\(entry.location) listed it as a known failure"
        + (entry.until.map { " until \($0)" } ?? "") + "; fix it, or agree on another date"
        + entry.reference
    case let .renamed(entry, id):
      "\(entry.location) lists this failure for \(entry.scenario), which is no scenario any more; if that "
        + "has become \(id), write so there, or run '\(entry.update)'"
    }
  }
}

extension KnownFailure {
  /// The command that brings the entry up to date. A pattern is left out: it would need quotes; and so
  /// is what is no scenario.
  fileprivate var update: String {
    let pattern = scenario.isPattern || mismatch != nil ? "" : "\(scenario)"
    return [program, "known --update", file, pattern, subject].filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
