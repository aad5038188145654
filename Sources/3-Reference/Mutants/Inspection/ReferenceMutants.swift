internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What references and queries answer.

extension Mutant {
  static let referenceMutants = [
    Mutant(
      "root-of-the-other-edition", "The root has the parent that it has in the other edition.",
      violating: "REF-4", in: Profile.all,
      reading: { $0.rootParent = $0.rootParent == .itself ? .nothing : .itself }),
    answering(
      "keys-are-first-names", "The key of a reference is the first one of its path.",
      violating: "REF-10", to: [.reference, .address], "key"
    ) { asked, answer in
      guard case let .reference(path) = asked.subject, let key = path.keys.first else {
        return answer
      }
      return .string(key.string)
    },
    answering(
      "parents-are-the-root", "The parent of every reference is the root.", violating: "REF-11",
      to: [.reference], "parent"
    ) { _, answer in answer == .null ? answer : "/" },
    answering(
      "roots-are-one-up", "What a reference gives as the root is its own location.",
      violating: "REF-12", to: [.reference], "root"
    ) { asked, answer in
      guard case let .reference(path) = asked.subject else { return answer }
      return .string(path.appending(asked.part).description)
    },
    answering(
      "descriptions-lack-the-path", "The description of a reference is the address of its host.",
      violating: "REF-9", to: [.reference, .address], "description"
    ) { _, _ in "https://kennel.test" },
    answering(
      "equal-by-spelling", "References are equal where their paths are spelt alike.",
      violating: "REF-3 REF-6", to: [.reference], "equals"
    ) { asked, answer in
      guard case let .reference(path) = asked.subject else { return answer }
      return .bool(.string(path.relativeText) == asked.argument)
    },
    answering(
      "query-refs-keep-the-query", "The reference of a query names its conditions.",
      violating: "QRY-25", to: [.query, .snapshot], "ref"
    ) { _, answer in
      guard let path = answer.string else { return answer }
      return .string(path + "?")
    },
    answering(
      "conditions-change-the-query", "A condition changes the query that it is added to.",
      violating: "QRY-26", to: [.query], "valid"
    ) { asked, answer in asked.argument == .null ? answer : false },
    asking(
      "addresses-lack-the-path", "A reference made from an address names the root.",
      violating: "REF-8"
    ) { asked in
      guard case let .address(text) = asked.subject else { return }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).prefix(3)
      asked.subject = .address(parts.joined(separator: "/"))
    },
    asking(
      "one-name-at-a-time", "Of a relative path of a child only the first key is used.",
      violating: "REF-2 REF-13"
    ) { asked in
      guard asked.question == "child", let text = asked.argument.string,
        let key = Path(text).keys.first
      else { return }
      asked.argument = .string(key.string)
    },
    Mutant(
      "references-load", "Asking a reference for a part of it loads its location.",
      violating: "REF-15", remembering: [Path]()
    ) { step, waiting in
      if case let .inspect(asked)? = step.operation, case let .reference(path) = asked.subject {
        waiting.append(path)
      }
      guard step.after.hasReceivedHello else { return step.outputs }
      defer { waiting = [] }
      return step.outputs + waiting.map { .send(.request(0, .listen(.init(path: $0)))) }
    },
  ]

  /// One that gives wrong answers to some question about subjects of these kinds.
  static func answering(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String,
    in profiles: [Profile] = Profile.all, to kinds: [Inspection.Kind], _ questions: String...,
    with change: @escaping @Sendable (Inspection, JSON) -> JSON
  ) -> Mutant {
    Mutant(name, sentence, from: origin, violating: rules, in: profiles) { step in
      guard case let .inspect(asked)? = step.operation, questions.contains(asked.question),
        kinds.contains(asked.subject.kind)
      else { return step.outputs }
      return step.outputs.map { output in
        guard case let .answered(call, answer) = output else { return output }
        return .answered(call, change(asked, answer))
      }
    }
  }

  /// One that answers another question than was asked.
  static func asking(
    _ name: String, _ sentence: String, violating rules: String,
    in profiles: [Profile] = Profile.all,
    _ change: @escaping @Sendable (inout Inspection) -> Void
  ) -> Mutant {
    Mutant(name, sentence, violating: rules, in: profiles) { input, _ in
      guard case .call(let call, .inspect(var asked)) = input else { return [input] }
      change(&asked)
      return [.call(call, .inspect(asked))]
    }
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
