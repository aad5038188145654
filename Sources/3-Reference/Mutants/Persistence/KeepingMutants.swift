internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// What is kept, and what is kept synchronised.

extension Mutant {
  static let keepingMutants = [
    Mutant(
      "keeps-unasked", "Data and writes are kept though no one asked for it.",
      violating: "OFF-10", component: .persistence
    ) { input, _ in
      guard case .open(var opening) = input, opening.persistence == nil else { return [input] }
      opening.persistence = .init()
      return [.open(opening)]
    },
    Mutant(
      "settings-are-not-taken", "The setting that turns persistence on has no effect.",
      violating: "OFF-11", component: .persistence
    ) { input, _ in
      guard case .open(var opening) = input else { return [input] }
      opening.persistence = nil
      return [.open(opening)]
    },
    Mutant(
      "synchronisation-is-not-begun", "What is to be kept synchronised is not asked for.",
      violating: "OFF-17"
    ) { input, _ in input.synchronization == .on ? [] : [input] },
    Mutant(
      "synchronisation-never-ends", "What is no longer kept synchronised still is.",
      violating: "OFF-18"
    ) { input, _ in input.synchronization == .off ? [] : [input] },
    Mutant(
      "synchronisation-ends-with-the-connection",
      "What is kept synchronised is not asked for on the next connection.", violating: "OFF-19",
      remembering: [Operation]()
    ) { input, _, kept in
      if case let .call(_, operation) = input, let mode = input.synchronization {
        let end = operation.mapArguments { $0.synchronization = .off }
        kept.removeAll { $0 == end }
        if mode == .on { kept.append(end) }
      }
      guard input == .closed else { return [input] }
      defer { kept = [] }
      return [input] + kept.map { .call("lost", $0) }
    },
    Mutant(
      "queries-are-not-kept-synchronised", "Of a query everything is kept synchronised.",
      violating: "OFF-27", in: [.firebase]
    ) { input, _ in
      input.synchronization == nil ? [input] : [input.withQuery { $0 = .all }]
    },
    Mutant(
      "synchronisation-is-kept", "The next process synchronises what the last one did.",
      violating: "OFF-26", component: .persistence, in: [.firebase], remembering: 0
    ) { input, _, _ in
      guard case let .open(opening) = input else { return [input] }
      let prefix = "synchronised/"
      let kept = opening.storage.filter { $0.key.hasPrefix(prefix) }.compactMap { item in
        var given = Operation.Arguments()
        given.path = Path(String(item.key.dropFirst(prefix.count)))
        given.synchronization = .on
        return Operation.Kind(rawValue: "keep-synced").flatMap { Operation($0, given) }
          .map { ClientInput.call(CallID(item.key), $0) }
      }
      return [input] + kept
    } does: { step, _ in
      guard step.input.synchronization == .on, let path = step.operation?.path else {
        return step.outputs
      }
      return [.store(key: "synchronised/" + path.relativeText, text: "{}")] + step.outputs
    },
    Mutant(
      "transactions-are-kept", "A transaction is kept as a write of its result.",
      violating: "OFF-22", component: .persistence, in: [.firebase]
    ) { step in
      guard case let .transaction(path, _, _)? = step.operation,
        let event = step.outputs.compactMap(\.event).first(where: { $0.type == .value })
      else { return step.outputs }
      let record: JSON = ["path": .string(path.description), "put": event.value.json]
      return step.outputs + [.store(key: "write/0000000900", text: record.text)]
    },
    Mutant(
      "unused-data-are-not-kept", "What has no listener any more is forgotten.",
      violating: "OFF-23", component: .persistence, remembering: Set<String>()
    ) { step, unused in
      if let path = step.operation?.registration?.target.path {
        unused.remove("data/" + path.relativeText)
      }
      var erased: [ClientOutput] = []
      if case let .unlisten(listener, _)? = step.operation,
        let target = step.before.listeners[listener]?.target
      {
        let key = "data/" + target.path.relativeText
        unused.insert(key)
        erased.append(.erase(key: key))
      }
      let kept = step.outputs.filter { output in
        if case let .store(key, _) = output { !unused.contains(key) } else { true }
      }
      return kept + erased
    },
    Mutant(
      "kept-data-are-of-one-location",
      "Data are kept for the location that was listened to, not for those above it.",
      violating: "OFF-24", component: .persistence, remembering: [String: String]()
    ) { step, first in
      step.outputs.map { output in
        guard case let .store(key, text) = output, key.hasPrefix("data/") else { return output }
        let kept = first[key] ?? text
        first[key] = kept
        return .store(key: key, text: kept)
      }
    },
  ]
}

extension ClientInput {
  /// Whether something is to be kept synchronised, or no longer; `nil` for every other input.
  fileprivate var synchronization: Operation.Synchronization? {
    if case let .call(_, operation) = self { operation.arguments.synchronization } else { nil }
  }
}
