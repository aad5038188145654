import ClientInterface
import Conformance
import HostedSDKs
import Hunting
import Scenario
import Testing

/// Scenarios that are drawn, through the documented interface.
@Suite struct HuntTests {
  /// The SDK as it would be if it did not state what a dictionary takes for one.
  private struct Undeclared: SyncClient {
    var client: any SyncClient
    var capabilities: Set<String> { client.capabilities }
    var lacks: Set<Feature> { client.lacks.subtracting([.equivalentKeys]) }

    mutating func handle(
      _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
    ) {
      client.handle(input, at: now, into: &outputs)
    }
  }

  private func hunter(_ makeClient: @escaping (Profile) -> any SyncClient) -> Hunter {
    Hunter(HuntSettings()) { seed in ScenarioRunner(seed: seed) { makeClient($1) } }
  }

  @Test func `keys that a dictionary takes for one are not drawn, and fail where they are`() {
    let declared = hunter { makeDocumentedSDK($0) }
    let undeclared = hunter { Undeclared(client: makeDocumentedSDK($0)) }
    let name = Feature.equivalentKeys.rawValue
    let seeds = (UInt64(1)...1000).filter {
      undeclared.drawn($0).scenario.capabilities.contains(name)
    }

    #expect(seeds.count > 5)
    #expect(declared.lacks.contains(name))
    for seed in seeds {
      #expect(!declared.drawn(seed).scenario.capabilities.contains(name))
      #expect(declared.run(seed...seed).finds.isEmpty, "seed \(seed)")
    }
    #expect(seeds.contains { !undeclared.run($0...$0).finds.isEmpty })
  }
}
