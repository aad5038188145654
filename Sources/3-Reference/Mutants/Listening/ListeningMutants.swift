internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// Listeners that receive too much, too little or too long.

extension Mutant {
  static let listeningMutants = [
    Mutant(
      "heard-after-removal", "A listener receives what happens next after it was removed.",
      from: "C16", violating: "OBS-6", remembering: [ClientInput]()
    ) { input, _, held in
      if case .call(_, .unlisten) = input {
        held.append(input)
        return []
      }
      defer { held = [] }
      return [input] + held
    },
    Mutant(
      "wrong-twin-removed", "Of two listeners that ask for the same, the other one is removed.",
      from: "C17 R13", violating: "OBS-5 OBS-15"
    ) { input, model in
      guard case let .call(call, .unlisten(listener, path)) = input,
        let state = model.listeners[listener],
        let twin = model.listeners(where: {
          $0.target == state.target && $0.events == state.events
        }).first(where: { $0 != listener })
      else { return [input] }
      return [.call(call, .unlisten(twin, at: path))]
    },
    Mutant(
      "removal-takes-others", "Removing a listener removes those of other events at its location.",
      from: "R3", violating: "OBS-5"
    ) { input, model in
      guard case let .call(call, .unlisten(listener, nil)) = input,
        let state = model.listeners[listener]
      else { return [input] }
      let others = model.listeners {
        $0.target == state.target && $0.events != state.events
      }
      return [input] + others.map { .call(call, .unlisten($0)) }
    },
    Mutant(
      "remove-all-spares-queries",
      "Removing all listeners of a location spares those with a query.",
      from: "R14", violating: "OBS-7"
    ) { input, model in
      guard case let .call(call, .unlistenAll(target)) = input, target.query == .all else {
        return [input]
      }
      return model.listeners { $0.target == target }.map { .call(call, .unlisten($0)) }
    },
    Mutant(
      "remove-all-does-nothing", "Removing all listeners does nothing where there are several.",
      from: "H4", violating: "OBS-7"
    ) { input, model in
      guard case let .call(_, .unlistenAll(target)) = input else { return [input] }
      return model.listeners { $0.target.path == target.path }.count > 1 ? [] : [input]
    },
    Mutant(
      "handle-removes-elsewhere", "A listener is removed by a handle of another location.",
      from: "R16", violating: "OBS-16"
    ) { input, _ in
      guard case let .call(call, .unlisten(listener, _)) = input else { return [input] }
      return [.call(call, .unlisten(listener))]
    },
    Mutant(
      "single-read-twice", "A single read that is answered from what is known is answered again.",
      from: "C20", violating: "OBS-9", remembering: [Event]()
    ) { step, cached in
      if case .once? = step.operation { cached += step.outputs.compactMap(\.event) }
      guard step.dataPath != nil || step.response != nil else { return step.outputs }
      defer { cached = [] }
      return step.outputs + cached.map { .event($0) }
    },
    Mutant(
      "single-read-of-every-child", "A single read of an added child is called for each of them.",
      from: "R2 ACC-110", violating: "OBS-11",
      remembering: [ListenerID]()
    ) { input, _, reads in
      guard case let .call(call, .once(listener, target, .childAdded)) = input else {
        return [input]
      }
      reads.append(listener)
      return [.call(call, .listen(listener, target, [.childAdded]))]
    },
    Mutant(
      "uncovered-listener-forgotten",
      "A listener that another one above has covered gets no listen when that one is removed.",
      from: "R24", violating: "WIR-6"
    ) { step in
      let takesBack = step.outputs.contains { $0.request?.action == .unlisten }
      return takesBack ? step.withoutRequests(\.isListen) : step.outputs
    },
    Mutant(
      "parts-count-as-everything",
      "What is known in part above a new listener counts as all there is.", from: "C34 R4",
      violating: "EVT-18",
      deciding: { $0.countsAsAll = { query, _ in !query.filters } }),
    Mutant(
      "nearest-query-hides-what-is-known",
      "A query above a new listener hides what a listener further up knows.", from: "ACC-107",
      violating: "OBS-3",
      deciding: { $0.depthsToAsk = { $0.max().map { $0...$0 } ?? 0...0 } }),
    Mutant(
      "stale-refusal-ends-the-next-listener",
      "The refusal of a listen that was taken back ends the one that came after it.", from: "R15",
      violating: "OBS-13",
      deciding: { $0.staleAnswersAreIgnored = false }),
  ]
}
