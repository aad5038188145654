internal import ClientInterface
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
      violating: "OFF-14", component: .persistence
    ) { input, _ in
      guard case .open(var opening) = input else { return [input] }
      opening.persistence = nil
      return [.open(opening)]
    },
    Mutant(
      "synchronisation-is-not-begun", "What is to be kept synchronised is not asked for.",
      violating: "OFF-17"
    ) { input, _ in
      if case .call(_, .keepSynced(_, .on)) = input { [] } else { [input] }
    },
    Mutant(
      "synchronisation-never-ends", "What is no longer kept synchronised still is.",
      violating: "OFF-18"
    ) { input, _ in
      if case .call(_, .keepSynced(_, .off)) = input { [] } else { [input] }
    },
    Mutant(
      "synchronisation-ends-with-the-connection",
      "What is kept synchronised is not asked for on the next connection.", violating: "OFF-19",
      remembering: [Operation.Target]()
    ) { input, _, kept in
      switch input {
      case let .call(_, .keepSynced(target, .on)): kept.append(target)
      case let .call(_, .keepSynced(target, .off)): kept.removeAll { $0 == target }
      case .closed:
        defer { kept = [] }
        return [input] + kept.map { .call("lost", .keepSynced($0, .off)) }
      default: break
      }
      return [input]
    },
    Mutant(
      "queries-are-not-kept-synchronised", "Of a query everything is kept synchronised.",
      violating: "OFF-27", in: [.firebase]
    ) { input, _ in
      guard case let .call(call, .keepSynced(target, mode)) = input, target.query.filters else {
        return [input]
      }
      return [.call(call, .keepSynced(.init(target.path), mode))]
    },
    Mutant(
      "synchronisation-is-kept", "The next process synchronises what the last one did.",
      violating: "OFF-26", component: .persistence, in: [.firebase], remembering: 0
    ) { input, _, _ in
      guard case let .open(opening) = input else { return [input] }
      let kept = opening.storage.filter { $0.key.hasPrefix("synchronised/") }.map { item in
        ClientInput.call(
          CallID(item.key), .keepSynced(.init(Path(String(item.key.dropFirst(13)))), .on))
      }
      return [input] + kept
    } does: { step, _ in
      guard case let .keepSynced(target, .on)? = step.operation else { return step.outputs }
      let key = "synchronised/" + target.path.relativeText
      return [.store(key: key, text: "{}")] + step.outputs
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
      violating: "OFF-23", component: .persistence, remembering: 0
    ) { step, _ in
      guard case let .unlisten(listener, _)? = step.operation,
        let target = step.before.listeners[listener]?.target
      else { return step.outputs }
      return step.outputs + [.erase(key: "data/" + target.path.relativeText)]
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
