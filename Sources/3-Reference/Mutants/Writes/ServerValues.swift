internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What the server fills in.

extension Mutant {
  static let serverValueMutants = [
    Mutant(
      "increment-counts-twice", "An increment is shown added twice until it is answered.",
      from: "C25 R57", violating: "SRV-8",
      deciding: { $0.estimate = { node, time, once in node.resolved(time: time, over: once) } }),
    Mutant(
      "server-time-is-not-corrected",
      "The server's time is never shown in place of the estimate.", from: "C26", violating: "SRV-4"
    ) { input, model in
      guard let path = input.dataPath else { return [input] }
      let isPending = model.outstanding.contains { _, request in
        guard case let .put(target, node, nil) = request else { return false }
        return target.isRelated(to: path) && node.hasServerValues
      }
      return isPending ? [] : [input]
    },
    Mutant(
      "server-time-is-not-estimated",
      "A write of the server's time is not shown until the server sends it.",
      from: "R6", violating: "SRV-3"
    ) { step in
      guard case let .set(_, node)? = step.operation, node.hasServerValues else {
        return step.outputs
      }
      return step.outputs.filter { $0.event == nil }
    },
    Mutant(
      "server-time-raised-twice",
      "The server's time raises a value even where it is what was estimated.", from: "R6",
      violating: "SRV-4"
    ) { step in
      guard case let .put(path, node, _)? = step.answered, node.hasServerValues,
        step.outputs.allSatisfy({ $0.event == nil })
      else { return step.outputs }
      return step.outputs + step.before.values { path.starts(with: $0.target.path) }
    },
    Mutant(
      "clock-difference-is-zero", "The difference to the server's clock is always nothing.",
      from: "H10", violating: "SRV-5 SRV-11"
    ) { step in
      step.events(.value) { event in
        let path = step.after.listeners[event.listener]?.target.path
        if path == Path(".info/serverTimeOffset"), !event.value.isEmpty { event.value = Node(0) }
      }
    },
    Mutant(
      "placeholders-are-filled-in", "The client's time is sent, not the placeholder.", from: "S10",
      violating: "SRV-6",
      remembering: [Path: Double]()
    ) { step, times in
      if case let .set(path, _)? = step.operation { times[path] = step.now.milliseconds }
      return step.requests { request in
        guard case let .put(path, node, hash) = request, node.hasServerValues else {
          return [request]
        }
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
