internal import ClientInterface
internal import Conformance
internal import Trace
internal import Wire

/// When each kind of event is raised, by what the client was given when it raised it.
struct EventIndex {
  private let entries: [Entry]

  init(_ entries: [Entry]) {
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

  private static let occasions = [
    "Within the call that registers the listener", "Within another call of the application",
    "With data from the server", "With the server's answer to a request", "At another moment",
  ]

  var page: Page {
    var events: [String: Groups] = [:]
    for entry in entries {
      for account in entry.accounts {
        for (kind, occasion) in Self.raised(in: account.result.trace) {
          events[kind, default: Groups()].add(entry.link, to: Self.occasions[occasion])
        }
      }
    }
    var blocks: [Block] = [.paragraph([.text("When each kind of event is raised.")])]
    for (name, meaning) in Self.kinds {
      guard let groups = events[name] else { continue }
      blocks.append(.heading(2, [.code(name)], anchor: name))
      blocks.append(.paragraph([.text(meaning)]))
      for occasion in Self.occasions where groups.names.contains(occasion) {
        blocks += [
          .heading(3, [.text(occasion)]), .list(groups.items(of: occasion)),
        ]
      }
    }
    return Page(.events, title: "By event", blocks)
  }

  private static func raised(in trace: Trace) -> [(kind: String, occasion: Int)] {
    trace.events.compactMap { event in
      guard event.step >= 1, case let .output(_, output) = event.kind else { return nil }
      let kind: String
      switch output {
      case let .event(raised): kind = raised.type.rawValue
      case .cancelled: kind = "cancelled"
      default: return nil
      }
      let cause = event.cause.flatMap { trace.events.indices.contains($0) ? trace.events[$0] : nil }
      return (kind, occasion(of: cause))
    }
  }

  private static func occasion(of cause: TraceEvent?) -> Int {
    guard case let .input(_, input)? = cause?.kind else { return 4 }
    switch input {
    case .call(_, .listen), .call(_, .once): return 0
    case .call: return 1
    case .frame(.put), .frame(.merge): return 2
    case .frame(.response): return 3
    case .frame, .open, .opened, .refused, .closed, .timer, .close: return 4
    }
  }
}
