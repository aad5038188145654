internal import ClientInterface
internal import Interception
internal import Tree

// What snapshots answer.

extension Mutant {
  static let snapshotAnswerMutants = [
    Mutant(
      "snapshots-end-with-the-listener", "A snapshot is empty once its listener is removed.",
      violating: "SNP-1"
    ) { step in
      guard case let .inspect(asked)? = step.operation,
        case let .snapshot(listener, _) = asked.subject,
        step.before.listeners[listener] == nil, asked.question == "value"
      else { return step.outputs }
      return step.outputs.map { output in
        if case let .answered(call, _) = output { .answered(call, .null) } else { output }
      }
    },
    asking(
      "parts-of-one-name", "The part of a snapshot for a deep path is that for its first key.",
      violating: "SNP-5 SNP-14"
    ) { asked in
      guard case .snapshot = asked.subject else { return }
      asked.part = Path(Array(asked.part.keys.prefix(1)))
    },
    answering(
      "exports-without-priorities", "The export format leaves priorities out.",
      violating: "SNP-8", to: [.snapshot], "export"
    ) { _, answer in answer.withoutPriorities },
    answering(
      "priorities-are-texts", "The priority of a snapshot is a text.", violating: "SNP-9 SNP-19",
      to: [.snapshot], "priority"
    ) { _, answer in answer.number.map { .string(canonicalText(of: $0)) } ?? answer },
    asking(
      "values-with-priorities", "The value of a snapshot has the priorities in it.",
      violating: "SNP-11 PRI-14"
    ) { asked in
      if case .snapshot = asked.subject, asked.question == "value" { asked.question = "export" }
    },
    Mutant(
      "falsehood-does-not-exist", "A snapshot of false, zero or the empty text does not exist.",
      violating: "SNP-12"
    ) { step in
      guard case let .inspect(asked)? = step.operation,
        case let .snapshot(listener, _) = asked.subject,
        asked.question == "exists",
        let scalar = step.before.listeners[listener]?.value?[asked.part].scalar,
        [false, 0, ""].contains(scalar)
      else { return step.outputs }
      return step.outputs.map { output in
        if case let .answered(call, _) = output { .answered(call, false) } else { output }
      }
    },
    answering(
      "no-child-is-deep", "A snapshot has no child at a path of several keys.",
      violating: "SNP-13", to: [.snapshot], "hasChild"
    ) { asked, answer in
      Path(asked.argument.string ?? "").count > 1 ? false : answer
    },
    Mutant(
      "priorities-are-children", "A priority counts as a child of its node.",
      violating: "SNP-15"
    ) { step in
      guard case let .inspect(asked)? = step.operation,
        case let .snapshot(listener, _) = asked.subject,
        asked.question == "childrenCount",
        step.before.listeners[listener]?.value?[asked.part].priority != nil
      else { return step.outputs }
      return step.outputs.map { output in
        guard case let .answered(call, answer) = output else { return output }
        return .answered(call, .number((answer.number ?? 0) + 1))
      }
    },
    answering(
      "snapshots-have-no-key", "A snapshot of a part has no key.", violating: "SNP-17",
      to: [.snapshot], "key"
    ) { _, _ in .null },
    answering(
      "snapshot-refs-are-one-up", "The reference of a snapshot names the location above.",
      violating: "SNP-18", to: [.snapshot], "ref"
    ) { _, answer in
      .string((Path(answer.string ?? "").parent ?? .root).description)
    },
    answering(
      "gaps-are-closed", "What follows a gap of a list moves up.", violating: "SNP-20",
      to: [.snapshot], "value"
    ) { _, answer in answer.elements.map { .array($0.filter { $0 != .null }) } ?? answer },
    answering(
      "lists-all-or-none", "Where a mapping inside is no list, none around it is.",
      violating: "SNP-21", to: [.snapshot], "value"
    ) { _, answer in
      guard let elements = answer.elements, elements.contains(where: { $0.members != nil }) else {
        return answer
      }
      return answer.withoutLists
    },
    answering(
      "inner-children-by-key", "Children inside of a child are listed by their keys.",
      violating: "SNP-22", in: [.wilddog2, .firebase], to: [.snapshot], "children"
    ) { asked, answer in
      guard !asked.part.isRoot, let keys = answer.elements else { return answer }
      return .array(keys.sorted { ($0.string ?? "") < ($1.string ?? "") })
    },
  ]
}
