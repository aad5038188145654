internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What updates write, who sees a write, and what a push makes.

extension Mutant {
  static let updateMutants = [
    Mutant(
      "update-is-a-set", "An update replaces its whole location.", violating: "WRT-4"
    ) { input, _ in
      guard case let .call(call, .update(path, parts)) = input else { return [input] }
      return [.call(call, .set(path, parts.node))]
    },
    updating(
      "updates-merge-deeply", "A child that an update names keeps the children that it had.",
      violating: "WRT-5"
    ) { part, _, _ in
      guard !part.node.children.isEmpty else { return [part] }
      return part.node.children.map { Assignment(part.path.appending($0.key), $0.node) }
    },
    updating(
      "null-is-left-out", "A null in an update is left out.", violating: "WRT-6"
    ) { part, _, _ in part.node.isEmpty ? [] : [part] },
    updating(
      "deep-names-are-cut", "Of a path in an update only the first key counts.",
      violating: "WRT-7", in: [.wilddog2, .firebase]
    ) { part, _, _ in
      [Assignment(Path(Array(part.path.keys.prefix(1))), part.node)]
    },
    updating(
      "priorities-by-name-are-lost", "A priority that an update names is left out.",
      violating: "WRT-27", in: [.firebase]
    ) { part, _, _ in part.path.key == .priority ? [] : [part] },
    updating(
      "updates-keep-priorities", "A child that an update names keeps its priority.",
      violating: "PRI-12"
    ) { part, path, model in
      guard !part.node.isEmpty, part.node.priority == nil,
        let priority = model.node(at: path.appending(part.path))?.priority
      else { return [part] }
      return [Assignment(part.path, part.node.settingPriority(priority))]
    },
    unseen(
      "writes-unseen-below", "A listener does not see what its client writes above it.",
      violating: "WRT-17"
    ) { written, listened in listened != written && listened.starts(with: written) },
    unseen(
      "writes-unseen-above", "A listener does not see what its client writes below it.",
      violating: "WRT-18"
    ) { written, listened in listened != written && written.starts(with: listened) },
    Mutant(
      "equal-writes-raise-again", "A write of what is there already raises the value.",
      violating: "VAL-9 VAL-8"
    ) { step in
      guard step.operation?.isPlainWrite == true, step.outputs.allSatisfy({ $0.event == nil })
      else { return step.outputs }
      return step.outputs
        + step.before.values {
          step.operation?.path?.starts(with: $0.target.path) == true
        }
    },
    Mutant(
      "answers-raise-again", "The answer to a write raises the value once more.",
      violating: "WRT-24"
    ) { step in
      guard let request = step.answered, request.isPlainWrite,
        step.outputs.allSatisfy({ $0.event == nil })
      else { return step.outputs }
      return step.outputs + step.before.values { $0.target.path == request.path }
    },
    Mutant(
      "deep-writes-show-the-part", "A write below an unknown child shows its part of the child.",
      violating: "WRT-21"
    ) { step in
      guard case let .set(path, node)? = step.operation else { return step.outputs }
      return step.outputs
        + step.before.order.compactMap { id -> ClientOutput? in
          guard let listener = step.before.listeners[id], listener.events.contains(.childAdded),
            let way = path.relative(to: listener.target.path), way.count > 1,
            let key = way.keys.first, listener.children[key] == nil
          else { return nil }
          let part = Node.empty.setting(node, at: way.dropFirst())
          return .event(Event(.childAdded, to: id, key: key, previous: .first, value: part))
        }
    },
    Mutant(
      "own-writes-stay-on-top", "What others write later to a location written to is not shown.",
      violating: "WRT-29 EVT-23", remembering: Set<Path>()
    ) { input, _, written in
      if case let .call(_, .set(path, _)) = input { written.insert(path) }
      guard case let .frame(.put(path, _, nil)) = input, written.contains(path) else {
        return [input]
      }
      return []
    },
    Mutant(
      "plain-writes-have-a-hash", "A plain write is sent with the hash of what it writes.",
      violating: "WIR-8"
    ) { step in
      step.requests { request in
        guard case let .put(path, node, nil) = request else { return [request] }
        return [.put(path, node, hash: node.hash)]
      }
    },
    Mutant(
      "push-ids-lack-the-time", "Push ids count up and have no time in them.", violating: "PSH-2",
      deciding: { $0.pushKey = { ids, _, random in ids.next(at: 0, random: &random) } }),
    Mutant(
      "push-ids-are-short", "Push ids have 19 characters.", violating: "PSH-1"
    ) { step in
      guard case .push? = step.operation else { return step.outputs }
      return step.outputs.map { output in
        guard case let .answered(call, key) = output, let text = key.string else { return output }
        return .answered(call, .string(String(text.dropLast())))
      }
    },
    Mutant(
      "chance-begins-alike", "All clients draw the same numbers.", violating: "PSH-4"
    ) { input, _ in
      guard case .open(var opening) = input else { return [input] }
      opening.seed = 1
      return [.open(opening)]
    },
    Mutant(
      "pushes-without-a-value-write", "A push without a value writes true.", violating: "PSH-5"
    ) { input, _ in
      guard case let .call(call, .push(path, nil)) = input else { return [input] }
      return [.call(call, .push(path, Node(true)))]
    },
    Mutant(
      "push-ids-are-given-twice", "Two pushes without a value give one key.", violating: "PSH-8",
      remembering: [Path: JSON]()
    ) { step, given in
      guard case let .push(path, nil)? = step.operation else { return step.outputs }
      return step.outputs.map { output in
        guard case let .answered(call, key) = output else { return output }
        defer { given[path] = given[path] == nil ? key : nil }
        return .answered(call, given[path] ?? key)
      }
    },
  ]

  private static func updating(
    _ name: String, _ sentence: String, violating rules: String,
    in profiles: [Profile] = Profile.all,
    _ change: @escaping @Sendable (Assignment, Path, ClientModel) -> [Assignment]
  ) -> Mutant {
    Mutant(name, sentence, violating: rules, in: profiles) { input, model in
      guard case let .call(call, .update(path, parts)) = input else { return [input] }
      return [.call(call, .update(path, parts.flatMap { change($0, path, model) }))]
    }
  }

  /// One whose own writes some listeners are not shown.
  private static func unseen(
    _ name: String, _ sentence: String, violating rules: String,
    where isUnseen: @escaping @Sendable (_ written: Path, _ listened: Path) -> Bool
  ) -> Mutant {
    Mutant(name, sentence, violating: rules) { step in
      guard step.operation?.isPlainWrite == true, let path = step.operation?.path else {
        return step.outputs
      }
      return step.withoutEvents { event in
        step.before.listeners[event.listener].map { isUnseen(path, $0.target.path) } ?? false
      }
    }
  }
}
