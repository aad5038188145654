internal import ClientInterface
internal import ReferenceClient
internal import Tree
internal import Wire

extension Mutant {
  /// Lawful clients that differ from the reference client in what the rules leave open.
  static let variants = [
    variant("sends-at-the-end-of-an-instant", "Requests go out after everything else of an input.")
    {
      turn in
      turn.outputs.filter { $0.request == nil } + turn.outputs.filter { $0.request != nil }
    },
    variant("chatty", "The client writes down everything that it does.") { turn in
      turn.outputs.flatMap { [$0, .log("did something")] }
    },
    variant("no-hashes", "Listens never say what is known already.") { turn in
      turn.requests { request in
        guard case var .listen(listen) = request else { return [request] }
        listen.hash = ""
        return [.listen(listen)]
      }
    },
    variant("longer-back-off", "A lost connection is tried again as late as is allowed.") { turn in
      turn.outputs.map { output in
        guard case let .setTimer(timer, delay, .backOff) = output else { return output }
        let longer = Interval(nanoseconds: min(delay.nanoseconds * 5 / 4, 900_000_000))
        return .setTimer(timer, after: max(delay, longer), .backOff)
      }
    },
    variant("other-timers", "Timers have other numbers, and one of no use is set and cancelled.") {
      turn in
      turn.outputs.flatMap { output -> [ClientOutput] in
        guard case .setTimer = output else { return [output] }
        return [output, .setTimer(77, after: .seconds(1), .other), .cancelTimer(77)]
      }
    },
    variant("asks-for-life", "The client asks for a sign of life after each greeting.") { turn in
      guard case .frame(.hello) = turn.input else { return turn.outputs }
      return turn.outputs + [.send(.ping)]
    },
    variant("request-numbers-in-tens", "Request numbers go up by ten.") { $0.outputs },
    variant("says-no-order", "Value events do not say in which order their children are.") { turn in
      turn.events(.value) { $0.order = .unstated }
    },
  ]

  private static func variant(
    _ name: String, _ sentence: String, does: @escaping @Sendable (Turn) -> [ClientOutput]
  ) -> Mutant {
    Mutant(name, sentence, from: "", place: .benign, does: does)
  }
}
