package import ClientInterface
package import RunModel
package import Scenario
internal import Trace
internal import Tree
internal import Wire

/// An invariant that does not hold, with what shows it.
package struct InvariantViolation {
  package var invariant: Invariant
  package var about: About
  /// The event of the trace that shows it; `nil` when something did not happen.
  package var evidence: Int?
  /// What was observed and what should have been, as one sentence.
  package var sentence: String
  /// What distinguishes it from others of the same invariant, as words of a signature.
  package var details: [String] = []

  package enum About: Hashable {
    case listener(ClientIndex, ListenerID, Operation.Target)
    case call(ClientIndex, CallID, Operation)
    case client(ClientIndex)
    case server
  }
}

/// Something that no client, or no server, may do on a connection.
package struct WireBreach {
  package let client: ClientIndex
  package let finding: WireFinding
  /// The event of the trace.
  package let sequence: Int
}

/// What laws and the monitor of the wire have said: each invariant is reported once for each listener,
/// call or client, and each check of the wire once for each client.
struct Findings {
  let profile: Profile
  /// Whether laws are asked. Messages are judged anyway.
  var judgesLaws = true
  /// What was found broken since it was last asked for: by the laws, and by the monitor of the wire.
  private var violations: [InvariantViolation] = []
  private var wireViolations: [InvariantViolation] = []
  /// What was found on the wire whatever else is wrong, since it was last asked for.
  private var breaches: [WireBreach] = []
  private(set) var doubts = Doubts()
  private var reported: Set<Reported> = []

  private enum Reported: Hashable {
    case invariant(Int, InvariantViolation.About)
    case check(WireCheck, ClientIndex)
  }

  init(_ profile: Profile) { self.profile = profile }

  mutating func takeViolations() -> [InvariantViolation] {
    if wireViolations.isEmpty, violations.isEmpty { return [] }
    defer { (wireViolations, violations) = ([], []) }
    return wireViolations + violations
  }

  mutating func takeBreaches() -> [WireBreach] {
    if breaches.isEmpty { return [] }
    defer { breaches = [] }
    return breaches
  }

  // MARK: Laws

  /// - Returns: Whether one of the laws is violated.
  @discardableResult
  mutating func judge<Occasion>(_ laws: [Law<Occasion>], _ occasion: Occasion) -> Bool {
    guard judgesLaws else { return false }
    var isBroken = false
    for index in laws.indices {
      let judgement = laws[index].check(occasion)
      // Nearly always: then the law itself need not be copied.
      if case .holds = judgement { continue }
      isBroken = add(judgement, of: laws[index].invariant) || isBroken
    }
    return isBroken
  }

  /// - Returns: Whether the law is violated.
  @discardableResult
  mutating func judge<Occasion>(_ law: borrowing Law<Occasion>, _ occasion: Occasion) -> Bool {
    guard judgesLaws else { return false }
    let judgement = law.check(occasion)
    if case .holds = judgement { return false }
    return add(judgement, of: law.invariant)
  }

  /// - Returns: Whether the invariant is violated.
  @discardableResult
  mutating func add(_ judgement: Judgement, of invariant: Invariant) -> Bool {
    switch judgement {
    case .holds: return false
    case let .unknown(doubt):
      doubts.add(doubt, of: invariant)
      return false
    case let .violated(found):
      for violation in found
      where reported.insert(.invariant(invariant.number, violation.about)).inserted {
        violations.append(
          InvariantViolation(
            invariant: invariant, about: violation.about, evidence: violation.evidence,
            sentence: violation.sentence, details: violation.details))
      }
      return !found.isEmpty
    }
  }

  // MARK: The wire

  /// Adds what is wrong with a message, but for what is only advisable.
  mutating func add(_ found: [WireFinding], of client: ClientIndex, at sequence: Int) {
    for finding in found
    where isJudged(finding.check)
      && reported.insert(.check(finding.check, client)).inserted
    {
      let invariant = finding.check.invariant
      if let invariant {
        wireViolations.append(
          InvariantViolation(
            invariant: invariant, about: .client(client), evidence: sequence,
            sentence: finding.text))
      }
      if invariant == nil || finding.check == .helloComesFirst {
        breaches.append(WireBreach(client: client, finding: finding, sequence: sequence))
      }
    }
  }

  /// Whether a check is judged in this profile. The documents of the first edition say nothing
  /// of names that overlap (WRT-25).
  private func isJudged(_ check: WireCheck) -> Bool {
    !check.isNote && (check != .apart || profile != .wilddog1)
  }
}

extension WireCheck {
  /// The invariant that states the same.
  fileprivate var invariant: Invariant? {
    switch self {
    case .helloComesFirst: .helloComesFirst
    case .numbered: .numbered
    case .listensOnce, .tagOnce: .listensOnce
    case .takesBackOwn, .takesBackTag: .takesBackOwn
    default: nil
    }
  }
}
