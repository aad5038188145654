public import Trace

/// What came out of running one scenario in one profile.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
  /// Everything that was expected happened, and nothing else.
  case pass
  /// Nothing was otherwise but what a client should do, or may: SHOULD and MAY in the rules.
  case advice
  /// The client did something else than the specification says.
  case fail
  /// The scenario needs something that the client says it does not have, or is not for this
  /// profile.
  case unsupported
  /// It is unknown. Never in virtual time.
  case inconclusive
  /// The client ended in the middle of the run.
  case crash
  /// The client did not answer an input.
  case hang
  /// The client is behind an adapter that does not keep to its protocol.
  case brokenProtocol = "broken-protocol"
  /// Two runs with the same seed differed.
  case nondeterministic
  /// Nothing in the scenario could have failed.
  case vacuous
  /// The kit itself could not run the scenario.
  case kitError = "kit-error"
}

extension Verdict {
  /// How the last line of a run counts scenarios.
  public enum Count: Hashable, Sendable {
    case passed
    case failed
    case skipped
  }

  /// What could not be judged is skipped; everything else that is no pass is a failure.
  public var count: Count {
    switch self {
    case .pass, .advice: .passed
    case .fail, .crash, .hang, .brokenProtocol, .nondeterministic, .vacuous, .kitError: .failed
    case .unsupported, .inconclusive: .skipped
    }
  }
}

extension Tally {
  /// Counts each of the verdicts as passed, failed or skipped; O(*n*) in their number.
  public init(_ verdicts: some Sequence<Verdict>) {
    self.init()
    for verdict in verdicts { add(verdict.count) }
  }

  /// Counts `number` more runs.
  public mutating func add(_ kind: Verdict.Count, _ number: Int = 1) {
    switch kind {
    case .passed: passed += number
    case .failed: failed += number
    case .skipped: skipped += number
    }
  }
}
