internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// What snapshots, references and the data of functions answer.

extension Mutant {
  // What snapshots answer.

  static let snapshotAnswerMutants: [Mutant] = [
    Mutant(
      "snapshots-end-with-the-listener", "A snapshot is empty once its listener is removed.",
      violating: "SNP-1"
    ).answers(to: [.snapshot], "value") { asked, answer, step in
      step.listener(asked) == nil ? .null : answer
    },
    Mutant(
      "parts-of-one-name", "The part of a snapshot for a deep path is that for its first key.",
      violating: "SNP-5 SNP-14"
    ).asking { asked in
      guard case .snapshot = asked.subject else { return }
      asked.part = Path(Array(asked.part.keys.prefix(1)))
    },
    Mutant(
      "exports-without-priorities", "The export format leaves priorities out.", violating: "SNP-8"
    ).answers(to: [.snapshot], "export") { _, answer, _ in answer.withoutPriorities },
    Mutant(
      "priorities-are-texts", "The priority of a snapshot is a text.", violating: "SNP-9 SNP-19"
    ).answers(to: [.snapshot], "priority") { _, answer, _ in
      answer.number.map { .string(canonicalText(of: $0)) } ?? answer
    },
    Mutant(
      "values-with-priorities", "The value of a snapshot has the priorities in it.",
      violating: "SNP-11 PRI-14"
    ).asking { asked in
      if case .snapshot = asked.subject, asked.question == "value" { asked.question = "export" }
    },
    Mutant(
      "falsehood-does-not-exist", "A snapshot of false, zero or the empty text does not exist.",
      violating: "SNP-12"
    ).answers(to: [.snapshot], "exists") { asked, answer, step in
      guard let scalar = step.listener(asked)?.value?[asked.part].scalar else { return answer }
      return [false, 0, ""].contains(scalar) ? false : answer
    },
    Mutant(
      "no-child-is-deep", "A snapshot has no child at a path of several keys.", violating: "SNP-13"
    ).answers(to: [.snapshot], "hasChild") { asked, answer, _ in
      Path(asked.argument.string ?? "").count > 1 ? false : answer
    },
    Mutant(
      "priorities-are-children", "A priority counts as a child of its node.", violating: "SNP-15"
    ).answers(to: [.snapshot], "childrenCount") { asked, answer, step in
      step.listener(asked)?.value?[asked.part].priority == nil
        ? answer : .number((answer.number ?? 0) + 1)
    },
    Mutant("snapshots-have-no-key", "A snapshot of a part has no key.", violating: "SNP-17")
      .answers(to: [.snapshot], "key") { _, _, _ in .null },
    Mutant(
      "snapshot-refs-are-one-up", "The reference of a snapshot names the location above.",
      violating: "SNP-18"
    ).answers(to: [.snapshot], "ref") { _, answer, _ in
      .string((Path(answer.string ?? "").parent ?? .root).description)
    },
    Mutant("gaps-are-closed", "What follows a gap of a list moves up.", violating: "SNP-20")
      .answers(to: [.snapshot], "value") { _, answer, _ in
        answer.elements.map { .array($0.filter { $0 != .null }) } ?? answer
      },
    Mutant(
      "lists-all-or-none", "Where a mapping inside is no list, none around it is.",
      violating: "SNP-21"
    ).answers(to: [.snapshot], "value") { _, answer, _ in
      guard let elements = answer.elements, elements.contains(where: { $0.members != nil }) else {
        return answer
      }
      return answer.withoutLists
    },
    Mutant(
      "inner-children-by-key", "Children inside of a child are listed by their keys.",
      violating: "SNP-22", in: [.wilddog2, .firebase]
    ).answers(to: [.snapshot], "children") { asked, answer, _ in
      guard !asked.part.isRoot, let keys = answer.elements else { return answer }
      return .array(keys.sorted { ($0.string ?? "") < ($1.string ?? "") })
    },
  ]

  // What references and queries answer.

