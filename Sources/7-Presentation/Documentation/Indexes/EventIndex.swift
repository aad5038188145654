internal import ClientInterface
internal import Conformance
internal import Trace
internal import Wire

/// When each kind of event is raised, by what the client was given when it raised it.
struct EventIndex {
  private let entries: [DocumentedScenario]

  init(_ entries: [DocumentedScenario]) {
    self.entries = entries
  }

  private static let kinds: [(name: String, meaning: String)] = [
    ("value", "Everything that a query shows, after all child events of a change."),
    ("child_added", "A child is in the window that was not there before."),
    ("child_changed", "A child has another value than before."),
    ("child_moved", "A child has another ordering value than before."),
    ("child_removed", "A child is no longer in the window."),
    ("cancelled", "The server has ended the listener."),
  ]

  private static let situations = [
    "Within the call that registers the listener", "Within another call of the application",
    "With data from the server", "With the server's answer to a request", "At another moment",
  ]

  var page: DocumentationPage {
    var events: [String: Groups] = [:]
    for entry in entries {
      for profileRun in entry.accounts {
        for (kind, situation) in Self.raised(in: profileRun.result.trace) {
          events[kind, default: Groups()].add(entry.link, to: Self.situations[situation])
        }
      }
    }
    var blocks: [Block] = [.paragraph([.text("When each kind of event is raised.")])]
    for (name, meaning) in Self.kinds {
      guard let groups = events[name] else { continue }
      blocks.append(.heading(2, [.code(name)], anchor: name))
      blocks.append(.paragraph([.text(meaning)]))
      for situation in Self.situations where groups.names.contains(situation) {
        blocks += [
          .heading(3, [.text(situation)]), .list(groups.items(of: situation)),
        ]
      }
    }
    return DocumentationPage(.events, title: "By event", blocks)
  }

  private static func raised(in trace: Trace) -> [(kind: String, situation: Int)] {
    trace.events.compactMap { event in
      guard event.step >= 1, case let .output(_, output) = event.kind else { return nil }
      let kind: String
      switch output {
      case let .event(raised): kind = raised.type.rawValue
      case .cancelled: kind = "cancelled"
      default: return nil
      }
      let cause = event.cause.flatMap { trace.events.indices.contains($0) ? trace.events[$0] : nil }
      return (kind, situation(of: cause))
    }
  }

  private static func situation(of cause: TraceEvent?) -> Int {
    guard case let .input(_, input)? = cause?.kind else { return 4 }
    switch input {
    case .call(_, .listen), .call(_, .once), .call(_, .get): return 0
    case .call: return 1
    case .frame(.put), .frame(.merge): return 2
    case .frame(.response): return 3
    case .frame, .open, .opened, .refused, .closed, .timer, .close: return 4
    }
  }
}
