internal import ClientInterface
internal import RunModel
internal import Tree
internal import Wire

// What is done at the end of a session.

extension Mutant {
  static let onDisconnectMutants: [Mutant] =
    [
      Mutant(
        "waiting-on-disconnects-lost",
        "On-disconnect requests that were made without a connection are not sent.", from: "C28",
        violating: "OND-9"
      ).outputs(when: \.isHello) { $0.withoutRequests(\.isOnDisconnect) },
      Mutant(
        "on-disconnects-not-cancelled", "Cancelling on-disconnect operations has no effect.",
        from: "C29 H16", violating: "OND-16"
      ).requests { request in request.action == .onDisconnectCancel ? [.stats([])] : nil },
      Mutant("on-disconnects-twice", "On-disconnect requests are sent twice.", from: "S3").requests
      { request in
        if case .onDisconnectPut = request { [request, request] } else { nil }
      },
      Mutant(
        "cancel-cancels-the-parent",
        "Cancelling forgets what is to happen above the location as well.", from: "C29",
        violating: "OND-7"
      ).requests { request in
        guard case let .onDisconnectCancel(path) = request, let parent = path.parent,
          !parent.isRoot
        else { return nil }
        return [.onDisconnectCancel(parent)]
      },
      Mutant(
        "on-disconnects-not-done-locally",
        "What the server does on disconnection is not shown until the server sends it.",
        from: "R63", violating: "OND-8"
      ).withoutEvents { step, event in
        (step.input == .closed || step.operation == .goOffline)
          && step.before[event.listener]?.isLocal == false
      },
      Mutant(
        "on-disconnects-at-once", "On-disconnect requests are shown as if they were done already.",
        from: "R64", violating: "OND-1"
      ).inputs(remembering: 0) { input, _, _ in
        guard case let .call(call, .onDisconnectSet(path, node)) = input else { return nil }
        return [input, .call(CallID("\(call.name) at once"), .set(path, node))]
      } does: { step, _ in
        step.outputs.filter { output in
          guard case let .completed(call, _) = output else { return true }
          return !call.name.hasSuffix(" at once")
        }
      },
      Mutant(
        "on-disconnect-update-is-a-set", "An on-disconnect update overwrites its location.",
        from: "S7", violating: "OND-5"
      ).requests { request in
        guard case let .onDisconnectMerge(path, assignments) = request else { return nil }
        return [.onDisconnectPut(path, assignments.node)]
      },
      Mutant(
        "on-disconnects-sent-again", "On-disconnect requests are sent again on each connection.",
        from: "C28", violating: "OND-4 OND-9"
      ).outputs(remembering: [Request]()) { step, sent in
        let again = step.isReconnection ? sent : []
        sent += step.outputs.compactMap(\.request).filter(\.isOnDisconnect)
        return step.sending(again)
      },
    ] + registrationMutants

  private static let registrationMutants: [Mutant] = [
    Mutant(
      "registrations-end-at-once", "Registering succeeds without waiting for the server.",
      violating: "OND-2"
    ).outputs { step in
      guard case let .call(call, operation) = step.input, operation.kind.family == .onDisconnect
      else { return nil }
      return step.outputs + [.completed(call, .ok)]
    },
    Mutant(
      "registrations-go-out-backwards",
      "Requests that were made without a connection go out last to first.", violating: "OND-6"
    ).outputs { $0.reversingRequests(where: \.isOnDisconnect) },
    Mutant(
      "first-registration-counts", "A later on-disconnect set of a location is not sent.",
      violating: "OND-11"
    ).outputs(remembering: Set<Path>()) { step, paths in
      step.requests { request in
        guard case let .onDisconnectPut(path, _) = request else { return nil }
        return paths.insert(path).inserted ? nil : [.stats([])]
      }
    },
    Mutant(
      "on-disconnect-priorities-are-lost", "An on-disconnect set leaves out the priority.",
      violating: "OND-12"
    ).requests { request in
      guard case let .onDisconnectPut(path, node) = request else { return nil }
      return [.onDisconnectPut(path, node.settingPriority(nil))]
    },
    Mutant(
      "on-disconnect-null-is-left-out", "An on-disconnect set of null is not sent.",
      violating: "OND-13"
    ).requests { request in
      if case .onDisconnectPut(_, .empty) = request { [.stats([])] } else { nil }
    },
    Mutant(
      "late-ends-are-not-shown", "What a session left is not shown when another one has begun.",
      violating: "OND-17"
    ).inputs(remembering: Set<Path>()) { input, model, left in
      if case let .call(_, operation) = input, operation.kind.family == .onDisconnect,
        let path = operation.path
      {
        left.insert(path)
      }
      guard let path = input.dataPath, model.link.helloCount > 1, left.contains(path) else {
        return nil
      }
      return []
    },
  ]
}

extension [Assignment] {
  /// The node that has these parts and nothing else.
  var node: Node { reduce(.empty) { $0.setting($1.node, at: $1.path) } }
}
