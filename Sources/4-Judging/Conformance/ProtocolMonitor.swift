internal import ClientInterface
import Invariants
internal import Scenario
internal import Trace
internal import Wire
internal import WireMonitor

/// Judges what the clients of a run send and receive with the wire monitor, whatever the scenario
/// expects. Each check is reported once for each client; what is only advisable is left
/// out.
struct ProtocolMonitor {
  private var monitors: [WireMonitor]
  private let profile: Profile
  private var reported: Set<Reported> = []
  /// What was found of checks that are invariants as well.
  private var findings: [InvariantViolation] = []

  private struct Reported: Hashable {
    var client: ClientIndex
    var check: Int
  }

  /// Something that no client, or no server, may do on a connection.
  struct Breach {
    var client: ClientIndex
    var finding: WireFinding
  }

  init(clients count: Int, profile: Profile) {
    self.profile = profile
    monitors = Array(repeating: Self.monitor(profile), count: count)
  }

  private static func monitor(_ profile: Profile) -> WireMonitor {
    WireMonitor(profile.dialect, seenBy: .client, reportsAdvice: false)
  }

  /// Takes one event of the trace, in order.
  ///
  /// - Returns: What is reported whatever else is wrong.
  mutating func observe(_ event: UnsafePointer<TraceEvent>) -> [Breach] {
    let found: [WireFinding]
    let whose: ClientIndex
    let now = Instant(nanoseconds: event.pointee.time.nanoseconds)
    switch event.pointee.kind {
    case let .input(client, input):
      whose = client
      found = take(input, of: client.number, at: now)
    case let .output(client, output):
      whose = client
      found = take(output, of: client.number, at: now)
    default: return []
    }
    if found.isEmpty { return [] }
    return classify(found, of: whose, at: event.pointee.sequence)
  }

  /// Hands out what broke an invariant since the last call.
  mutating func takeFindings() -> [InvariantViolation] {
    if findings.isEmpty { return [] }
    defer { findings = [] }
    return findings
  }

  private mutating func take(
    _ input: ClientInput, of client: Int, at now: Instant
  ) -> [WireFinding] {
    switch input {
    case .open:
      monitors[client] = Self.monitor(profile)
      return []
    case .opened:
      monitors[client].opened()
      return []
    case let .frame(message): return monitors[client].received(message, at: now)
    case .closed, .refused, .close: return monitors[client].ended(at: now)
    case .call, .timer:
      monitors[client].interrupted()
      return []
    }
  }

  private mutating func take(
    _ output: ClientOutput, of client: Int, at now: Instant
  ) -> [WireFinding] {
    switch output {
    case .connect, .connectTo: return monitors[client].connecting()
    case .disconnect: return monitors[client].ended(at: now)
    case let .send(message): return monitors[client].sent(message, at: now)
    case .setTimer, .cancelTimer, .event, .cancelled, .completed, .answered, .threw, .updateRan,
      .calling, .returned, .store, .erase, .uncaught, .log:
      return []
    }
  }

  private mutating func classify(
    _ found: [WireFinding], of client: ClientIndex, at sequence: Int
  ) -> [Breach] {
    var breaches: [Breach] = []
    for finding in found where isJudged(finding.check) {
      guard reported.insert(Reported(client: client, check: finding.check.number)).inserted else {
        continue
      }
      let invariant = finding.check.invariant
      if let invariant {
        findings.append(InvariantViolation(invariant, .client(client), at: sequence, finding.text))
      }
      if invariant == nil || finding.check == .helloComesFirst {
        breaches.append(Breach(client: client, finding: finding))
      }
    }
    return breaches
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
