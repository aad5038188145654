internal import ClientInterface
public import Faults
internal import Wire

/// The faults that a step consists of in a run, and what they wait for.
public struct StepFaults: Hashable, Sendable {
  /// Empty where the step is none; one that concerns every client is one for each.
  public var faults: [IndexedFault]
  /// `nil` for at once.
  public var trigger: Trigger?

  /// What a step is for clients with these names; faults call each by its position among them.
  public init(_ step: Step, of clients: [String]) {
    func index(_ name: String) -> ClientIndex? {
      clients.firstIndex(of: name).map { ClientIndex($0) }
    }
    faults = step.action.fault?.resolved(for: clients.indices, index) ?? []
    trigger = step.trigger?.resolved(index)
  }
}

extension Step.Trigger {
  fileprivate func resolved(_ index: (String) -> ClientIndex?) -> Trigger? {
    switch self {
    case let .after(interval): return .after(interval)
    case let .messages(count, direction, client):
      return index(client).map { .count(count, $0, direction) }
    case let .frame(frame):
      guard let kind = frame.awaited else { return nil }
      let edge = frame.edge == .before ? Trigger.Edge.before : .after
      return .message(kind, of: frame.client.flatMap(index), nth: frame.count, edge)
    }
  }
}

extension Step.Trigger.Frame {
  fileprivate var awaited: Trigger.Frame? {
    switch kind {
    case "hello": .hello
    case "data": .data
    case "answer": .answer(nil)
    case "acknowledgement": .acknowledgement
    case "revoke": .revoked
    case "revoke-auth": .credentialRevoked
    case "redirect": .reset
    case "shutdown": .shutdown
    default: Request.Action(rawValue: kind).map { .request($0) }
    }
  }
}
