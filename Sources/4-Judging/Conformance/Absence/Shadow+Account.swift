internal import ClientInterface

extension Shadow {
  /// Notes from now on what the client and the shadow do.
  mutating func keepAccount() { account = ActionAccount() }

  /// What only the shadow has done until a moment; of what it waits for then, only the next try to
  /// connect of a client that does not try any more.
  mutating func missingActions(until end: Interval) -> [MissingAction] {
    if isRunning { fireTimers(before: end) }
    if let givenUp = account?.givenUp, connection == .none, isRunning, !isBlind,
      let retry = timers.first(where: { $0.purpose == .backOff })
    {
      note(.connect, at: retry.due, because: givenUp)
    }
    return account?.missing ?? []
  }

  mutating func note(_ output: ClientOutput, at time: Interval, because cause: Int) {
    let action = MissingAction(client: client, output: output, time: time, cause: cause)
    account?.noteShadow(action)
  }
  /// Whether it is the end of a call of which no application learns.
  func isSilent(_ output: ClientOutput) -> Bool {
    if case let .completed(call, _) = output { silentCalls.contains(call) } else { false }
  }
}
