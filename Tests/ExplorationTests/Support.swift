import ClientInterface
import Conformance
import Document
import ReferenceClient
import Scenario
import ScenarioFiles
import Search
import TestKit
import Testing
import Tree
import Wire

/// Explores scenarios written in tests.
extension Kit {
  /// Two writes of different children that may come in either order.
  static let race = """
    clients: [alice, bob]
    steps:
      - alice.listen: {path: room, event: value, as: feed}
      - expect: {alice.feed: [{value: null}]}
      - together:
          - alice.set: {path: room/alice, value: 1}
          - bob.set: {path: room/bob, value: 2}
      - expect:
          alice.feed: [{value: {alice: 1}}, {value: {alice: 1, bob: 2}}]
    """

  static func explorer(
    _ scope: Explorer.Scope = .deliveries,
    client: @escaping ScenarioRunner.Factory = { ReferenceClient(profile: $1) }
  ) -> Explorer {
    var explorer = Explorer(client: client)
    explorer.scope = scope
    return explorer
  }

  /// What the search of a scenario comes to.
  static func survey(
    _ body: String, _ scope: Explorer.Scope = .deliveries
  ) throws -> ExplorationResult {
    explorer(scope).explore(try scenario(body), in: .firebase)
  }

  /// Searches with and without reduction, which have to come to the same, the first one sooner.
  static func surveys(
    of scenario: Scenario, by explorer: Explorer = explorer(), _ name: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> (reduced: ExplorationResult, full: ExplorationResult) {
    var plain = explorer
    plain.reduction = .none
    let reduced = explorer.explore(scenario, in: .firebase)
    let full = plain.explore(scenario, in: .firebase)
    #expect(reduced.isComplete && full.isComplete, sourceLocation: sourceLocation)
    #expect(
      Judged.all(of: reduced) == Judged.all(of: full), "\(name)", sourceLocation: sourceLocation)
    #expect(reduced.orders < full.orders, "\(name)", sourceLocation: sourceLocation)
    return (reduced, full)
  }
}

/// Loses what the server says of others' writes while a write of its own is on its way.
struct Forgetful: SyncClient {
  var client: any SyncClient
  private var pending: Set<Int> = []
  private let key: Key

  init(_ client: any SyncClient, forgets key: Key = "bob") {
    self.client = client
    self.key = key
  }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    switch input {
    case let .frame(.put(path, _, _)) where !pending.isEmpty && path.key == key: return
    case let .frame(.response(response)): pending.remove(response.request)
    case .open, .call, .opened, .refused, .frame, .closed, .timer, .close: break
    }
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    for case let .send(.request(number, .put)) in caused { pending.insert(number) }
    outputs += caused
  }
}

/// A client that is an object.
final class Shared: SyncClient {
  private var client: any SyncClient

  init(_ client: any SyncClient) {
    self.client = client
  }

  func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    client.handle(input, at: now, into: &outputs)
  }
}

extension Scenario {
  /// The scenario with these steps, which stand one behind the other, concurrent.
  func gathering(_ range: ClosedRange<Int>) -> Scenario {
    var gathered = self
    let steps = Array(self.steps[range])
    let together = Step(
      file: file, position: steps[0].position, text: "together", action: .together(steps))
    gathered.steps.replaceSubrange(range, with: [together])
    return gathered
  }
}
