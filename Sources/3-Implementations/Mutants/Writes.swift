internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// Writes: what they write, what is shown of them, and how they end.

extension Mutant {
  // What is shown of writes, and how they end.

  static let writeMutants: [Mutant] =
    [
      Mutant(
        "refusal-raises-nothing", "A refused write is taken back without an event.", from: "C13",
        violating: "WRT-14"
      ).outputs(when: \.isRefusal) { $0.outputs.filter { $0.event == nil } },
      Mutant(
        "refusal-wipes-siblings",
        "Taking a refused write back takes pending writes next to it back as well.", from: "C12",
        violating: "WRT-15"
      ).deciding { $0.survives = { $0.parent != $1.parent } },
      Mutant(
        "data-over-pending-writes", "Data from the server are shown over pending writes.",
        from: "C14", violating: "OFF-6 WRT-13"
      ).deciding { $0.layers = { sets, onNewData in onNewData ? [] : sets } },
      Mutant(
        "data-dropped-while-pending",
        "What others write where a write is pending is never taken in.", from: "C15"
      ).ignoring { input, model in
        guard let path = input.dataPath else { return false }
        return model.application.calls.pending.contains {
          $0.operation.path?.isRelated(to: path) == true
        }
      },
      Mutant(
        "earlier-writes-on-top", "Of two pending writes to one location the earlier one is shown.",
        from: "ACC-103", violating: "WRT-13"
      ).deciding { $0.layers = { sets, _ in sets.reversed() } },
      Mutant(
        "accepted-writes-vanish", "A write that is accepted is not shown until its data are sent.",
        from: "R10", violating: "WRT-16"
      ).deciding { $0.acceptedWritesStay = false },
      Mutant(
        "older-writes-hide-withdrawals",
        "A write that is taken back stays shown where an older one is pending.", from: "ACC-102",
        violating: "WRT-15"
      ).deciding { $0.hides = { _, isVisible in isVisible } },
      Mutant(
        "update-path-by-path", "An update is done as a write for each of its locations.",
        from: "C27", violating: "EVT-14 WIR-9 WRT-23"
      ).inputs(remembering: [CallID: Int]()) { input, _, parts in
        guard case let .call(call, .update(path, assignments)) = input, assignments.count > 1 else {
          return nil
        }
        parts[call] = assignments.count
        return assignments.map { .call(call, .set(path.appending($0.path), $0.node)) }
      } does: { step, parts in
        step.outputs.filter { output in
          guard case let .completed(call, _) = output, let left = parts[call] else { return true }
          parts[call] = left - 1
          return left == 1
        }
      },
      Mutant(
        "merge-path-by-path", "A merge by another client is applied location by location.",
        from: "C27", violating: "EVT-14"
      ).inputs { input, _ in
        guard case let .frame(.merge(path, assignments, tag)) = input else { return nil }
        return assignments.map { .frame(.put(path.appending($0.path), $0.node, tag: tag)) }
      },
      Mutant(
        "update-shows-its-first-part", "An update shows its first part only, until it is answered.",
        from: "S11", violating: "WRT-5"
      ).outputs { step in
        guard case let .update(path, assignments)? = step.operation else { return nil }
        let others = assignments.dropFirst().map { path.appending($0.path) }
        return step.withoutEvents { event in
          guard event.type != .value, let key = event.key,
            let childPath = step.before[event.listener]?.target.path.appending(key)
          else { return false }
          return others.contains { $0.starts(with: childPath) }
        }
      },
      Mutant(
        "priority-lost-by-children", "Writing below a child takes away its priority.", from: "H6",
        violating: "PRI-10"
      ).calls { operation, model in
        guard case let .set(path, node) = operation, let parent = path.parent,
          model.listeners.contains(where: {
            $0.target.path == parent && $0.value?.priority != nil
          })
        else { return nil }
        let child = Assignment(Path([path.key ?? .priority]), node)
        return .update(parent, [child, Assignment(Path([.priority]), .empty)])
      },
    ] + endMutants

