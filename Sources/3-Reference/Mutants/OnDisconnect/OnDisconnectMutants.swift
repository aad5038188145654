internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

extension Mutant {
  static let onDisconnectMutants =
    [
      Mutant(
        "waiting-on-disconnects-lost",
        "On-disconnect requests that were made without a connection are not sent.", from: "C28",
        violating: "OND-9"
      ) { step in
        guard case .frame(.hello) = step.input else { return step.outputs }
        return step.withoutRequests(\.isOnDisconnect)
      },
      Mutant(
        "on-disconnects-not-cancelled", "Cancelling on-disconnect operations has no effect.",
        from: "C29 H16", violating: "OND-16"
      ) { step in
        step.requests { $0.action == .onDisconnectCancel ? [.stats([])] : [$0] }
      },
      Mutant(
        "on-disconnects-twice", "On-disconnect requests are sent twice.", from: "S3"
      ) { step in
        step.requests { request in
          if case .onDisconnectPut = request { [request, request] } else { [request] }
        }
      },
      Mutant(
        "cancel-cancels-the-parent",
        "Cancelling forgets what is to happen above the location as well.",
        from: "C29", violating: "OND-7"
      ) { step in
        step.requests { request in
          guard case let .onDisconnectCancel(path) = request, let parent = path.parent,
            !parent.isRoot
          else { return [request] }
          return [.onDisconnectCancel(parent)]
        }
      },
      Mutant(
        "on-disconnects-not-done-locally",
        "What the server does on disconnection is not shown until the server sends it.",
        from: "R63",
        violating: "OND-8"
      ) { step in
        guard step.input == .closed || step.operation == .goOffline else { return step.outputs }
        return step.withoutEvents { event in
          let listener = step.before.listeners[event.listener]
          return listener?.target.path.keys.first != Key(".info")
        }
      },
      Mutant(
        "on-disconnects-at-once", "On-disconnect requests are shown as if they were done already.",
        from: "R64", violating: "OND-1", remembering: 0
      ) { input, _, count in
        guard case let .call(call, .onDisconnectSet(path, node)) = input else { return [input] }
        count += 1
        return [input, .call(CallID("\(call.name) at once"), .set(path, node))]
      } does: { step, _ in
        step.outputs.filter { output in
          if case let .completed(call, _) = output {
            !call.name.hasSuffix(" at once")
          } else {
            true
          }
        }
      },
      Mutant(
        "on-disconnect-update-is-a-set", "An on-disconnect update overwrites its location.",
        from: "S7", violating: "OND-5"
      ) { step in
        step.requests { request in
          guard case let .onDisconnectMerge(path, assignments) = request else { return [request] }
          return [.onDisconnectPut(path, assignments.node)]
        }
      },
      Mutant(
        "on-disconnects-sent-again", "On-disconnect requests are sent again on each connection.",
        from: "C28", violating: "OND-4 OND-9", remembering: [Request]()
      ) { step, sent in
        let again = step.isReconnection ? sent : []
        sent += step.outputs.compactMap(\.request).filter(\.isOnDisconnect)
        return step.outputs + again.map { .send(.request(0, $0)) }
      },
    ] + registrationMutants

  private static let registrationMutants = [
    Mutant(
      "registrations-end-at-once", "Registering succeeds without waiting for the server.",
      violating: "OND-2"
    ) { step in
      guard case let .call(call, operation) = step.input, operation.kind.family == .onDisconnect
      else { return step.outputs }
      return step.outputs + [.completed(call, .ok)]
    },
    Mutant(
      "registrations-go-out-backwards",
      "Requests that were made without a connection go out last to first.", violating: "OND-6"
    ) { step in step.reversingRequests(where: \.isOnDisconnect) },
    Mutant(
      "first-registration-counts", "A later on-disconnect set of a location is not sent.",
      violating: "OND-11", remembering: Set<Path>()
    ) { step, paths in
      step.requests { request in
        guard case let .onDisconnectPut(path, _) = request else { return [request] }
        return paths.insert(path).inserted ? [request] : [.stats([])]
      }
    },
    Mutant(
      "on-disconnect-priorities-are-lost", "An on-disconnect set leaves out the priority.",
      violating: "OND-12"
    ) { step in
      step.requests { request in
        guard case let .onDisconnectPut(path, node) = request else { return [request] }
        return [.onDisconnectPut(path, node.settingPriority(nil))]
      }
    },
    Mutant(
      "on-disconnect-null-is-left-out", "An on-disconnect set of null is not sent.",
      violating: "OND-13"
    ) { step in
      step.requests { request in
        if case .onDisconnectPut(_, .empty) = request { [.stats([])] } else { [request] }
      }
    },
    Mutant(
      "late-ends-are-not-shown",
      "What a session left is not shown when another one has begun.", violating: "OND-17",
      remembering: Set<Path>()
    ) { input, model, left in
      if case let .call(_, operation) = input, operation.kind.family == .onDisconnect,
        let path = operation.path
      {
        left.insert(path)
      }
      guard let path = input.dataPath, model.helloCount > 1, left.contains(path) else {
        return [input]
      }
      return []
    },
  ]
}

extension [Assignment] {
  /// The node that has these parts and nothing else.
  var node: Node { reduce(.empty) { $0.setting($1.node, at: $1.path) } }
}
