internal import ClientInterface
internal import Tree

// What the data of a transaction's function answer.

extension Mutant {
  static let mutableDataMutants = [
    answering(
      "mutable-data-without-priorities", "The data of a transaction's function have no priorities.",
      violating: "MUT-1", to: [.mutableData], "export"
    ) { _, answer in answer.withoutPriorities },
    answering(
      "mutable-lists-are-mappings", "Lists read as mappings in a transaction's function.",
      violating: "MUT-3", to: [.mutableData], "value"
    ) { _, answer in answer.withoutLists },
    changing(
      "mutable-values-are-merged", "Setting the value of mutable data leaves the old children.",
      violating: "MUT-4"
    ) { change in
      guard change["child"] == nil, let members = change["value"]?.members else { return [change] }
      return members.map { ["child": .string($0.name), "value": $0.value] }
    },
    asking(
      "mutable-values-keep-the-priority",
      "Setting the value of mutable data keeps the priority.", violating: "MUT-5"
    ) { asked in
      guard case let .mutableData(value, changes) = asked.subject,
        let priority = value[".priority"]
      else { return }
      asked.subject = .mutableData(
        value,
        changes: changes.flatMap { change -> [JSON] in
          change["child"] == nil && change["value"] != nil
            ? [change, ["priority": priority]] : [change]
        })
    },
    changing(
      "null-priorities-delete", "Setting the priority of mutable data to null deletes them.",
      violating: "MUT-6"
    ) { change in change["priority"] == .null ? [["value": .null]] : [change] },
    asking(
      "mutable-counts-are-old", "The number of children is that before the function's changes.",
      violating: "MUT-7"
    ) { asked in
      guard case let .mutableData(value, _) = asked.subject,
        ["childrenCount", "hasChildren"].contains(asked.question)
      else { return }
      asked.subject = .mutableData(value, changes: [])
    },
    answering(
      "mutable-children-by-first-name", "A function finds a child where its parent is.",
      violating: "MUT-8", to: [.mutableData], "hasChild"
    ) { asked, answer in
      guard case let .mutableData(value, _) = asked.subject, let text = asked.argument.string,
        let first = Path(text).keys.first
      else { return answer }
      return .bool(answer == true || value[first.string] != nil)
    },
    changing(
      "mutable-parts-are-copies", "What a function changes in a part does not show in the whole.",
      violating: "MUT-9"
    ) { change in change["child"] == nil ? [change] : [] },
    answering(
      "mutable-data-have-a-key", "The data handed to a function have a key.", violating: "MUT-11",
      to: [.mutableData], "key"
    ) { _, answer in answer == .null ? "data" : answer },
    answering(
      "empty-mappings-stay", "A mapping whose last child a function removes stays, empty.",
      violating: "VAL-3", to: [.mutableData], "value"
    ) { asked, answer in
      guard case let .mutableData(value, changes) = asked.subject, answer == .null,
        value.members != nil, changes.contains(where: { $0["child"] != nil })
      else { return answer }
      return .object([])
    },
    function(
      "runs-repeat-their-first-result", "A later run of a function returns what the first did.",
      violating: "MUT-2"
    ) { function in
      if case let .merge(children) = function { function = .set(children) }
    },
    function(
      "empty-results-abort", "A function that returns nothing aborts.",
      violating: "MUT-12 TXN-23"
    ) { function in if function == .set(.null) { function = .abort } },
    function(
      "aborts-write-what-was-changed",
      "What a function changed before it aborted is written.", violating: "MUT-13 TXN-3"
    ) { function in if case let .setThenAbort(value) = function { function = .set(value) } },
  ]

  /// One whose mutable data change otherwise than they should.
  private static func changing(
    _ name: String, _ sentence: String, violating rules: String,
    _ change: @escaping @Sendable (JSON) -> [JSON]
  ) -> Mutant {
    asking(name, sentence, violating: rules) { asked in
      guard case let .mutableData(value, changes) = asked.subject else { return }
      asked.subject = .mutableData(value, changes: changes.flatMap(change))
    }
  }

  /// One that runs other functions than it is given.
  static func function(
    _ name: String, _ sentence: String, violating rules: String,
    _ change: @escaping @Sendable (inout TransactionFunction) -> Void
  ) -> Mutant {
    Mutant(name, sentence, violating: rules) { input, _ in
      guard case .call(let call, .transaction(let path, var function, let localEvents)) = input
      else { return [input] }
      change(&function)
      return [.call(call, .transaction(path, function, localEvents: localEvents))]
    }
  }
}

extension JSON {
  /// The same export without priorities; leaves that had one are plain again.
  var withoutPriorities: JSON {
    switch self {
    case let .object(members):
      if let leaf = self[".value"] { return leaf }
      return .object(
        members.filter { $0.name != ".priority" }.map { .init($0.name, $0.value.withoutPriorities) }
      )
    case let .array(elements): return .array(elements.map(\.withoutPriorities))
    case .null, .bool, .number, .string: return self
    }
  }

  /// The same with mappings in place of lists.
  var withoutLists: JSON {
    switch self {
    case let .array(elements):
      .object(
        elements.enumerated().filter { $0.element != .null }
          .map { .init(String($0.offset), $0.element.withoutLists) })
    case let .object(members): .object(members.map { .init($0.name, $0.value.withoutLists) })
    case .null, .bool, .number, .string: self
    }
  }
}
