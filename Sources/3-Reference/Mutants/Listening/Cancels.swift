internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// Listeners that the server ends.

extension Mutant {
  static let cancelMutants = [
    Mutant(
      "refusal-ends-siblings", "A refused listen ends the listeners next to it as well.",
      from: "C37", violating: "ACC-3", remembering: [ListenerID]()
    ) { input, model, ended in
      let refused: Request? =
        if case let .frame(.response(response)) = input, response.status != "ok" {
          model.requests[response.request]
        } else { nil }
      guard case let .listen(listen)? = refused else { return [input] }
      ended = model.listeners {
        $0.target.path != listen.path && $0.target.path.parent == listen.path.parent
      }
      return [input] + ended.map { .call(CallID("ended " + $0.name), .unlisten($0)) }
    } does: { step, ended in
      guard let response = step.response, response.status != "ok" else { return step.outputs }
      return step.outputs + ended.map { .cancelled($0, ErrorCode(response.status)) }
    },
    Mutant(
      "cancelled-twice", "A listener is cancelled twice.", from: "R67", violating: "ACC-1"
    ) {
      step in
      step.outputs.flatMap { output -> [ClientOutput] in
        if case .cancelled = output { [output, output] } else { [output] }
      }
    },
    Mutant(
      "child-listeners-not-cancelled",
      "Only value listeners are cancelled.", from: "R67", violating: "ACC-2"
    ) { step in
      step.withoutCancels { !$0.events.contains(.value) }
    },
    Mutant(
      "single-reads-not-cancelled", "A single read that is refused is not cancelled.", from: "H19",
      violating: "ACC-5 GET-4"
    ) { step in
      step.withoutCancels(where: \.isOnce)
    },
    Mutant(
      "revocation-ignored", "Access that is taken away ends no listener.", from: "R67",
      violating: "ACC-10"
    ) {
      input, _ in
      if case .frame(.revoked) = input { [] } else { [input] }
    },
    Mutant(
      "refused-data-stay", "A listener that is refused receives a last value of null.",
      from: "R67", violating: "ACC-1"
    ) { step in
      step.outputs.flatMap { output -> [ClientOutput] in
        guard case let .cancelled(listener, _) = output,
          let state = step.before.listeners[listener], state.events.contains(.value)
        else { return [output] }
        let key = state.target.path.key
        return [output, .event(Event(.value, to: listener, key: key, value: .empty))]
      }
    },
  ]
}

extension InterceptedStep {
  fileprivate func withoutCancels(
    where isDropped: (ClientModel.Listener) -> Bool
  ) -> [ClientOutput] {
    outputs.filter { output in
      guard case let .cancelled(listener, _) = output else { return true }
      return !(before.listeners[listener].map(isDropped) ?? false)
    }
  }
}
