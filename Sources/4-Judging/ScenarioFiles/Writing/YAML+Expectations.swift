internal import ClientInterface
internal import Document
import Scenario
internal import Tree

extension YAML {
  static func expectation(_ expectation: Expectation) -> YAML {
    var entries = entries(of: expectation, beside: nil)
    if !expectation.alternatives.isEmpty {
      let alternatives = expectation.alternatives.map { alternative in
        YAML.mapping(self.entries(of: alternative, beside: expectation))
      }
      entries.append(Entry("one-of", .list(alternatives, .block)))
    }
    return .mapping(entries, .single)
  }

  /// What an expectation contains; of an alternative, what it contains in addition to the `common`
  /// part, which every alternative begins with.
  private static func entries(
    of expectation: Expectation, beside common: Expectation?
  ) -> [Entry] {
    let listeners = expectation.listeners.dropFirst(common?.listeners.count ?? 0)
    let outcomes = expectation.outcomes.dropFirst(common?.outcomes.count ?? 0)
    let frames = expectation.frames.dropFirst(common?.frames.count ?? 0)
    let order = expectation.order.dropFirst(common?.order.count ?? 0)
    // In the order of the file, since a name must be given before it is used.
    var entries = (listeners.map(entry) + outcomes.map(entry)).enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element.entry)
    if !expectation.rules.isEmpty, common == nil {
      entries.insert(Entry("rules", .words(expectation.rules.map(\.id))), at: 0)
    }
    if let server = expectation.server, common?.server == nil {
      entries.append(Entry("server", .pattern(server)))
    }
    if !frames.isEmpty { entries.append(Entry("frames", .frames(Array(frames)))) }
    if !order.isEmpty {
      let texts = order.map { constraint in
        [constraint.first, constraint.second].map { name($0, in: expectation) }
          .joined(separator: " < ")
      }
      entries.append(Entry("order", .words(texts)))
    }
    if expectation.isConverged, common?.isConverged != true {
      entries.append(Entry("converged", .word("true")))
    }
    return entries
  }

  private static func entry(
    _ expected: ListenerExpectation
  ) -> (position: Position, entry: Entry) {
    let key = "\(expected.client).\(expected.listener.name)"
    return (expected.position, Entry(key, .listener(expected)))
  }

  private static func entry(
    _ expected: OutcomeExpectation
  ) -> (position: Position, entry: Entry) {
    (expected.position, Entry("\(expected.client).\(expected.call.name)", .outcome(expected)))
  }

  /// Without the client where only one has that label.
  private static func name(
    _ moment: OrderConstraint.Moment, in expectation: Expectation
  ) -> String {
    let labels =
      expectation.listeners.map(\.listener.name) + expectation.outcomes.map(\.call.name)
    let isAlone = labels.filter { $0 == moment.label }.count == 1
    return isAlone ? String(moment.description.dropFirst(moment.client.count + 1)) : "\(moment)"
  }

  /// `{CLIENT: {KIND: COUNT}}`.
  private static func frames(_ frames: [FrameExpectation]) -> YAML {
    var clients: [(name: String, counts: [Entry])] = []
    for frame in frames {
      let count = Entry(frame.kind, .word("\(frame.count)"))
      if let index = clients.firstIndex(where: { $0.name == frame.client }) {
        clients[index].counts.append(count)
      } else {
        clients.append((frame.client, [count]))
      }
    }
    return .mapping(clients.map { Entry($0.name, .mapping($0.counts)) })
  }
}

extension YAML {
  private static func listener(_ listener: ListenerExpectation) -> YAML {
    var items = listener.items.map { item -> YAML in
      switch item {
      case let .event(expected): event(expected)
      case let .unordered(events):
        .mapping([Entry("$unordered", .list(events.map { event($0) }))])
      }
    }
    if let gap = listener.gap {
      items.append(.mapping([Entry("each-gap", .mapping(gap, by: ListenerExpectation.Gap.table))]))
    }
    return .list(items)
  }

  private static func event(_ event: ExpectedEvent) -> YAML {
    var entries: [Entry] = []
    switch event.kind {
    case let .cancelled(error): entries.append(Entry("cancelled", .text(error.name)))
    case .event(.value): break
    case let .event(type): entries.append(Entry(type.rawValue, event.key.map { .pattern($0) }))
    }
    if let value = event.value { entries.append(Entry("value", .pattern(value))) }
    return .mapping(entries + ExpectedEvent.table.entries(of: event))
  }

  private static func outcome(_ expectation: OutcomeExpectation) -> YAML {
    let end: [(String, YAML?)] =
      switch expectation.outcome.end {
      case nil: []
      case .ok?: [("ok", .word("true"))]
      case let .error(code)?: [("error", .text(code.name))]
      case let .threw(code)?: [("threw", .text(code.name))]
      case let .answered(pattern)?: [("answer", .pattern(pattern))]
      case let .committed(value)?:
        [("committed", .word("true")), ("value", value.map { .pattern($0) })]
      case let .notCommitted(value)?:
        [("committed", .word("false")), ("value", value.map { .pattern($0) })]
      }
    return .mapping(
      OutcomeExpectation.key.write(expectation)
        + end.compactMap { name, value in value.map { Entry(name, $0) } }
        + OutcomeExpectation.table.entries(of: expectation))
  }
}
