internal import Scenario

/// What each fault does.
struct FaultIndex {
  private let entries: [Entry]

  init(_ entries: [Entry]) {
    self.entries = entries
  }

  var page: Page {
    var groups = Groups()
    for entry in entries {
      for action in entry.scenario.actions {
        if let name = action.faultName { groups.add(entry.link, to: name) }
      }
    }
    var blocks: [Block] = [
      .paragraph([.text("What happens when something goes wrong, by the step that makes it so.")])
    ]
    for name in groups.names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      blocks += [.heading(2, [.code(name)], anchor: name), .list(groups.items(of: name))]
    }
    return Page(.faults, title: "By fault", blocks)
  }
}

extension Action {
  /// The name of the step of a fault, without the client; `nil` for all others.
  fileprivate var faultName: String? {
    switch system {
    case let .process(action): action.faultName
    case let .network(action): "network." + action.faultName
    case let .server(action): action.faultName.map { "server." + $0 }
    case nil: nil
    }
  }
}

extension ProcessAction {
  fileprivate var faultName: String? {
    switch self {
    case .kill: "kill"
    case .start: nil
    case .clock: "clock"
    case .storage: "storage"
    }
  }
}

extension NetworkAction {
  fileprivate var faultName: String {
    switch self {
    case .cut: "cut"
    case .drop: "drop"
    case .heal: "heal"
    case .refuse: "refuse"
    case .latency: "latency"
    case .stall: "stall"
    case .resume: "resume"
    case .halfOpen: "half-open"
    case .closeAfter: "close-after"
    case .loseAcknowledgement: "lose-acknowledgement"
    case .lateClose: "late-close"
    }
  }
}

extension ServerAction {
  /// `nil` for writes.
  fileprivate var faultName: String? {
    switch self {
    case .set, .update, .remove: nil
    case .reject: "reject"
    case .revoke: "revoke"
    case .revokeCredential: "revoke-auth"
    case .restart: "restart"
    case .redirect: "redirect"
    case .shutdown: "shutdown"
    case .clock: "clock"
    case .stale: "stale-hash"
    }
  }
}