  private static let endMutants: [Mutant] = [
    Mutant(
      "writes-end-at-once", "A write succeeds without waiting for the server.", from: "S2",
      violating: "WRT-10"
    ).outputs { step in
      let rest = step.outputs.filter { !$0.isEnd }
      guard case let .call(call, .set) = step.input, rest == step.outputs else { return rest }
      return rest + [.completed(call, .ok)]
    },
    Mutant(
      "writes-end-twice", "A write is completed twice.", from: "C11", violating: "WRT-10 TXN-18"
    ).twice(\.isEnd),
    Mutant("nothing-ends", "No write is ever completed.", from: "C30 R42", violating: "WRT-10")
      .outputs { $0.outputs.filter { !$0.isEnd } },
    Mutant(
      "answer-ends-the-newest",
      "An answer is taken for that to the newest write at the same location.", from: "C10",
      violating: "WRT-12"
    ).inputs { input, model in
      guard case .frame(.response(var response)) = input,
        let request = model.request(answeredBy: response), request.isPlainWrite,
        let newest = model.outstanding.last(where: {
          $0.request.isPlainWrite && $0.request.path == request.path
        })
      else { return nil }
      response.request = newest.number
      return [.frame(.response(response))]
    },
    Mutant(
      "data-taken-for-the-answer", "Data at the location of a write are taken for its answer.",
      from: "C10"
    ).inputs(remembering: Set<Int>()) { input, model, answered in
      switch input {
      case let .frame(.response(response)) where answered.contains(response.request): return []
      case .frame(.put(let path, _, nil)), .frame(.merge(let path, _, nil)):
        let write = model.outstanding.first { $0.request.isPlainWrite && $0.request.path == path }
        guard let write else { return nil }
        answered.insert(write.number)
        return [input, .frame(.response(.init(to: write.number)))]
      default: return nil
      }
    },
    Mutant(
      "errors-are-not-told", "A write that the server refuses succeeds.", from: "H13",
      violating: "ACC-6 OND-15"
    ).outputs { step in
      step.completions { if $1.committed == nil { $1 = .ok } }
    },
    Mutant(
      "refused-is-nothing",
      "After a refused write a listener that waits for the server is told that nothing is there.",
      violating: "EVT-18"
    ).outputs { step in
      guard step.isRefusal, case let .put(path, _, _)? = step.answered,
        step.after.outstanding.contains(where: { $0.request.isListen && $0.request.path == path })
      else { return nil }
      let waiting = step.after.listeners.filter {
        $0.target == .init(path) && $0.types.contains(.value)
      }
      return step.outputs
        + waiting.map {
          .event(Event(.value, to: $0.id, key: path.key, value: .empty, order: .sorted(.priority)))
        }
    },
    Mutant(
      "writes-fail-with-the-connection",
      "Writes that wait for an answer fail when the connection breaks.", from: "R41 H14",
      violating: "OFF-4"
    ).outputs(remembering: Set<CallID>()) { step, failed in
      let outputs = step.outputs.filter { output in
        if case let .completed(call, _) = output { !failed.contains(call) } else { true }
      }
      guard step.input == .closed else { return outputs }
      let ended = step.after.application.calls.pending.map(\.call)
      return outputs
        + ended.filter { failed.insert($0).inserted }
        .map { .completed($0, Completion(error: "disconnect")) }
    },
    Mutant(
      "push-ids-by-chance", "Push ids of one moment are in no order.", from: "S10",
      violating: "PSH-3"
    ).deciding {
      $0.pushKey = { ids, time, random in
        ids = PushIDGenerator()
        return ids.next(at: time, random: &random)
      }
    },
  ]

  // What updates write, who sees a write, and what a push makes.

