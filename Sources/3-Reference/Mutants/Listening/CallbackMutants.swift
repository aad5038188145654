internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What goes wrong when a callback calls the client that has called it.

extension Mutant {
  static let callbackMutants = [
    nested(
      "calls-in-callbacks-are-ignored", "A write that a listener's callback makes is ignored.",
      from: "C43", violating: "CBK-1"
    ) { call, _ in
      if call.callback.event != nil, call.call.operation.isWrite { call.isMade = false }
    },
    nested(
      "nested-events-overtake",
      "What a callback's write causes is raised before what was due already.", from: "C44",
      violating: "CBK-3"
    ) { call, phase in
      if phase == .after { (call.due, call.caused) = (call.caused, call.due) }
    },
    nested(
      "call-drops-the-rest", "After a call in a callback the rest of the change is not raised.",
      from: "R17", violating: "CBK-7"
    ) { call, phase in
      if phase == .after { call.due.removeAll { $0.event != nil } }
    },
    nested(
      "removed-in-a-callback-is-called",
      "A listener that is removed in a callback receives the rest of the change.", from: "C48",
      violating: "CBK-6"
    ) { call, phase in
      if phase == .after { call.due = call.withdrawn + call.due }
    },
    nested(
      "removal-skips-the-next", "When a listener is removed in a callback, the next is not called.",
      from: "R17", violating: "CBK-7"
    ) { call, phase in
      guard phase == .after, case .unlisten(let listener, _) = call.call.operation,
        let next = call.due.first?.event, next.listener != listener
      else { return }
      call.due.removeAll { $0.event?.listener == next.listener }
    },
    nested(
      "added-in-a-callback-receives-twice",
      "A listener that is added in a callback receives its initial events twice.", from: "R17",
      violating: "CBK-4"
    ) { call, phase in
      guard phase == .after, let registration = call.call.operation.registration,
        !registration.isOnce
      else { return }
      call.caused += call.caused.filter { $0.event != nil }
    },
    nested(
      "added-in-a-callback-waits",
      "A listener that is added in a callback does not receive what is known already.", from: "C46",
      violating: "CBK-4"
    ) { call, phase in
      guard phase == .after, call.call.operation.registration?.isOnce == false else { return }
      call.caused.removeAll { $0.event != nil }
    },
    nested(
      "added-in-a-callback-sees-less",
      "What is read in a callback lacks the last child of the change.", violating: "CBK-2"
    ) { call, phase in
      guard phase == .after, call.call.operation.registration != nil else { return }
      call.caused = call.caused.map { output in
        guard case .event(var event) = output, event.type == .value,
          let last = event.value.children.keys.last
        else { return output }
        event.value = event.value.setting(.empty, at: last)
        return .event(event)
      }
    },
    nested(
      "write-in-a-callback-is-not-shown",
      "What a callback writes is shown when the server has answered.", from: "C45",
      violating: "CBK-5"
    ) { call, phase in
      guard phase == .after, call.callback.event != nil, call.call.operation.isPlainWrite else {
        return
      }
      call.caused.removeAll { $0.event != nil }
    },
    nested(
      "single-read-called-by-its-own-write",
      "A single read whose callback writes is called again.", from: "R1", violating: "CBK-8"
    ) { call, phase in
      guard phase == .after, call.call.operation.isPlainWrite, call.call.operation.kind == .set,
        case let .event(event) = call.callback, event.listener.name.hasPrefix("read")
      else { return }
      call.caused.append(call.callback)
    },
    nested(
      "cancel-takes-the-next-listener",
      "A listener that is added in a cancel callback is cancelled with the old one.", from: "R15",
      violating: "CBK-9"
    ) { call, phase in
      guard phase == .after, case let .cancelled(_, error) = call.callback,
        let registration = call.call.operation.registration
      else { return }
      call.caused = [.cancelled(registration.listener, error)]
    },
    nested(
      "completion-comes-twice", "A write whose completion writes again completes a second time.",
      from: "C47", violating: "CBK-10"
    ) { call, phase in
      guard phase == .after, call.callback.isEnd, call.call.operation.isPlainWrite else { return }
      call.caused.append(call.callback)
    },
    nested(
      "write-in-a-completion-is-not-sent",
      "What a completion writes is shown, but never sent.", from: "C45", violating: "CBK-10"
    ) { call, phase in
      guard phase == .after, call.callback.isEnd else { return }
      call.caused.removeAll { $0.request?.isPlainWrite == true }
    },
    nested(
      "offline-in-a-callback-is-ignored", "goOffline in a callback does nothing.", from: "C43",
      violating: "CBK-11"
    ) { call, _ in
      if call.call.operation == .goOffline { call.isMade = false }
    },
    nested(
      "transaction-in-a-callback-is-ignored",
      "A transaction that a callback begins ends at once without having run.", from: "C43",
      violating: "CBK-1"
    ) { call, phase in
      guard phase == .before, case .transaction = call.call.operation else { return }
      call.isMade = false
      call.due.append(.completed(call.call.id, Completion(committed: false, value: .empty)))
    },
    nested(
      "removing-all-in-a-callback-is-ignored",
      "Removing all listeners of a location in one of their callbacks does nothing.", from: "C43",
      violating: "CBK-6"
    ) { call, _ in
      if case .unlistenAll = call.call.operation { call.isMade = false }
    },
  ]

  private static func nested(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    rewriting: @escaping NestedCallRewriter
  ) -> Mutant {
    Mutant(
      name, sentence, from: origin, violating: rules,
      deciding: { $0.nestedCall = rewriting })
  }
}
