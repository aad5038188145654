internal import ClientInterface
internal import Document
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// What outlives the process, and what is kept synchronised.

extension Mutant {
  // What outlives the process.

  static let persistence: [Mutant] = [
    Mutant(
      "writes-not-kept", "Pending writes do not outlive the process.", from: "R70",
      violating: "OFF-12", component: .persistence
    ).outputs { $0.withoutStoring { $0.hasPrefix("write/") } },
    Mutant(
      "data-not-kept", "Data do not outlive the process.", from: "R70", violating: "OFF-11",
      component: .persistence
    ).outputs { $0.withoutStoring { $0.hasPrefix("data/") } },
    Mutant(
      "alike-names-share-a-record", "Two locations whose names look alike are kept as one.",
      violating: "OFF-11", component: .persistence
    ).outputs(remembering: [String]()) { step, keys in
      step.outputs.map { output in
        guard case let .store(key, text) = output else { return output }
        // Strings are equal that look alike, whatever characters they are composed of.
        if let first = keys.first(where: { $0 == key }) { return .store(key: first, text: text) }
        keys.append(key)
        return output
      }
    },
    Mutant(
      "write-forgotten-when-sent",
      "A kept write is erased when it is sent, not when it is answered.", from: "P1",
      violating: "OFF-12", component: .persistence
    ).outputs(remembering: [String]()) { step, kept in
      for case let .store(key, _) in step.outputs where key.hasPrefix("write/") { kept.append(key) }
      guard step.outputs.contains(where: { $0.request?.isPlainWrite == true }) else { return nil }
      defer { kept = [] }
      return step.outputs + kept.map { .erase(key: $0) }
    },
    Mutant(
      "write-numbers-start-anew", "The numbers of kept writes start again with each process.",
      from: "P2", component: .persistence
    ).deciding { $0.writeNumbersGoOn = false },
    Mutant(
      "torn-record-is-mended", "A record that was torn is taken for what is left of it.",
      from: "P3 R71", component: .persistence
    ).opening { $0.storage = $0.storage.map(\.repaired) },
    Mutant(
      "complete-before-the-data", "A location counts as known from the moment it is listened to.",
      from: "P4", violating: "EVT-18", component: .persistence
    ).outputs(remembering: (isOn: false, keys: Set<String>())) { step, memory in
      if case let .open(opening) = step.input { memory.isOn = opening.persistence != nil }
      guard memory.isOn, case let .listen(_, target, _)? = step.operation,
        !target.query.filters, target.path.keys.first != Key(".info")
      else { return nil }
      let key = "data/" + target.path.relativeText
      guard memory.keys.insert(key).inserted else { return nil }
      let entry: JSON = [
        "data": .null, "path": .string(target.path.description), "used": 1,
      ]
      return [.store(key: key, text: entry.text)] + step.outputs
    },
    Mutant(
      "used-data-are-thrown-out", "When there is too much, data that are listened to go as well.",
      from: "P5", violating: "OFF-16", component: .persistence
    ).deciding { $0.usedDataStay = false },
    Mutant(
      "kept-writes-backwards", "Kept writes are sent last to first.", from: "P6",
      violating: "OFF-12", component: .persistence
    ).opening { opening in
      let items = opening.storage
      let positions = items.indices.filter { items[$0].key.hasPrefix("write/") }
      for (position, source) in zip(positions, positions.reversed()) {
        opening.storage[position].text = items[source].text
      }
    },
    Mutant(
      "kept-writes-by-spelling", "Kept writes are sent in the order of the texts of their numbers.",
      violating: "OFF-12", component: .persistence
    ).opening { opening in
      let items = opening.storage
      let positions = items.indices.filter { items[$0].key.hasPrefix("write/") }
      let sources = positions.sorted { items[$0].spelling < items[$1].spelling }
      for (position, source) in zip(positions, sources) {
        opening.storage[position].text = items[source].text
      }
    },
    Mutant(
      "pause-outlives-one-process", "A pause of kept writes ends with the second process.",
      violating: "OFF-21", component: .persistence, in: [.wilddog1, .wilddog2]
    ).outputs { step in
      guard case let .open(opening) = step.input,
        opening.storage.contains(where: { $0.key == "paused" })
      else { return nil }
      return step.outputs + [.erase(key: "paused")]
    },
    Mutant(
      "answered-writes-stay-kept", "A kept write is not erased when it is answered.", from: "P7",
      violating: "OFF-5", component: .persistence
    ).outputs { step in
      step.outputs.filter { output in
        if case let .erase(key) = output { !key.hasPrefix("write/") } else { true }
      }
    },
    Mutant(
      "kept-data-are-final", "A location that is kept is not listened to.", from: "R69",
      violating: "OFF-13", component: .persistence
    ).outputs(remembering: [Path]()) { step, kept in
      if case let .open(opening) = step.input {
        kept = opening.storage.compactMap { item in
          item.key.hasPrefix("data/") && !item.key.contains("#")
            ? Path(String(item.key.dropFirst(5))) : nil
        }
      }
      return step.withoutRequests { request in
        guard case let .listen(listen) = request else { return false }
        return listen.query == nil && kept.contains(listen.path)
      }
    },
    Mutant(
      "credential-stays-kept", "Who was signed in is kept after signing out.", from: "R66",
      violating: "OFF-20", component: .persistence
    ).outputs { $0.outputs.filter { $0 != .erase(key: "credential") } },
    Mutant(
      "found-credentials-stay-kept",
      "Who was signed in by an earlier process is kept after signing out.", violating: "OFF-20",
      component: .persistence
    ).outputs(remembering: Set<String>()) { step, found in
      if case let .open(opening) = step.input { found = Set(opening.storage.map(\.key)) }
      return step.outputs.filter {
        $0 != .erase(key: "credential") || !found.contains("credential")
      }
    },
    Mutant(
      "kept-numbers-lose-precision", "Numbers lose their fraction when they are kept.", from: "R72",
      component: .persistence
    ).opening { opening in
      for index in opening.storage.indices {
        opening.storage[index].text = opening.storage[index].text.withoutFractions
      }
    },
  ]

