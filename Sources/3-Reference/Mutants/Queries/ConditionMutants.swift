internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// What the conditions of a query select.

extension Mutant {
  static let conditionMutants = [
    conditions(
      "limit-lost-beside-a-range", "A query with a range has no limit.",
      violating: "LIM-3 QRY-27"
    ) { query in
      if query.start != nil || query.end != nil { query.limit = nil }
    },
    conditions(
      "limits-without-an-order-are-by-key", "A limit without an order counts by key.",
      violating: "LIM-11"
    ) { query in
      if query.limit != nil, query.ordering == .priority { query.ordering = .key }
    },
    conditions(
      "ranges-without-an-order-are-of-values", "A range without an order applies to values.",
      violating: "QRY-15"
    ) { query in
      if query.start != nil || query.end != nil, query.ordering == .priority {
        query.ordering = .value
      }
    },
    conditions(
      "ends-of-prefixes-are-cut", "The last character of a prefix range is lost.",
      violating: "QRY-16"
    ) { query in
      guard case let .string(text)? = query.end?.value, text.string.hasSuffix("\u{F8FF}") else {
        return
      }
      query.end = Query.Bound(.string(Text(String(text.string.dropLast()))))
    },
    conditions(
      "digits-are-numbers", "A bound that is a text of digits counts as a number.",
      violating: "VAL-7"
    ) { query in
      guard query.ordering == .value, case let .string(text)? = query.start?.value,
        let number = Double(text.string)
      else { return }
      query.start?.value = .number(number)
      if query.end?.value == .string(text) { query.end?.value = .number(number) }
    },
    conditions(
      "gets-are-unfiltered-by-limit", "A get has all children of its range.", violating: "GET-2",
      in: [.firebase], of: [.get]
    ) { $0.limit = nil },
    Mutant(
      "small-windows-are-empty", "A query with fewer children than its limit has none.",
      violating: "LIM-2"
    ) { step in
      step.events(.value) { event in
        guard let limit = step.limit(of: event), event.value.children.count < limit.count else {
          return
        }
        event.value = .empty
      }
    },
    Mutant(
      "outside-raises-the-value", "A change beyond the edge of a window raises its value again.",
      violating: "LIM-6"
    ) { step in
      guard let path = step.dataPath ?? step.operation?.path, step.operation?.isPlainWrite != false
      else { return step.outputs }
      let called = Set(step.outputs.compactMap { $0.event?.listener })
      return step.outputs
        + step.before.values { listener in
          listener.target.query.filters && path.starts(with: listener.target.path)
            && path != listener.target.path
        }.filter { $0.event.map { !called.contains($0.listener) } ?? false }
    },
    Mutant(
      "leaving-a-range-is-silent", "A child that leaves a range raises no child_removed.",
      violating: "QRY-20"
    ) { step in
      step.withoutEvents { event in
        guard event.type == .childRemoved, let query = step.query(of: event) else { return false }
        return query.limit == nil && query.filters
      }
    },
    Mutant(
      "covered-queries-ask-again", "A query below a complete listener asks the server as well.",
      violating: "QRY-22"
    ) { step in
      guard let registration = step.operation?.registration, registration.target.query != .all,
        step.outputs.allSatisfy({ $0.request == nil }), step.after.hasReceivedHello,
        registration.target.path.keys.first != .info
      else { return step.outputs }
      let target = registration.target
      let listen = Request.Listen(path: target.path, query: target.query, tag: 902)
      return step.outputs + [.send(.request(0, .listen(listen)))]
    },
  ]

  private static func conditions(
    _ name: String, _ sentence: String, violating rules: String,
    in profiles: [Profile] = Profile.all, of kinds: Set<Operation.Kind>? = nil,
    _ change: @escaping @Sendable (inout Query) -> Void
  ) -> Mutant {
    Mutant(name, sentence, violating: rules, in: profiles) { input, _ in
      if let kinds, case let .call(_, operation) = input, !kinds.contains(operation.kind) {
        return [input]
      }
      return [input.withQuery(change)]
    }
  }
}

extension InterceptedStep {
  fileprivate func query(of event: Event) -> Query? {
    (after.listeners[event.listener] ?? before.listeners[event.listener])?.target.query
  }

  fileprivate func limit(of event: Event) -> Query.Limit? { query(of: event)?.limit }
}
