internal import ClientInterface
internal import RunModel
internal import Tree
internal import Wire

extension Mutant {
  /// Conforming clients that differ from the reference client in what the rules leave open.
  static let variants: [Mutant] = [
    variant("sends-last", "Requests go out after everything else that an input causes.").outputs {
      $0.outputs.filter { $0.request == nil } + $0.outputs.filter { $0.request != nil }
    },
    variant(
      "sends-with-a-timer", "Requests are collected and go out by a timer of no length, together."
    ).wrapping { BatchedSender(client: $0) },
    variant("restores-in-another-order", "Listens are restored last to first.").outputs(
      when: \.isHello
    ) { $0.reversingRequests(where: \.isListen) },
    variant("tries-late", "A lost connection is tried again as late as is allowed at first.")
      .outputs { $0.backOffs { max($0, .milliseconds(999)) } },
    variant("tries-early", "A lost connection is tried again after half of the time.").outputs {
      $0.backOffs { Interval(nanoseconds: $0.nanoseconds / 2) }
    },
    variant("other-timers", "Timers without a purpose are set and cancelled.").outputs { step in
      step.outputs.flatMap { output -> [ClientOutput] in
        guard case .setTimer = output else { return [output] }
        return [output, .setTimer(77, after: .seconds(1), .other), .cancelTimer(77)]
      }
    },
    variant("asks-for-life", "The client sends a keep-alive after each hello.").outputs(
      when: \.isHello
    ) { $0.outputs + [.send(.ping)] },
    variant("numbers-in-tens", "Request numbers go up by ten.").wrapping {
      RequestNumbersByTen(client: $0)
    },
    variant("says-no-order", "Value events do not contain the order of their children.").events(
      .value
    ) { _, event in event.order = .unstated },
    variant("siblings-in-another-order", "Places side by side learn of a change last to first.")
      .outputs { step in
        // Only where there is one change, which is what the rule is about.
        guard step.input.dataPath != nil || step.operation?.isPlainWrite == true,
          !step.outputs.contains(where: \.isRun)
        else { return nil }
        // EVT-15 says nothing of locations side by side.
        return step.outputs.swapping { first, second in
          guard let first = step.after[first]?.target.path,
            let second = step.after[second]?.target.path
          else { return false }
          return !first.isRelated(to: second) && first < second
        }
      },
    variant("chatty", "The client writes down everything that it does.").outputs {
      $0.outputs.flatMap { [$0, .log("something was done")] }
    },
    variant("stores-first", "What is stored is stored before anything else is done.").outputs {
      $0.outputs.filter(\.isStored) + $0.outputs.filter { !$0.isStored }
    },
  ]

  private static func variant(_ name: String, _ sentence: String) -> Mutant {
    Mutant(name, sentence, component: .benign)
  }
}

extension ClientOutput {
  fileprivate var isStored: Bool {
    if case .storage = topic { true } else { false }
  }

  fileprivate var isRun: Bool {
    if case .updateRan = self { true } else { false }
  }
}

extension [ClientOutput] {
  /// The same with events side by side swapped where those of the second listener are to come first.
  func swapping(_ isLater: (ListenerID, ListenerID) -> Bool) -> [ClientOutput] {
    var result = self
    for _ in indices {
      for index in result.indices.dropFirst() {
        guard let first = result[index - 1].event, let second = result[index].event,
          isLater(first.listener, second.listener)
        else { continue }
        result.swapAt(index - 1, index)
      }
    }
    return result
  }
}

/// Holds requests back until the next turn. Those that are held when the connection ends are lost,
/// as they would be on their way.
private struct BatchedSender: WrappingClient {
  var client: any SyncClient
  var held: [ClientOutput] = []
  let timer: TimerID = 9002

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    if input == .timer(timer) {
      outputs += held
      held = []
      return
    }
    if input == .closed { held = [] }
    // WRT-30: what is given up is not sent any more.
    if case .call(_, .purgeWrites) = input {
      held.removeAll {
        $0.request.map { $0.isPlainWrite || $0.isTransaction || $0.isOnDisconnect } ?? false
      }
    }
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    for output in caused {
      switch output {
      case .send:
        if held.isEmpty { outputs.append(.setTimer(timer, after: .zero, .other)) }
        held.append(output)
      case .disconnect:
        outputs += held + [.cancelTimer(timer), output]
        held = []
      default: outputs.append(output)
      }
    }
  }
}

/// Numbers requests 10, 20, 30, ...
private struct RequestNumbersByTen: WrappingClient {
  var client: any SyncClient

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var input = input
    if case .frame(.response(var response)) = input {
      response.request /= 10
      input = .frame(.response(response))
    }
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    outputs += caused.map { output in
      guard case let .send(.request(number, request)) = output else { return output }
      return .send(.request(10 * number, request))
    }
  }
}
