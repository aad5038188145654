internal import ClientInterface
internal import Faults
public import Scenario
internal import Trace
internal import Tree

extension Scenario {
  /// Why the scenario cannot be run with clients that have a clock of their own, as a sentence
  /// without its full stop; `nil` when it can.
  ///
  /// - Parameters:
  ///   - settings: How such runs are made.
  ///   - canEndProcesses: Whether the process of a client can be ended and started.
  ///   - testsServer: Whether a server is tested, which has invariants of its own.
  /// - Returns: The reason.
  public func realClockUnsupportedReason(
    _ settings: RealClockSettings, canEndProcesses: Bool, testsServer: Bool = false
  ) -> String? {
    if judging == .invariants, !testsServer { return "it is judged by invariants alone" }
    if choices != nil { return "it states choices, which cannot be imposed on real clients" }
    if let fixedOrder {
      return "it holds only in the order that virtual time gives (\(fixedOrder))"
    }
    if start == .opening {
      return "it begins while clients connect, which a real clock cannot time"
    }
    for step in steps.flatMap(\.parts) {
      if let reason = step.realClockUnsupportedReason(canEndProcesses: canEndProcesses) {
        return reason
      }
    }
    if steps.compactMap(\.expectation).contains(where: \.statesTime) {
      return "it states a time of the virtual clock"
    }
    if latency.standard == .zero...(.zero), capabilities.contains("server-values") {
      return "what a real client estimates of the server's time is never exact"
    }
    let length = steps.reduce(Interval.zero) { $0 + $1.duration }
    guard length <= settings.longest else {
      return "it waits for \(length.text) in all, and at most \(settings.longest.text) are allowed "
        + "(--longest)"
    }
    return nil
  }
}

extension Expectation {
  /// Whether the value of an event is to lie behind a moment, in milliseconds since 1970.
  fileprivate var statesTime: Bool {
    listeners.flatMap(\.items).contains { item in
      guard case let .event(event) = item, case let .all(patterns)? = event.value else {
        return false
      }
      return patterns.contains { if case let .gte(bound) = $0 { bound > 1e12 } else { false } }
    }
  }
}

extension Step {
  func realClockUnsupportedReason(canEndProcesses: Bool) -> String? {
    guard let fault = action.fault else { return action.call?.operation.realClockUnsupportedReason }
    return fault.realClockUnsupportedReason(canEndProcesses, isArmed: trigger != nil)
  }
}

extension ClientInterface.Operation {
  fileprivate var realClockUnsupportedReason: String? {
    if case let .inspect(inspection) = self {
      if case .address = inspection.subject { return Self.ownAddress }
      return ["url", "description"].contains(inspection.question) ? Self.ownAddress : nil
    }
    guard let path = registration?.target.path else { return nil }
    guard path.keys.map(\.string) == [".info", "serverTimeOffset"] else { return nil }
    return "what a real client measures of the server's clock is another number each time"
  }
}

extension ClientInterface.Operation {
  fileprivate static let ownAddress =
    "it knows the address of the server, which is another one each time"
}

extension NamedFault {
  private static var ownStorage: String { "a real client has storage of its own" }

  fileprivate func realClockUnsupportedReason(_ canEndProcesses: Bool, isArmed: Bool) -> String? {
    switch kind.live {
    case .ownProcess:
      if isArmed { return "the process of a real client cannot be ended at an exact moment" }
      guard canEndProcesses else {
        return "the adapter cannot end the process of a client (it does not declare \"kill\")"
      }
      if case let .start(_, condition) = self, condition != .kept { return Self.ownStorage }
      return nil
    case .ownClock: return "a real client reads the clock of its machine"
    case .ownStorage: return Self.ownStorage
    case .possible: break
    }
    switch self {
    case .halfOpen(_, .neither), .halfOpen(_, .server):
      return "a real client notices a half-open connection when it likes"
    case .redirect: return "there is no other host to send a real client to"
    case .serverClock:
      return "what real clients measure of the server's clock is another number each time"
    default: return nil
    }
  }
}
