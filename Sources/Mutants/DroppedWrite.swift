internal import ClientInterface
internal import Wire

/// Forgets to send what is pending when the connection comes back.
struct DroppedWrite: Spoiler {
  var client: any SyncClient
  private var hasBeenConnected = false

  init(client: any SyncClient) {
    self.client = client
  }

  mutating func spoiled(_ outputs: [ClientOutput], of input: ClientInput) -> [ClientOutput] {
    guard case .frame(.hello) = input else { return outputs }
    defer { hasBeenConnected = true }
    return hasBeenConnected ? outputs.filter { !$0.isWrite } : outputs
  }
}

extension ClientOutput {
  fileprivate var isWrite: Bool {
    guard case let .send(.request(_, request)) = self else { return false }
    return request.action == .put || request.action == .merge
  }
}
