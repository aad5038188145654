internal import ClientInterface
internal import Tree
internal import Wire

extension Mutant {
  /// Lawful clients that differ from the reference client in what the rules leave open.
  static let variants = [
    variant("sends-last", "Requests go out after everything else that an input causes.") { turn in
      turn.outputs.filter { $0.request == nil } + turn.outputs.filter { $0.request != nil }
    },
    Mutant(
      "sends-with-a-timer", "Requests are collected and go out by a timer of no length, together.",
      from: "", place: .benign, wrapping: { Collecting(client: $0) }),
    variant("restores-in-another-order", "Listens are restored last to first.") { turn in
      guard case .frame(.hello) = turn.input else { return turn.outputs }
      let places = turn.outputs.indices.filter { turn.outputs[$0].request?.isListen == true }
      var outputs = turn.outputs
      for (place, source) in zip(places, places.reversed()) {
        outputs[place] = turn.outputs[source]
      }
      return outputs
    },
    variant("asks-for-everything", "Listens never say what is known already.") { turn in
      turn.requests { request in
        guard case var .listen(listen) = request else { return [request] }
        listen.hash = "unknown"
        return [.listen(listen)]
      }
    },
    variant("tries-late", "A lost connection is tried again as late as is allowed at first.") {
      turn in
      turn.backOffs { max($0, .milliseconds(999)) }
    },
    variant("tries-at-once", "A lost connection is tried again soon, whatever happens.") { turn in
      turn.backOffs { min($0, .milliseconds(50)) }
    },
    variant("other-timers", "Timers that nobody needs are set and cancelled.") { turn in
      turn.outputs.flatMap { output -> [ClientOutput] in
        guard case .setTimer = output else { return [output] }
        return [output, .setTimer(77, after: .seconds(1), .other), .cancelTimer(77)]
      }
    },
    variant("asks-for-life", "The client asks for a sign of life after each greeting.") { turn in
      guard case .frame(.hello) = turn.input else { return turn.outputs }
      return turn.outputs + [.send(.ping)]
    },
    Mutant(
      "numbers-in-tens", "Request numbers go up by ten.", from: "", place: .benign,
      wrapping: { InTens(client: $0) }),
    variant("says-no-order", "Value events do not say in which order their children are.") { turn in
      turn.events(.value) { $0.order = .unstated }
    },
    variant("siblings-in-another-order", "Places side by side hear of a change last to first.") {
      turn in
      // Only where there is one change, which is what the rule is about.
      guard turn.dataPath != nil || turn.operation?.isPlainWrite == true,
        !turn.outputs.contains(where: \.isRun)
      else { return turn.outputs }
      return turn.outputs.swappingSiblings { turn.after.listeners[$0]?.target.path }
    },
    variant("chatty", "The client writes down everything that it does.") { turn in
      turn.outputs.flatMap { [$0, .log("something was done")] }
    },
    variant("stores-first", "What is stored is stored before anything else is done.") { turn in
      turn.outputs.filter(\.isStored) + turn.outputs.filter { !$0.isStored }
    },
  ]

  private static func variant(
    _ name: String, _ sentence: String, does: @escaping @Sendable (Turn) -> [ClientOutput]
  ) -> Mutant {
    Mutant(name, sentence, from: "", place: .benign, does: does)
  }
}

extension ClientOutput {
  fileprivate var isStored: Bool {
    switch self {
    case .store, .erase: true
    default: false
    }
  }

  fileprivate var isRun: Bool {
    if case .updateRan = self { true } else { false }
  }
}

extension [ClientOutput] {
  /// The same with events side by side swapped where their places have nothing to do with each
  /// other (EVT-15 says nothing of them).
  fileprivate func swappingSiblings(_ place: (ListenerID) -> Path?) -> [ClientOutput] {
    var result = self
    for _ in indices {
      for index in result.indices.dropFirst() {
        guard let first = result[index - 1].event.flatMap({ place($0.listener) }),
          let second = result[index].event.flatMap({ place($0.listener) }),
          !first.isRelated(to: second), first < second
        else { continue }
        result.swapAt(index - 1, index)
      }
    }
    return result
  }
}

/// Holds requests back until the next turn. Those that are held when the connection ends are lost, as
/// they would be on their way.
private struct Collecting: SyncClient {
  private var client: any SyncClient
  private var held: [ClientOutput] = []
  private let timer: TimerID = 9002

  init(client: any SyncClient) {
    self.client = client
  }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    if input == .timer(timer) {
      outputs += held
      held = []
      return
    }
    if input == .closed { held = [] }
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

  var capabilities: Set<String> { client.capabilities }
}

/// Numbers requests 10, 20, 30, ...
private struct InTens: SyncClient {
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

  var capabilities: Set<String> { client.capabilities }
}
