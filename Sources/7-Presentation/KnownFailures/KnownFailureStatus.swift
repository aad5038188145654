internal import Scenario

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
}

extension KnownFailureStatus {
  /// The word for it in reports; `nil` when it is not listed.
  public var word: String? {
    switch self {
    case .unlisted: nil
    case .known: "known"
    case .stale: "stale"
    case .different: "different"
    case .expired: "expired"
    }
  }

  /// The entry that lists it.
  public var entry: KnownFailure? {
    switch self {
    case .unlisted: nil
    case let .known(entry), let .stale(entry), let .different(entry, _, _), let .expired(entry):
      entry
    }
  }

  /// What there is to say, in a sentence without a full stop.
  public var sentence: String? {
    switch self {
    case .unlisted: nil
    case let .known(entry):
      "known failure (\(entry.kind.rawValue)) until \(entry.until): \(entry.issue)"
    case let .stale(entry):
      "it passes, but \(entry.location) lists it as a known failure; remove it there, or run "
        + "'\(entry.update)'"
    case let .different(entry, signature, rule):
      if signature != entry.signature {
        "it fails with the signature \"\(signature)\", but \(entry.location) lists it with "
          + "\"\(entry.signature)\""
      } else {
        "it fails with \(rule.map { "rule \($0)" } ?? "no rule"), but \(entry.location) lists it with "
          + "rule \(entry.rule ?? "")"
      }
    case let .expired(entry):
      "\(entry.location) listed it as a known failure until \(entry.until); fix it, or agree on "
        + "another date (\(entry.issue))"
    }
  }
}

extension KnownFailure {
  /// The command that brings the entry up to date. A pattern is left out: it would need quotes.
  fileprivate var update: String {
    let pattern = scenario.isPattern ? "" : "\(scenario)"
    return [program, "known --update", file, pattern, subject].filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
