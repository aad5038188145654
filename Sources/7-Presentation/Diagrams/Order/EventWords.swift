internal import ClientInterface
package import Exploration
internal import Text
internal import Trace
internal import Tree

/// The words for what an application sees, for diagrams and sentences.
package struct EventWords {
  let label: String
  package let text: String

  /// How much of a key or a value is shown, in characters.
  private static let limit = 40

  /// `nil` for what no application sees, and for the success of calls without a name.
  init?(_ event: TraceEvent) {
    guard let appEvent = EventOrders.ApplicationEvent(event) else { return nil }
    self.init(appEvent)
  }

  package init(_ appEvent: EventOrders.ApplicationEvent) {
    label = appEvent.label
    text = Self.text(of: appEvent.kind)
  }

  /// `feed: child_added b = 2, after a`.
  var withListener: String { "\(label): \(text)" }

  private static func text(of kind: EventOrders.ApplicationEvent.Kind) -> String {
    switch kind {
    case let .event(event): text(of: event)
    case let .cancelled(error): "cancelled, \(error.name)"
    case let .ended(completion): text(of: completion)
    case let .threw(error): "refused at once, \(error.name)"
    }
  }

  private static func text(of completion: Completion) -> String {
    if let error = completion.error { return "fails, \(error.name)" }
    let value = shown((completion.value ?? .empty).description)
    switch completion.committed {
    case nil: return "done"
    case true?: return "committed \(value)"
    case false?: return "not committed \(value)"
    }
  }

  private static func text(of event: Event) -> String {
    "\(event.name(key: shown)) = \(shown(event.value.description))"
      + (event.type == .value ? "" : event.previous.clause(first: .brief, key: shown))
  }

  private static func shown(_ text: String) -> String {
    visible(Truncation.countedMiddle(of: text, retention: limit))
  }
}
