internal import ClientInterface
internal import Wire

/// Keeps the events of local writes to itself until the server says something.
struct LostEcho: Spoiler {
  var client: any SyncClient
  private var held: [ClientOutput] = []

  init(client: any SyncClient) {
    self.client = client
  }

  mutating func spoiled(_ outputs: [ClientOutput], of input: ClientInput) -> [ClientOutput] {
    switch input {
    case let .call(_, .unlisten(listener, _)):
      held.removeAll { $0.event?.listener == listener }
      return outputs
    case let .call(_, operation) where operation.isWrite:
      held += outputs.filter { $0.event != nil }
      return outputs.filter { $0.event == nil }
    case .frame(.put), .frame(.merge), .frame(.response):
      let late = held
      held = []
      return late + outputs
    case .open, .call, .opened, .refused, .frame, .closed, .timer, .close: return outputs
    }
  }
}

extension Operation {
  fileprivate var isWrite: Bool {
    switch self {
    case .set, .remove, .setPriority, .update, .push, .transaction: true
    case .listen, .once, .unlisten, .unlistenAll, .onDisconnectSet, .onDisconnectRemove,
      .onDisconnectUpdate, .onDisconnectCancel, .goOffline, .goOnline, .keepSynced,
      .authenticate, .unauthenticate, .inspect:
      false
    }
  }
}
