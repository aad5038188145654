import ClientInterface
import Conformance
import ReferenceClient
import Testing

@testable import Hunting

@Suite struct StoringTests {
  @Test func `what was stored bit by bit is what all of it comes to`() {
    let differences = Differences()
    let runner = ScenarioRunner { _, profile in
      Storing(client: ReferenceClient(profile: profile), differences: differences)
    }
    for seed in UInt64(1)...60 {
      let drawn = Generator(profile: .firebase, size: 200).scenario(seed: seed)
      _ = runner.run(drawn.scenario, in: .firebase)
    }

    #expect(differences.texts == [])
    #expect(differences.compared > 100)
  }
}

/// What clients have stored otherwise than they meant to.
private final class Differences {
  var texts: [String] = []
  var compared = 0
}

/// The reference client, looked at after each input.
private struct Storing: SyncClient {
  var client: ReferenceClient
  let differences: Differences
  var storage: [String: String] = [:]

  mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    if case let .open(opening) = input {
      storage = Dictionary(opening.storage.map { ($0.key, $0.text) }) { first, _ in first }
    }
    let first = outputs.count
    client.handle(input, at: now, into: &outputs)
    for output in outputs[first...] {
      switch output {
      case let .store(key, text): storage[key] = text
      case let .erase(key): storage[key] = nil
      default: break
      }
    }
    guard let meant = client.storedAgain, storage.count + meant.count > 0 else { return }
    differences.compared += 1
    if storage != meant { differences.texts.append("\(storage) instead of \(meant)") }
  }
}
