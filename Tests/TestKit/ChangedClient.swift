package import ClientInterface
import ReferenceClient

/// A client that does some things otherwise than another one.
package struct ChangedClient: SyncClient {
  private var client: any SyncClient
  private let input: (ClientInput) -> ClientInput?
  private let output: (ClientInput, ClientOutput) -> ClientOutput?

  /// A client to which `input` states what it gets, and of which `output` states what it does;
  /// `nil` takes it away.
  package init(
    _ client: any SyncClient, input: @escaping (ClientInput) -> ClientInput? = { $0 },
    output: @escaping (ClientInput, ClientOutput) -> ClientOutput? = { $1 }
  ) {
    self.client = client
    self.input = input
    self.output = output
  }

  /// The reference client, changed.
  package init(
    _ profile: Profile, input: @escaping (ClientInput) -> ClientInput? = { $0 },
    output: @escaping (ClientInput, ClientOutput) -> ClientOutput? = { $1 }
  ) {
    self.init(ReferenceClient(profile: profile), input: input, output: output)
  }

  package var capabilities: Set<String> { client.capabilities }

  package mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    guard let changed = self.input(input) else { return }
    var caused: [ClientOutput] = []
    client.handle(changed, at: now, into: &caused)
    outputs += caused.compactMap { output(input, $0) }
  }
}
