internal import ClientInterface

/// What an adapter can speak of: the listeners and calls that its clients have had so far.
///
/// Whether a client does the right thing is for scenarios to judge. Names that were never given
/// show a mistake in the adapter itself.
///
/// This is not asked of the model of a run: that takes whole turns, while this is asked of each line
/// as it comes, and clients with a clock of their own have no turns. And it knows a call of a callback
/// when it is made, while an adapter may speak of it as soon as the callback is stated.
struct KnownReferences: Sendable {
  /// By clients: what the present process has had.
  private var known: [String: (listeners: Set<ListenerID>, calls: Set<CallID>)] = [:]

  /// Records what is asked.
  mutating func follow(_ request: AdapterRequest) {
    switch request {
    case .hello, .reset: known = [:]
    case let .input(client, .open, _): known[client] = ([], [])
    case let .input(client, .call(call, operation), _):
      for made in [Reaction.Call(call, operation)] + operation.nestedCalls {
        known[client, default: ([], [])].calls.insert(made.id)
        guard let listener = made.operation.registration?.listener else { continue }
        known[client]?.listeners.insert(listener)
      }
    case .input, .bye: break
    }
  }

  /// What an answer speaks of that there is not, in words; `nil` for nothing.
  func mismatch(to output: ClientOutput, of client: String) -> String? {
    switch output {
    case let .event(event): return mismatch(to: event.listener, of: client)
    case let .cancelled(listener, _): return mismatch(to: listener, of: client)
    case let .completed(call, _), let .answered(call, _), let .threw(call, _),
      let .updateRan(call, _), let .calling(call), let .returned(call):
      return known[client]?.calls.contains(call) == true
        ? nil : "\(client) was never called with the id \"\(call.name)\""
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .store, .erase,
      .uncaught, .log:
      return known[client] == nil ? "there is no client \"\(client)\"" : nil
    }
  }

  private func mismatch(to listener: ListenerID, of client: String) -> String? {
    known[client]?.listeners.contains(listener) == true
      ? nil : "\(client) was never asked to listen as \"\(listener.name)\""
  }
}
