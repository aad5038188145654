import ClientInterface
import Scenario

// The arguments of operations by the names that scenarios give them.

extension Operation.Kind {
  /// The keys that must be there.
  var requiredKeys: [String] { parameters.flatMap(\.requiredKeys) }

  /// All keys, in the order in which they are reported.
  var keys: [String] {
    // What a listener receives stands before what it receives it of.
    let ordered =
      parameters.filter { $0 != .query && $0 != .synchronization }
      + parameters.filter { $0 == .query || $0 == .synchronization }
    return ordered.flatMap(\.keys) + (isNameable ? ["as"] : [])
  }
}

extension Operation.Parameter {
  fileprivate var requiredKeys: [String] {
    switch self {
    case .path: ["path"]
    case .value, .changes: ["value"]
    case .priority: ["priority"]
    case .function: ["update"]
    case .token: ["token"]
    case .inspection: ["ask", "as"]
    case .reaction: ["do"]
    case .listener, .query, .events, .event, .localEvents, .synchronization, .optionalPath,
      .optionalValue:
      []
    }
  }

  fileprivate var keys: [String] {
    switch self {
    // It has the name that `as` gives to the call.
    case .listener: []
    case .path, .optionalPath: ["path"]
    case .query: ["query"]
    case .events: ["event", "events"]
    case .event: ["event"]
    case .value: ["value", "priority"]
    case .changes, .optionalValue: ["value"]
    case .priority: ["priority"]
    case .function: ["update"]
    case .localEvents: ["localEvents"]
    case .synchronization: ["on"]
    case .token: ["token"]
    case .inspection: Reading.inspectionKeys
    case .reaction: Reading.callbackKeys + ["event", "nth", "do"]
    }
  }
}