  static let updateMutants: [Mutant] = [
    Mutant("update-is-a-set", "An update replaces its whole location.", violating: "WRT-4").calls {
      operation, _ in
      if case let .update(path, parts) = operation { .set(path, parts.node) } else { nil }
    },
    Mutant(
      "updates-merge-deeply", "A child that an update names keeps the children that it had.",
      violating: "WRT-5"
    ).updates { part, _, _ in
      guard !part.node.children.isEmpty else { return [part] }
      return part.node.children.map { Assignment(part.path.appending($0.key), $0.node) }
    },
    Mutant("null-is-left-out", "A null in an update is left out.", violating: "WRT-6").updates {
      part, _, _ in part.node.isEmpty ? [] : [part]
    },
    Mutant(
      "deep-names-are-cut", "Of a path in an update only the first key counts.", violating: "WRT-7",
      in: [.wilddog2, .firebase]
    ).updates { part, _, _ in
      [Assignment(Path(Array(part.path.keys.prefix(1))), part.node)]
    },
    Mutant(
      "priorities-by-name-are-lost", "A priority that an update names is left out.",
      violating: "WRT-27", in: [.firebase]
    ).updates { part, _, _ in part.path.key == .priority ? [] : [part] },
    Mutant(
      "updates-keep-priorities", "A child that an update names keeps its priority.",
      violating: "PRI-12"
    ).updates { part, path, model in
      guard !part.node.isEmpty, part.node.priority == nil,
        let priority = model.node(at: path.appending(part.path))?.priority
      else { return [part] }
      return [Assignment(part.path, part.node.settingPriority(priority))]
    },
    Mutant(
      "writes-unseen-below", "A listener does not see what its client writes above it.",
      violating: "WRT-17"
    ).unseen { written, listened in listened != written && listened.starts(with: written) },
    Mutant(
      "writes-unseen-above", "A listener does not see what its client writes below it.",
      violating: "WRT-18 WRT-8"
    ).unseen { written, listened in listened != written && written.starts(with: listened) },
    Mutant(
      "equal-writes-raise-again", "A write of what is there already raises the value.",
      violating: "VAL-9 VAL-8 EVT-12 EVT-13"
    ).outputs(when: \.raisesNothing) { step in
      guard let operation = step.operation, operation.isPlainWrite, let path = operation.path else {
        return nil
      }
      return step.outputs + step.before.values { path.starts(with: $0.target.path) }
    },
    Mutant(
      "answers-raise-again", "The answer to a write raises the value once more.",
      violating: "WRT-24 WRT-9 EVT-12 EVT-13"
    ).outputs(when: \.raisesNothing) { step in
      guard let request = step.answered, request.isPlainWrite else { return nil }
      return step.outputs + step.before.values { $0.target.path == request.path }
    },
    Mutant(
      "deep-writes-show-the-part", "A write below an unknown child shows its part of the child.",
      violating: "WRT-21"
    ).outputs { step in
      guard case let .set(path, node)? = step.operation else { return nil }
      let parts = step.before.listeners.compactMap { listener -> ClientOutput? in
        guard listener.types.contains(.childAdded),
          let way = path.relative(to: listener.target.path), way.count > 1,
          let key = way.keys.first, listener.children[key].isEmpty
        else { return nil }
        let part = Node.empty.setting(node, at: way.dropFirst())
        return .event(Event(.childAdded, to: listener.id, key: key, previous: .first, value: part))
      }
      return step.outputs + parts
    },
    Mutant(
      "own-writes-stay-on-top", "What others write later to a location written to is not shown.",
      violating: "WRT-29 EVT-23"
    ).inputs(remembering: Set<Path>()) { input, _, written in
      if case let .call(_, .set(path, _)) = input { written.insert(path) }
      guard case let .frame(.put(path, _, nil)) = input, written.contains(path) else { return nil }
      return []
    },
    Mutant(
      "plain-writes-have-a-hash", "A plain write is sent with the hash of what it writes.",
      violating: "WIR-8"
    ).requests { request in
      guard case let .put(path, node, nil) = request else { return nil }
      return [.put(path, node, hash: node.hash)]
    },
    Mutant(
      "push-ids-lack-the-time", "Push ids count up and have no time in them.", violating: "PSH-2"
    ).deciding { $0.pushKey = { ids, _, random in ids.next(at: 0, random: &random) } },
    Mutant(
      "push-ids-count-tenths", "The time in push ids is in tenths of a second.", violating: "PSH-2"
    ).deciding { $0.pushKey = { ids, time, random in ids.next(at: time / 100, random: &random) } },
    Mutant(
      "push-ids-leave-some-out", "Push ids of one moment go up by two.", violating: "PSH-3"
    ).deciding {
      $0.pushKey = { ids, time, random in
        _ = ids.next(at: time, random: &random)
        return ids.next(at: time, random: &random)
      }
    },
    Mutant("push-ids-are-short", "Push ids have 19 characters.", violating: "PSH-1").outputs {
      step in
      guard case .push? = step.operation else { return nil }
      return step.answers { key in key.string.map { .string(String($0.dropLast())) } ?? key }
    },
    Mutant("chance-begins-alike", "All clients draw the same numbers.", violating: "PSH-4").opening
    { $0.seed = 1 },
    Mutant(
      "pushes-without-a-value-write", "A push without a value writes true.", violating: "PSH-5"
    ).calls { operation, _ in
      if case let .push(path, nil) = operation { .push(path, Node(true)) } else { nil }
    },
    Mutant(
      "push-ids-are-given-twice", "Two pushes without a value give one key.", violating: "PSH-8"
    ).outputs(remembering: [Path: JSON]()) { step, given in
      guard case let .push(path, nil)? = step.operation else { return nil }
      return step.answers { key in
        defer { given[path] = given[path] == nil ? key : nil }
        return given[path] ?? key
      }
    },
  ]

