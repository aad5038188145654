package import ClientInterface
import Wire

/// A client without a mind of its own: writes and listens go straight to the server, and what it
/// does otherwise is laid down.
package struct Puppet: SyncClient {
  private let opening: [ClientOutput]
  private let onFrame: [ClientOutput]
  private let onRefused: [ClientOutput]
  private let onTimer: [ClientOutput]
  private var requests = 0

  /// One that does this beside handing on what it is called with.
  package init(
    opening: [ClientOutput] = [.connect], onFrame: [ClientOutput] = [],
    onRefused: [ClientOutput] = [], onTimer: [ClientOutput] = []
  ) {
    self.opening = opening
    self.onFrame = onFrame
    self.onRefused = onRefused
    self.onTimer = onTimer
  }

  package mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    switch input {
    case .open: outputs += opening
    case let .call(_, .set(path, node)): send(.put(path, node, hash: nil), &outputs)
    case let .call(_, .onDisconnectSet(path, node)): send(.onDisconnectPut(path, node), &outputs)
    case let .call(_, .listen(_, target, _)): send(.listen(.init(path: target.path)), &outputs)
    case .call(_, .goOffline): outputs.append(.disconnect)
    case .call(_, .goOnline): outputs.append(.connect)
    case .frame(.hello): break
    case .frame: outputs += onFrame
    case .refused: outputs += onRefused
    case .timer: outputs += onTimer
    case .call, .opened, .closed, .close: break
    }
  }

  private mutating func send(_ request: Request, _ outputs: inout [ClientOutput]) {
    requests += 1
    outputs.append(.send(.request(requests, request)))
  }
}
