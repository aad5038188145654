public import Document
public import Scenario

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
  /// Where it is written down.
  public var issue: String
  /// The last day on which it is known.
  public var until: CalendarDate
  /// What else there is to say.
  public var note: String?
  /// Where it is listed.
  public var file: String
  /// Where in `file` the entry is.
  public var position: Position
  /// The client that was run, as a command line names it: `-- python3 adapter.py`; empty where that
  /// is not known. It is not in the file.
  public var subject = ""
  /// The program as commands name it. It is not in the file.
  public var program = "kennel"

  /// Makes an entry from its parts, unchecked; the reader checks what a file says.
  public init(
    scenario: Glob, most: Int? = nil, profiles: [String] = [], rule: String? = nil,
    signature: String, kind: Kind, issue: String, until: CalendarDate, note: String? = nil,
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

  /// Whether a run is one of those that are listed here.
  public func lists(_ scenario: String, in profile: String) -> Bool {
    (profiles.isEmpty || profiles.contains(profile)) && self.scenario.matches(scenario)
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