  static let referenceMutants: [Mutant] = [
    Mutant(
      "root-of-the-other-edition", "The root has the parent that it has in the other edition.",
      violating: "REF-4", in: Profile.all
    ).reading { $0.rootParent = $0.rootParent == .itself ? .nothing : .itself },
    Mutant(
      "keys-are-first-names", "The key of a reference is the first one of its path.",
      violating: "REF-10"
    ).answers(to: [.reference, .address], "key") { asked, answer, _ in
      guard case let .reference(path) = asked.subject, let key = path.keys.first else {
        return answer
      }
      return .string(key.string)
    },
    Mutant(
      "parents-are-the-root", "The parent of every reference is the root.", violating: "REF-11"
    ).answers(to: [.reference], "parent") { _, answer, _ in answer == .null ? answer : "/" },
    Mutant(
      "roots-are-one-up", "What a reference gives as the root is its own location.",
      violating: "REF-12"
    ).answers(to: [.reference], "root") { asked, answer, _ in
      guard case let .reference(path) = asked.subject else { return answer }
      return .string(path.appending(asked.part).description)
    },
    Mutant(
      "descriptions-lack-the-path", "The description of a reference is the address of its host.",
      violating: "REF-9"
    ).answers(to: [.reference, .address], "description") { _, _, _ in "https://kennel.test" },
    Mutant(
      "equal-by-spelling", "References are equal where their paths are spelt alike.",
      violating: "REF-3 REF-6"
    ).answers(to: [.reference], "equals") { asked, answer, _ in
      guard case let .reference(path) = asked.subject else { return answer }
      return .bool(.string(path.relativeText) == asked.argument)
    },
    Mutant(
      "query-refs-keep-the-query", "The reference of a query names its conditions.",
      violating: "QRY-25"
    ).answers(to: [.query, .snapshot], "ref") { _, answer, _ in
      guard let path = answer.string else { return answer }
      return .string(path + "?")
    },
    Mutant(
      "conditions-change-the-query", "A condition changes the query that it is added to.",
      violating: "QRY-26"
    ).answers(to: [.query], "valid") { asked, answer, _ in asked.argument == .null ? answer : false
    },
    Mutant(
      "addresses-lack-the-path", "A reference made from an address names the root.",
      violating: "REF-8"
    ).asking { asked in
      guard case let .address(text) = asked.subject else { return }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).prefix(3)
      asked.subject = .address(parts.joined(separator: "/"))
    },
    Mutant(
      "one-name-at-a-time", "Of a relative path of a child only the first key is used.",
      violating: "REF-2 REF-13"
    ).asking { asked in
      guard asked.question == "child", let text = asked.argument.string,
        let key = Path(text).keys.first
      else { return }
      asked.argument = .string(key.string)
    },
    Mutant(
      "references-load", "Asking a reference for a part of it loads its location.",
      violating: "REF-15"
    ).outputs(remembering: [Path]()) { step, waiting in
      if case let .inspect(asked)? = step.operation, case let .reference(path) = asked.subject {
        waiting.append(path)
      }
      guard step.after.link.hasReceivedHello else { return nil }
      defer { waiting = [] }
      return step.sending(waiting.map { .listen(.init(path: $0)) })
    },
  ]

  /// Gives wrong answers to some question about subjects of these kinds.
  func answers(
    to kinds: [Inspection.Kind] = Inspection.Kind.allCases, _ questions: String...,
    with change: @escaping @Sendable (Inspection, JSON, InterceptedStep) -> JSON
  ) -> Mutant {
    outputs { step in
      guard case let .inspect(asked)? = step.operation, questions.contains(asked.question),
        kinds.contains(asked.subject.kind)
      else { return nil }
      return step.answers { change(asked, $0, step) }
    }
  }

  /// Answers another question than was asked.
  private func asking(_ change: @escaping @Sendable (inout Inspection) -> Void) -> Mutant {
    calls { operation, _ in
      guard case .inspect(var asked) = operation else { return nil }
      change(&asked)
      return .inspect(asked)
    }
  }

  // What the data of a transaction's function answer.

  static let mutableDataMutants: [Mutant] = [
    Mutant(
      "mutable-data-without-priorities", "The data of a transaction's function have no priorities.",
      violating: "MUT-1"
    ).answers(to: [.mutableData], "export") { _, answer, _ in answer.withoutPriorities },
    Mutant(
      "mutable-lists-are-mappings", "Lists read as mappings in a transaction's function.",
      violating: "MUT-3"
    ).answers(to: [.mutableData], "value") { _, answer, _ in answer.withoutLists },
    Mutant(
      "mutable-values-are-merged", "Setting the value of mutable data leaves the old children.",
      violating: "MUT-4"
    ).changing { change in
      guard change["child"] == nil, let members = change["value"]?.members else { return [change] }
      return members.map { ["child": .string($0.name), "value": $0.value] }
    },
    Mutant(
      "mutable-values-keep-the-priority", "Setting the value of mutable data keeps the priority.",
      violating: "MUT-5"
    ).asking { asked in
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
    Mutant(
      "null-priorities-delete", "Setting the priority of mutable data to null deletes them.",
      violating: "MUT-6"
    ).changing { change in change["priority"] == .null ? [["value": .null]] : [change] },
    Mutant(
      "mutable-counts-are-old", "The number of children is that before the function's changes.",
      violating: "MUT-7"
    ).asking { asked in
      guard case let .mutableData(value, _) = asked.subject,
        ["childrenCount", "hasChildren"].contains(asked.question)
      else { return }
      asked.subject = .mutableData(value, changes: [])
    },
    Mutant(
      "mutable-children-by-first-name", "A function finds a child where its parent is.",
      violating: "MUT-8"
    ).answers(to: [.mutableData], "hasChild") { asked, answer, _ in
      guard case let .mutableData(value, _) = asked.subject, let text = asked.argument.string,
        let first = Path(text).keys.first
      else { return answer }
      return .bool(answer == true || value[first.string] != nil)
    },
    Mutant(
      "mutable-parts-are-copies", "What a function changes in a part does not show in the whole.",
      violating: "MUT-9"
    ).changing { change in change["child"] == nil ? [change] : [] },
    Mutant(
      "mutable-data-have-a-key", "The data handed to a function have a key.", violating: "MUT-11"
    ).answers(to: [.mutableData], "key") { _, answer, _ in answer == .null ? "data" : answer },
    Mutant(
      "empty-mappings-stay", "A mapping whose last child a function removes stays, empty.",
      violating: "VAL-3"
    ).answers(to: [.mutableData], "value") { asked, answer, _ in
      guard case let .mutableData(value, changes) = asked.subject, answer == .null,
        value.members != nil, changes.contains(where: { $0["child"] != nil })
      else { return answer }
      return .object([])
    },
    Mutant(
      "runs-repeat-their-first-result", "A later run of a function returns what the first did.",
      violating: "MUT-2"
    ).function { function in
      if case let .merge(children) = function { function = .set(children) }
    },
    Mutant(
      "empty-results-abort", "A function that returns nothing aborts.", violating: "MUT-12 TXN-23"
    ).function { function in if function == .set(.null) { function = .abort } },
    Mutant(
      "aborts-write-what-was-changed", "What a function changed before it aborted is written.",
      violating: "MUT-13 TXN-3"
    ).function { function in if case let .setThenAbort(value) = function { function = .set(value) }
    },
  ]

  /// Changes mutable data otherwise than it should.
  private func changing(_ change: @escaping @Sendable (JSON) -> [JSON]) -> Mutant {
    asking { asked in
      guard case let .mutableData(value, changes) = asked.subject else { return }
      asked.subject = .mutableData(value, changes: changes.flatMap(change))
    }
  }

  /// Runs other functions than it is given.
  func function(_ change: @escaping @Sendable (inout TransactionFunction) -> Void) -> Mutant {
    calls { operation, _ in
      guard case .transaction(let path, var function, let localEvents) = operation else {
        return nil
      }
      change(&function)
      return .transaction(path, function, localEvents: localEvents)
    }
  }
}

extension InterceptedStep {
  /// The listener of the snapshot that is asked about, unless it has ended.
  func listener(_ asked: Inspection) -> Listener? {
    if case let .snapshot(listener, _) = asked.subject { before[listener] } else { nil }
  }
}

extension Inspection.Subject {
  var kind: Inspection.Kind {
    switch self {
    case .reference: .reference
    case .address: .address
    case .snapshot: .snapshot
    case .mutableData: .mutableData
    case .query: .query
    case .completion: .completion
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