  /// Writes something else for the parts of an update.
  private func updates(
    _ change: @escaping @Sendable (Assignment, Path, ClientModel) -> [Assignment]
  ) -> Mutant {
    calls { operation, model in
      guard case let .update(path, parts) = operation else { return nil }
      return .update(path, parts.flatMap { change($0, path, model) })
    }
  }

  /// Does not show some listeners its own writes.
  private func unseen(
    _ isUnseen: @escaping @Sendable (_ written: Path, _ listened: Path) -> Bool
  ) -> Mutant {
    withoutEvents { step, event in
      guard step.operation?.isPlainWrite == true, let path = step.operation?.path,
        let listened = step.before[event.listener]?.target.path
      else { return false }
      return isUnseen(path, listened)
    }
  }

  // What a write writes.

  static let writtenValueMutants: [Mutant] = [
    Mutant("booleans-are-numbers", "Booleans are written as 1 and 0.", violating: "VAL-1 VAL-12")
      .sets { node in
        node = node.mappingScalars { scalar in
          if case let .bool(bool) = scalar { bool ? 1 : 0 } else { scalar }
        }
      },
    Mutant(
      "lists-begin-at-one", "The first element of a list is written under the key 1.",
      violating: "VAL-5"
    ).sets { node in
      guard !node.children.isEmpty, node.children.keys.allSatisfy({ $0.integer != nil }) else {
        return
      }
      node = Node(
        Children(node.children.map { (Key(String(($0.key.integer ?? 0) + 1)), $0.node) }))
    },
    Mutant(
      "inner-priorities-are-lost", "Priorities inside of a written value are lost.",
      violating: "PRI-9", in: [.wilddog2, .firebase]
    ).sets { node in
      guard !node.isScalar else { return }
      node = Node(
        Children(node.children.map { ($0.key, $0.node.withoutPriorities) }),
        priority: node.priority)
    },
    Mutant(
      "priority-zero-by-default", "What is written without a priority gets 0.", violating: "PRI-13"
    ).sets { node in
      if !node.isEmpty, node.priority == nil { node = node.settingPriority(0) }
    },
    Mutant(
      "server-time-is-no-priority", "The placeholder for the time is lost as a priority.",
      violating: "SRV-7"
    ).sets { node in
      if case .serverValue? = node.priority { node = node.settingPriority(nil) }
    },
    Mutant(
      "inner-placeholders-are-lost", "A placeholder inside of a written value is written as 0.",
      violating: "SRV-9"
    ).sets { node in
      guard !node.isScalar else { return }
      node = node.mappingScalars { if case .serverValue = $0 { 0 } else { $0 } }
    },
    Mutant(
      "set-keeps-the-priority", "A set keeps the priority that the location had.",
      violating: "WRT-3 PRI-5"
    ).calls { operation, model in
      guard case let .set(path, node) = operation, node.priority == nil,
        let priority = model.node(at: path)?.priority
      else { return nil }
      return .set(path, node.settingPriority(priority))
    },
    Mutant("set-is-a-merge", "A set leaves the children that it does not name.", violating: "WRT-1")
      .calls { operation, _ in
        guard case let .set(path, node) = operation, !node.children.isEmpty else { return nil }
        return .update(path, node.children.map { Assignment(Path([$0.key]), $0.node) })
      },
    Mutant("null-is-not-written", "A set of null is not sent.", violating: "VAL-2 WRT-2").outputs {
      step in
      guard case .set(_, .empty)? = step.operation else { return nil }
      return step.withoutRequests(\.isPlainWrite).filter { $0.event == nil }
    },
    Mutant(
      "writes-replace-siblings", "A write of a child replaces the children beside it.",
      violating: "VAL-11"
    ).calls { operation, _ in
      guard case let .set(path, node) = operation, path.count > 1, let key = path.key,
        let parent = path.parent
      else { return nil }
      return .set(parent, Node(Children([(key, node)])))
    },
    Mutant("leaves-stay-leaves", "A write below a leaf is ignored.", violating: "VAL-10 WRT-22")
      .ignoring { input, model in
        guard case let .call(_, operation) = input, operation.isPlainWrite,
          let parent = operation.path?.parent
        else { return false }
        return model.node(at: parent)?.isScalar == true
      },
    Mutant(
      "deep-writes-are-lost", "A write below a location that does not exist is not sent.",
      violating: "REF-1 WRT-26"
    ).outputs { step in
      step.withoutRequests { request in
        guard request.isPlainWrite, let path = request.path, path.count > 1 else { return false }
        return step.before.node(at: Path(Array(path.keys.prefix(1))))?.isEmpty ?? true
      }
    },
    Mutant(
      "writes-need-a-listener", "A write is sent where something is listened to, nowhere else.",
      violating: "WRT-19"
    ).outputs(when: \.before.listeners.isEmpty) { $0.withoutRequests(\.isPlainWrite) },
    Mutant(
      "value-then-priority", "Value and priority are written one after the other.",
      violating: "PRI-6"
    ).inputs { input, _ in
      guard case let .call(call, .set(path, node)) = input, let priority = node.priority else {
        return nil
      }
      return [
        .call(CallID(call.name + " value"), .set(path, node.settingPriority(nil))),
        .call(call, .setPriority(path, priority.json)),
      ]
    },
    Mutant(
      "priority-alone-sets-the-value", "Setting the priority alone sets the value to true.",
      violating: "PRI-7"
    ).calls { operation, model in
      guard case let .setPriority(path, priority) = operation,
        model.node(at: path)?.isEmpty == false
      else { return nil }
      return .set(path, Node(true, priority: Scalar(priority)))
    },
    Mutant(
      "priority-creates", "Setting the priority of an empty location writes true there.",
      violating: "PRI-8"
    ).calls { operation, model in
      guard case let .setPriority(path, given) = operation, let priority = Scalar(given),
        model.node(at: path)?.isEmpty == true
      else { return nil }
      return .set(path, Node(true, priority: priority))
    },
    Mutant(
      "priorities-end-at-once", "Setting a priority succeeds without waiting for the server.",
      violating: "PRI-15 WRT-10"
    ).outputs { step in
      guard case let .call(call, .setPriority) = step.input, !step.raisesNothing else { return nil }
      return step.outputs + [.completed(call, .ok)]
    },
  ]

