public import ClientInterface

/// Clients with one deliberate defect each.
///
/// A kit that passes them proves nothing. Each is a wrapper that spoils what a working client does,
/// so that every client that works can be made to fail in the same way.
public enum Mutant: String, CaseIterable, Hashable, Sendable {
  case valueFirst = "value-first"
  case stalePreviousKey = "stale-previous-key"
  case lostEcho = "lost-echo"
  case droppedWrite = "dropped-write"
  case noRefill = "no-refill"

  /// What the command line and reports call it.
  public var name: String { rawValue }

  /// What is wrong with it, in a sentence.
  public var sentence: String {
    switch self {
    case .valueFirst: "A value event is raised before the child events of the same change."
    case .stalePreviousKey:
      "The previous key is looked up in the window as it was before the change."
    case .lostEcho: "The events of a local write are not raised until the server answers."
    case .droppedWrite: "Writes that are pending when the connection comes back are not resent."
    case .noRefill: "The child that enters a limited window after a removal is not raised."
    }
  }

  /// `client` with this defect.
  public func wrap(_ client: any SyncClient) -> any SyncClient {
    switch self {
    case .valueFirst: ValueFirst(client: client)
    case .stalePreviousKey: StalePreviousKey(client: client)
    case .lostEcho: LostEcho(client: client)
    case .droppedWrite: DroppedWrite(client: client)
    case .noRefill: NoRefill(client: client)
    }
  }
}

/// A client that spoils what another one does.
protocol Spoiler: SyncClient {
  var client: any SyncClient { get set }

  /// What comes out in place of the outputs that an input has caused.
  mutating func spoiled(_ outputs: [ClientOutput], of input: ClientInput) -> [ClientOutput]
}

extension Spoiler {
  mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    outputs += spoiled(caused, of: input)
  }

  var capabilities: Set<String> { client.capabilities }
}

extension ClientOutput {
  var event: Event? {
    if case let .event(event) = self { event } else { nil }
  }
}
