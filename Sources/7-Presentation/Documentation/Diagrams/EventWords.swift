internal import ClientInterface
internal import Exploration
internal import Trace
internal import Tree

/// The words for what an application sees, for diagrams and sentences.
struct EventWords {
  let label: String
  let text: String

  /// `nil` for what no application sees, and for the success of calls without a name.
  init?(_ event: TraceEvent) {
    guard let sight = EventOrders.Sight(event) else { return nil }
    self.init(sight)
  }

  init(_ sight: EventOrders.Sight) {
    label = sight.label
    text = Self.text(of: sight.kind)
  }

  /// `feed: child_added b = 2, after a`.
  var withListener: String { "\(label): \(text)" }

  private static func text(of kind: EventOrders.Sight.Kind) -> String {
    switch kind {
    case let .event(event): text(of: event)
    case let .cancelled(error): "cancelled, \(error.name)"
    case let .ended(completion): text(of: completion)
    case let .threw(error): "refused at once, \(error.name)"
    }
  }

  static func text(of completion: Completion) -> String {
    if let error = completion.error { return "fails, \(error.name)" }
    let value = Shown.value(completion.value ?? .empty, limit: Shown.labelLimit)
    switch completion.committed {
    case nil: return "done"
    case true?: return "committed \(value)"
    case false?: return "not committed \(value)"
    }
  }

  private static func text(of event: Event) -> String {
    func shown(_ key: String) -> String { Shown.key(key, limit: Shown.labelLimit) }
    return "\(event.name(key: shown)) = \(Shown.value(event.value, limit: Shown.labelLimit))"
      + (event.type == .value ? "" : event.previous.clause(first: .brief, key: shown))
  }
}