  // What is kept, and what is kept synchronised.

  static let keepingMutants: [Mutant] = [
    Mutant(
      "keeps-unasked", "Data and writes are kept though no one asked for it.",
      violating: "OFF-10 OFF-9",
      component: .persistence
    ).opening { if $0.persistence == nil { $0.persistence = .init() } },
    Mutant(
      "settings-are-not-taken", "The setting that turns persistence on has no effect.",
      violating: "OFF-11", component: .persistence
    ).opening { $0.persistence = nil },
    Mutant(
      "synchronisation-is-not-begun", "What is to be kept synchronised is not asked for.",
      violating: "OFF-17"
    ).ignoring { input, _ in input.synchronization == .on },
    Mutant(
      "synchronisation-never-ends", "What is no longer kept synchronised still is.",
      violating: "OFF-18"
    ).ignoring { input, _ in input.synchronization == .off },
    Mutant(
      "synchronisation-ends-with-the-connection",
      "What is kept synchronised is not asked for on the next connection.", violating: "OFF-19"
    ).inputs { input, model in
      guard input == .closed else { return nil }
      return [input]
        + model.application.synchronized.map { .call("lost", .synchronizing($0, .off)) }
    },
    Mutant(
      "synchronisation-ends-together",
      "What is no longer kept synchronised takes all other queries of its location along.",
      violating: "OFF-27", in: [.firebase]
    ).inputs { input, model in
      guard input.synchronization == .off, case let .call(_, operation) = input else { return nil }
      return [input]
        + model.application.synchronized.filter { $0.path == operation.path }
        .map { .call("together", .synchronizing($0, .off)) }
    },
    Mutant(
      "queries-are-not-kept-synchronised", "Of a query everything is kept synchronised.",
      violating: "OFF-27", in: [.firebase]
    ).calls { operation, _ in
      operation.arguments.synchronization == nil ? nil : operation.withQuery { $0 = .all }
    },
    Mutant(
      "synchronisation-is-kept", "The next process synchronises what the last one did.",
      violating: "OFF-26", component: .persistence, in: [.firebase]
    ).inputs(remembering: 0) { input, _, _ in
      guard case let .open(opening) = input else { return nil }
      let prefix = "synchronised/"
      let kept = opening.storage.filter { $0.key.hasPrefix(prefix) }.map { item in
        let target = Operation.Target(Path(String(item.key.dropFirst(prefix.count))))
        return ClientInput.call(CallID(item.key), .synchronizing(target, .on))
      }
      return [input] + kept
    } does: { step, _ in
      guard step.input.synchronization == .on, let path = step.operation?.path else { return nil }
      return [.store(key: "synchronised/" + path.relativeText, text: "{}")] + step.outputs
    },
    Mutant(
      "transactions-are-kept", "A transaction is kept as a write of its result.",
      violating: "OFF-22", component: .persistence, in: [.firebase]
    ).outputs { step in
      guard case let .transaction(path, _, _)? = step.operation,
        let event = step.outputs.compactMap(\.event).first(where: { $0.type == .value })
      else { return nil }
      let record: JSON = ["path": .string(path.description), "put": event.value.json]
      return step.outputs + [.store(key: "write/0000000900", text: record.text)]
    },
    Mutant(
      "unused-data-are-not-kept", "What has no listener any more is forgotten.",
      violating: "OFF-23", component: .persistence
    ).outputs(remembering: Set<String>()) { step, unused in
      if let path = step.operation?.registration?.target.path {
        unused.remove("data/" + path.relativeText)
      }
      var erased: [ClientOutput] = []
      if case let .unlisten(listener, _)? = step.operation,
        let target = step.before[listener]?.target
      {
        let key = "data/" + target.path.relativeText
        unused.insert(key)
        erased.append(.erase(key: key))
      }
      return step.withoutStoring(unused.contains) + erased
    },
    Mutant(
      "kept-data-are-of-one-location",
      "Data are kept for the location that was listened to, not for those above it.",
      violating: "OFF-24", component: .persistence
    ).outputs(remembering: [String: String]()) { step, first in
      step.outputs.map { output in
        guard case let .store(key, text) = output, key.hasPrefix("data/") else { return output }
        let kept = first[key] ?? text
        first[key] = kept
        return .store(key: key, text: kept)
      }
    },
  ]
}