  /// Writes something else by a set.
  func sets(_ change: @escaping @Sendable (inout Node) -> Void) -> Mutant {
    calls { operation, _ in
      guard case .set(let path, var node) = operation else { return nil }
      change(&node)
      return .set(path, node)
    }
  }

  // What the server fills in.

  static let serverValueMutants: [Mutant] = [
    Mutant(
      "increment-counts-twice", "An increment is shown added twice until it is answered.",
      from: "C25 R57", violating: "SRV-8"
    ).deciding { $0.estimate = { node, time, once in node.resolved(time: time, over: once) } },
    Mutant(
      "server-time-is-not-corrected", "The server's time is never shown in place of the estimate.",
      from: "C26", violating: "SRV-4 SRV-3"
    ).ignoring { input, model in
      guard let path = input.dataPath else { return false }
      return model.outstanding.contains { _, request in
        guard case let .put(target, node, nil) = request else { return false }
        return target.isRelated(to: path) && node.hasServerValues
      }
    },
    Mutant(
      "server-time-is-not-estimated",
      "A write of the server's time is not shown until the server sends it.", from: "R6",
      violating: "SRV-3"
    ).withoutEvents { step, _ in
      if case let .set(_, node)? = step.operation { node.hasServerValues } else { false }
    },
    Mutant(
      "server-time-raised-twice",
      "The server's time raises a value even where it is what was estimated.", from: "R6",
      violating: "SRV-4"
    ).outputs(when: \.raisesNothing) { step in
      guard case let .put(path, node, _)? = step.answered, node.hasServerValues else { return nil }
      return step.outputs + step.before.values { path.starts(with: $0.target.path) }
    },
    Mutant(
      "clock-difference-is-zero", "The difference to the server's clock is always nothing.",
      from: "H10", violating: "SRV-5 SRV-11"
    ).events(.value) { step, event in
      let path = step.after[event.listener]?.target.path
      if path == Path(".info/serverTimeOffset"), !event.value.isEmpty { event.value = Node(0) }
    },
    Mutant(
      "placeholders-are-filled-in", "The client's time is sent, not the placeholder.", from: "S10",
      violating: "SRV-6"
    ).outputs(remembering: [Path: Double]()) { step, times in
      if case let .set(path, _)? = step.operation { times[path] = step.now.milliseconds }
      return step.requests { request in
        guard case let .put(path, node, hash) = request, node.hasServerValues else { return nil }
        let time = times[path] ?? step.now.milliseconds
        return [
          .put(path, node.mappingScalars { $0.isServerTime ? .number(time) : $0 }, hash: hash)
        ]
      }
    },
  ]
}

extension Scalar {
  fileprivate var isServerTime: Bool {
    if case .serverValue(.timestamp) = self { true } else { false }
  }
}
