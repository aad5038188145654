internal import ClientInterface
internal import Document
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What outlives the process.

extension Mutant {
  static let persistence = [
    stored(
      "writes-not-kept", "Pending writes do not outlive the process.", from: "R70",
      violating: "OFF-12"
    ) { $0.hasPrefix("write/") ? .nothing : .asItIs },
    stored("data-not-kept", "Data do not outlive the process.", from: "R70", violating: "OFF-11") {
      $0.hasPrefix("data/") ? .nothing : .asItIs
    },
    Mutant(
      "write-forgotten-when-sent",
      "A kept write is erased when it is sent, not when it is answered.",
      from: "P1", violating: "OFF-12", component: .persistence, remembering: [String]()
    ) { step, kept in
      for case let .store(key, _) in step.outputs where key.hasPrefix("write/") { kept.append(key) }
      guard step.outputs.contains(where: { $0.request?.isPlainWrite == true }) else {
        return step.outputs
      }
      defer { kept = [] }
      return step.outputs + kept.map { .erase(key: $0) }
    },
    Mutant(
      "write-numbers-start-anew", "The numbers of kept writes start again with each process.",
      from: "P2", component: .persistence, deciding: { $0.writeNumbersGoOn = false }),
    Mutant(
      "torn-record-is-mended", "A record that was torn is taken for what is left of it.",
      from: "P3 R71", component: .persistence
    ) { input, _ in
      input.withStorage { $0.map(\.repaired) }
    },
    Mutant(
      "complete-before-the-data", "A location counts as known from the moment it is listened to.",
      from: "P4", violating: "EVT-18", component: .persistence,
      remembering: (isOn: false, keys: Set<String>())
    ) { step, memory in
      if case let .open(opening) = step.input { memory.isOn = opening.persistence != nil }
      guard memory.isOn, case let .listen(_, target, _)? = step.operation,
        !target.query.filters, target.path.keys.first != Key(".info")
      else { return step.outputs }
      let key = "data/" + target.path.relativeText
      guard memory.keys.insert(key).inserted else { return step.outputs }
      let entry: JSON = [
        "data": .null, "path": .string(target.path.description), "used": 1,
      ]
      return [.store(key: key, text: entry.text)] + step.outputs
    },
    Mutant(
      "used-data-are-thrown-out", "When there is too much, data that are listened to go as well.",
      from: "P5", violating: "OFF-16", component: .persistence,
      deciding: { $0.usedDataStay = false }
    ),
    Mutant(
      "kept-writes-backwards", "Kept writes are sent last to first.", from: "P6",
      violating: "OFF-12",
      component: .persistence
    ) { input, _ in
      input.withStorage { items in
        let positions = items.indices.filter { items[$0].key.hasPrefix("write/") }
        var result = items
        for (position, source) in zip(positions, positions.reversed()) {
          result[position].text = items[source].text
        }
        return result
      }
    },
    Mutant(
      "answered-writes-stay-kept", "A kept write is not erased when it is answered.", from: "P7",
      violating: "OFF-5",
      component: .persistence
    ) { step in
      step.outputs.filter { output in
        if case let .erase(key) = output { !key.hasPrefix("write/") } else { true }
      }
    },
    Mutant(
      "kept-data-are-final", "A location that is kept is not listened to.", from: "R69",
      violating: "OFF-13",
      component: .persistence, remembering: [Path]()
    ) { step, kept in
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
      violating: "OFF-20",
      component: .persistence
    ) { step in
      step.outputs.filter { $0 != .erase(key: "credential") }
    },
    Mutant(
      "kept-numbers-lose-precision", "Numbers lose their fraction when they are kept.", from: "R72",
      component: .persistence
    ) { input, _ in
      input.withStorage { items in
        items.map { item in
          var item = item
          item.text = item.text.withoutFractions
          return item
        }
      }
    },
  ]

  private enum Stored {
    case asItIs
    case nothing
  }

  private static func stored(
    _ name: String, _ sentence: String, from origin: String, violating rules: String = "",
    _ fate: @escaping @Sendable (String) -> Stored
  ) -> Mutant {
    Mutant(name, sentence, from: origin, violating: rules, component: .persistence) { step in
      step.outputs.filter { output in
        if case let .store(key, _) = output { fate(key) == .asItIs } else { true }
      }
    }
  }
}

extension ClientInput {
  fileprivate func withStorage(_ change: ([StoredItem]) -> [StoredItem]) -> [ClientInput] {
    guard case .open(var opening) = self else { return [self] }
    opening.storage = change(opening.storage)
    return [.open(opening)]
  }
}

extension ClientInput.StoredItem {
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
