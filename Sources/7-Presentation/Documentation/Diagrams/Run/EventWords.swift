internal import ClientInterface
internal import Document
package import Search
internal import Trace
internal import Tree
internal import Wire

extension TraceEvent {
  var transit: MessageTransit? { kind.transit }

  /// Whether a message leaves here.
  var isSending: Bool { transit?.moment == .leaves }

  /// Whether a message ends here that never arrives.
  var isLoss: Bool { transit?.moment == .isLost }

  /// Whether something arrives here that left somewhere else: a message, or a request for a
  /// connection.
  var isArrival: Bool {
    if case .serverOpened = kind { true } else { transit?.moment == .arrives }
  }

  var isFault: Bool {
    if case .fault = kind { true } else { false }
  }

  var isRequestForConnection: Bool {
    switch kind {
    case .output(_, .connect), .output(_, .connectTo): true
    default: false
    }
  }

  /// Whether a listener receives something.
  var isRaised: Bool { kind.listener != nil }

  /// What happened in a few words, for a label; `nil` for what a picture shows without words.
  var label: String? {
    switch kind {
    case .output(_, .connect), .output(_, .connectTo): "connect"
    case let .output(_, .event(event)): event.label
    case .input(_, .opened), .serverOpened: nil
    default: tight(text)
    }
  }

  /// Everything that is known about it, for those who look closer.
  func details(clients: [String]) -> String {
    let payload = kind.payload.map { "\n" + Truncation.middle(of: $0, toBytes: 2000) } ?? ""
    return "#\(sequence)  \(time.shortText)  \(route(names: clients))  \(tight(text))"
      + payload
  }
}

/// The phrases of events have columns; a label has no room for them.
private func tight(_ text: String) -> String {
  text.replacing("   request ", with: " #").replacing("   ", with: "  ")
}

extension Event {
  /// `feed child_added b = 2, after a`
  fileprivate var label: String {
    let text = Truncation.middle(of: value.description, toBytes: 400)
    let words = "\(listener.name): \(name)"
    return words + (type == .value ? " " : " = ") + text + previous.clause(first: .brief)
  }
}

extension TraceEvent.Kind {
  /// The whole value that an event carries, of which its text may show a part.
  fileprivate var payload: String? {
    switch self {
    case let .output(_, .event(event)): event.value.description
    case let .input(_, .call(_, operation)): operation.payload
    case let .output(_, .completed(_, completion)): completion.value?.description
    case let .serverWrite(_, node): node.description
    default: transit?.payload
    }
  }
}

extension MessageTransit {
  /// The data in a message that arrives.
  fileprivate var payload: String? {
    if moment == .isLost { return nil }
    switch content {
    case let .toServer(.request(_, .put(_, node, _))), let .toClient(.put(_, node, _)):
      return node.description
    case let .toServer(.request(_, .merge(_, assignments, _))),
      let .toClient(.merge(_, assignments, _)):
      return assignments.json.text
    default: return nil
    }
  }
}

extension Operation {
  fileprivate var payload: String? {
    let given = arguments
    return given.value?.description ?? given.changes?.json.text
  }
}

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
