internal import ClientInterface
internal import Text
internal import Trace
internal import Tree
internal import Wire

extension TraceEvent {
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
    let words = "\(listener.name): \(name())"
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
