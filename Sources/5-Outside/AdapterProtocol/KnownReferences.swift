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
  /// What one process of a client has had since it was opened.
  fileprivate struct Names {
    var listeners: Set<String> = []
    var calls: Set<String> = []
  }

  private var names: [String: Names] = [:]

  /// Records what is asked.
  mutating func follow(_ request: AdapterRequest) {
    switch request {
    case .hello, .reset: names = [:]
    case let .input(client, .open, _): names[client] = Names()
    case let .input(client, .call(call, operation), _):
      for made in [Reaction.Call(call, operation)] + operation.nestedCalls {
        names[client, default: Names()].calls.insert(made.id.name)
        guard let listener = made.operation.registration?.listener else { continue }
        names[client, default: Names()].listeners.insert(listener.name)
      }
    case .input, .bye: break
    }
  }

  /// What an answer speaks of that there is not, in words; `nil` for nothing.
  func mismatch(to output: ClientOutput, of client: String) -> String? {
    let known = names[client] ?? Names()
    switch output {
    case let .event(event): return known.mismatch(to: event.listener, of: client)
    case let .cancelled(listener, _): return known.mismatch(to: listener, of: client)
    case let .completed(call, _), let .answered(call, _), let .threw(call, _),
      let .updateRan(call, _), let .calling(call), let .returned(call):
      return known.calls.contains(call.name)
        ? nil : "\(client) was never called with the id \"\(call.name)\""
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .store, .erase,
      .uncaught, .log:
      return names[client] == nil ? "there is no client \"\(client)\"" : nil
    }
  }
}

extension KnownReferences.Names {
  fileprivate func mismatch(to listener: ListenerID, of client: String) -> String? {
    listeners.contains(listener.name)
      ? nil : "\(client) was never asked to listen as \"\(listener.name)\""
  }
}
