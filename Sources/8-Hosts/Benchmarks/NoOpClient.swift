import ClientInterface
import Wire

/// A client that does nothing but keep a ping under way: what is left to measure is the simulator
/// itself, its queue, network, tape and trace.
struct NoOpClient: SyncClient {
  /// How many pings it still has to send.
  var remaining: Int

  mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    switch input {
    case .open: outputs.append(.connect)
    case .frame:
      guard remaining > 0 else { return }
      remaining -= 1
      outputs.append(.send(.ping))
    case .call, .opened, .refused, .closed, .timer, .close: break
    }
  }
}