extension InterceptedStep {
  /// The outputs without what would be stored under some keys.
  fileprivate func withoutStoring(_ isDropped: (String) -> Bool) -> [ClientOutput] {
    outputs.filter { output in
      if case let .store(key, _) = output { !isDropped(key) } else { true }
    }
  }
}

extension ClientInput {
  /// Whether something is to be kept synchronised, or no longer; `nil` for every other input.
  fileprivate var synchronization: Operation.Synchronization? {
    if case let .call(_, operation) = self { operation.arguments.synchronization } else { nil }
  }
}

extension ClientInput.StoredItem {
  /// The number of a kept write, as a text without leading zeros.
  fileprivate var spelling: Substring { key.dropFirst("write/".count).drop { $0 == "0" } }

  /// The same with a text that was cut off brought to an end: strings closed, then mappings.
  fileprivate var repaired: ClientInput.StoredItem {
    if text.isJSON { return self }
    for ending in ["}", "\"}", "\"}}", "}}", ":null}", "\":null}", "null}", ",\"put\":null}"] {
      if (text + ending).isJSON { return ClientInput.StoredItem(key, text + ending) }
    }
    return self
  }
}

extension String {
  fileprivate var isJSON: Bool {
    do {
      _ = try JSON(parsing: self)
      return true
    } catch {
      return false
    }
  }

  /// The text without a point between digits and what follows it.
  fileprivate var withoutFractions: String {
    var result = ""
    var isFraction = false
    for character in self {
      if character == ".", result.last?.isNumber == true {
        isFraction = true
      } else if isFraction, character.isNumber {
        continue
      } else {
        isFraction = false
        result.append(character)
      }
    }
    return result
  }
}
