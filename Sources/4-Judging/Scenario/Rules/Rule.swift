/// One sentence that an implementation has to obey, and where we know it from.
public struct Rule: Sendable, Equatable {
  /// How binding a rule is.
  public enum Level: String, Sendable, CaseIterable {
    /// An implementation that does otherwise is wrong.
    case must = "MUST"
    /// An implementation may do otherwise for a stated reason.
    case should = "SHOULD"
    /// Both ways are right; the rule says which ways there are.
    case may = "MAY"
  }

  /// Whom a rule binds.
  public enum Party: String, Sendable, CaseIterable {
    /// Every client. What holds unless the rule states otherwise.
    case client
    /// The server alone; no client is ever failed for such a rule.
    case server
  }

  /// What shows that the reference client and the reference server obey a rule.
  public enum Proof: String, Sendable, CaseIterable {
    /// Scenarios that cite it. What holds unless the rule states otherwise.
    case scenarios
    /// Values with known results, computed by another implementation.
    case vectors
    /// A unit test.
    case unit
    /// Recordings of other clients.
    case recordings
    /// A test with a client outside the process.
    case adapter
  }

  /// The names of the profiles, the product lines whose behaviour is specified.
  public static let profileNames = ["wilddog-1", "wilddog-2", "firebase"]

  /// The immutable name by which scenarios and reports cite the rule, such as `EVT-7`.
  public let id: RuleID

  /// The few words after the id in the heading.
  public let title: String

  /// How far an implementation may do otherwise.
  public let level: Level

  /// Whom the rule binds.
  public let binds: Party

  /// The profiles that the rule holds for; empty means every profile.
  public let profiles: [String]

  /// The profiles in which a MUST is SHOULD: what the rule is known from is nothing of theirs.
  public let advisedIn: [String]

  /// Where the rule is known from, as written: document and heading, recordings, a decision.
  public let source: String

  /// What profiles do differently, one `PROFILE: what` each, in the order of the file.
  public let differs: [String]

  /// Where the rule is tested. Scenarios may cite it in any case.
  public let tested: Proof

  /// The rule itself. A line break separates paragraphs and list items, never words of a sentence.
  public let text: String

  /// The name of the file as it was given to the parser.
  public let file: String

  /// The line of the heading, from 1.
  public let line: Int

  /// What holds for a profile in which the rule does not hold, or not as it is written; `nil` when
  /// nothing is said of it.
  public func difference(in profile: String) -> String? {
    let prefix = profile + ": "
    return differs.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }

  /// How far an implementation of `profile` may do otherwise.
  public func level(in profile: String) -> Level {
    level == .must && advisedIn.contains(profile) ? .should : level
  }

  /// Whether the rule binds implementations of `profile`.
  public func holds(for profile: String) -> Bool {
    profiles.isEmpty || profiles.contains(profile)
  }
}
