internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What is shown of writes, and how they end.

extension Mutant {
  static let writeMutants =
    [
      Mutant(
        "refusal-raises-nothing", "A refused write is taken back without an event.", from: "C13",
        violating: "WRT-14"
      ) {
        step in
        guard let response = step.response, response.status != "ok" else { return step.outputs }
        return step.outputs.filter { $0.event == nil }
      },
      Mutant(
        "refusal-wipes-siblings",
        "Taking a refused write back takes pending writes next to it back as well.", from: "C12",
        violating: "WRT-15",
        deciding: { $0.survives = { $0.parent != $1.parent } }),
      Mutant(
        "data-over-pending-writes", "Data from the server are shown over pending writes.",
        from: "C14", violating: "OFF-6 WRT-13",
        deciding: { $0.layers = { sets, onNewData in onNewData ? [] : sets } }),
      Mutant(
        "data-dropped-while-pending",
        "What others write where a write is pending is never taken in.", from: "C15"
      ) { input, model in
        guard let path = input.dataPath else { return [input] }
        let isPending = model.pendingWrites.contains { $0.path?.isRelated(to: path) == true }
        return isPending ? [] : [input]
      },
      Mutant(
        "earlier-writes-on-top", "Of two pending writes to one location the earlier one is shown.",
        from: "ACC-103", violating: "WRT-13",
        deciding: { $0.layers = { sets, _ in sets.reversed() } }),
      Mutant(
        "accepted-writes-vanish",
        "A write that is accepted is not shown until its data are sent.", from: "R10",
        violating: "WRT-16",
        deciding: { $0.acceptedWritesStay = false }),
      Mutant(
        "older-writes-hide-withdrawals",
        "A write that is taken back stays shown where an older one is pending.", from: "ACC-102",
        violating: "WRT-15",
        deciding: { $0.hides = { _, isVisible in isVisible } }),
      Mutant(
        "update-path-by-path", "An update is done as a write for each of its locations.",
        from: "C27", violating: "EVT-14 WIR-9 WRT-23",
        remembering: [CallID: Int]()
      ) { input, _, parts in
        guard case let .call(call, .update(path, assignments)) = input, assignments.count > 1 else {
          return [input]
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
      ) { input, _ in
        guard case let .frame(.merge(path, assignments, tag)) = input else { return [input] }
        return assignments.map { .frame(.put(path.appending($0.path), $0.node, tag: tag)) }
      },
      Mutant(
        "update-shows-its-first-part", "An update shows its first part only, until it is answered.",
        from: "S11", violating: "WRT-5", remembering: 0
      ) { step, _ in
        guard case let .update(path, assignments)? = step.operation, assignments.count > 1 else {
          return step.outputs
        }
        let others = assignments.dropFirst().map { path.appending($0.path) }
        return step.withoutEvents { event in
          guard event.type != .value, let key = event.key,
            let childPath = step.before.listeners[event.listener]?.target.path.appending(key)
          else { return false }
          return others.contains { $0.starts(with: childPath) }
        }
      },
      Mutant(
        "priority-lost-by-children", "Writing below a child takes away its priority.", from: "H6",
        violating: "PRI-10"
      ) { input, model in
        guard case let .call(call, .set(path, node)) = input, let parent = path.parent else {
          return [input]
        }
        let isKnown = !model.listeners {
          $0.value?.priority != nil && $0.target.path == parent
        }.isEmpty
        return isKnown
          ? [
            .call(
              call,
              .update(
                parent,
                [
                  Assignment(Path([path.key ?? .priority]), node),
                  Assignment(Path([.priority]), .empty),
                ]))
          ] : [input]
      },
    ] + endMutants

  private static let endMutants = [
    Mutant(
      "writes-end-at-once", "A write succeeds without waiting for the server.", from: "S2",
      violating: "WRT-10"
    ) {
      step in
      let rest = step.outputs.filter { !$0.isEnd }
      if case let .call(call, .set) = step.input, step.outputs.allSatisfy({ !$0.isEnd }) {
        return rest + [.completed(call, .ok)]
      }
      return rest
    },
    Mutant(
      "writes-end-twice", "A write is completed twice.", from: "C11", violating: "WRT-10 TXN-18"
    ) { step in
      step.outputs.flatMap { $0.isEnd ? [$0, $0] : [$0] }
    },
    Mutant(
      "nothing-ends", "No write is ever completed.", from: "C30 R42", violating: "WRT-10"
    ) { step in
      step.outputs.filter { !$0.isEnd }
    },
    Mutant(
      "answer-ends-the-newest",
      "An answer is taken for that to the newest write at the same location.", from: "C10",
      violating: "WRT-12"
    ) { input, model in
      guard case .frame(.response(var response)) = input,
        let request = model.requests[response.request], request.isPlainWrite,
        let newest = model.outstanding.last(where: {
          $0.request.isPlainWrite && $0.request.path == request.path
        })
      else { return [input] }
      response.request = newest.number
      return [.frame(.response(response))]
    },
    Mutant(
      "data-taken-for-the-answer", "Data at the location of a write are taken for its answer.",
      from: "C10", remembering: Set<Int>()
    ) { input, model, answered in
      switch input {
      case let .frame(.response(response)) where answered.contains(response.request): return []
      case .frame(.put(let path, _, nil)), .frame(.merge(let path, _, nil)):
        let write = model.outstanding.first { $0.request.isPlainWrite && $0.request.path == path }
        guard let write else { return [input] }
        answered.insert(write.number)
        return [input, .frame(.response(.init(to: write.number)))]
      default: return [input]
      }
    },
    Mutant(
      "errors-are-not-told", "A write that the server refuses succeeds.",
      from: "H13", violating: "ACC-6 OND-15"
    ) { step in
      step.outputs.map { output in
        guard case let .completed(call, completion) = output, completion.committed == nil else {
          return output
        }
        return .completed(call, .ok)
      }
    },
    Mutant(
      "writes-fail-with-the-connection",
      "Writes that wait for an answer fail when the connection breaks.", from: "R41 H14",
      violating: "OFF-4",
      remembering: Set<CallID>()
    ) { step, failed in
      var outputs = step.outputs.filter { output in
        if case let .completed(call, _) = output { !failed.contains(call) } else { true }
      }
      if step.input == .closed {
        for call in step.after.callOrder where failed.insert(call).inserted {
          outputs.append(.completed(call, Completion(error: "disconnect")))
        }
      }
      return outputs
    },
    Mutant(
      "push-ids-by-chance", "Push ids of one moment are in no order.", from: "S10",
      violating: "PSH-3",
      deciding: {
        $0.pushKey = { ids, time, random in
          ids = PushIDGenerator()
          return ids.next(at: time, random: &random)
        }
      }),
  ]
}
