import ClientInterface
import Conformance
import Hunting
import Mutants
import ReferenceClient
import Scenario
import Testing
import Tree

/// Hunts of clients that cannot do everything.
@Suite struct LimitedHuntTests {
  /// The reference client with few capabilities, and with the defects of another one.
  private struct Limited: SyncClient {
    let capabilities: Set<String>
    var lacks: Set<Feature> = []
    var client: any SyncClient

    mutating func handle(
      _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
    ) {
      client.handle(input, at: now, into: &outputs)
    }
  }

  private func hunter(
    _ capabilities: Set<String>, lacks: Set<Feature> = [],
    _ client: @escaping (Profile) -> any SyncClient = { ReferenceClient(profile: $0) }
  ) -> Hunter {
    Hunter(HuntSettings()) { seed in
      ScenarioRunner(seed: seed) {
        Limited(capabilities: capabilities, lacks: lacks, client: client($1))
      }
    }
  }

  @Test func `what the client lacks is left out, and everything is judged`() {
    let few: Set<String> = ["listen.value", "set"]
    let hunter = hunter(few)
    let record = hunter.run(1...60)

    #expect(record.skipped == 0)
    #expect(record.finds.isEmpty)
    for seed in UInt64(1)...60 {
      #expect(few.union(Feature.names).isSuperset(of: hunter.drawn(seed).scenario.capabilities))
    }
    #expect(hunter.lacks.first == "listen.child" && hunter.lacks.count >= 16)
  }

  @Test func `what an interface lacks is left out, and the rest is asked`() {
    let names = Set(Feature.names)
    let hunter = hunter(Capability.all, lacks: Set(Feature.allCases))
    let drawn = (UInt64(1)...200).map { hunter.drawn($0).scenario.capabilities }
    let all = (UInt64(1)...200).map { self.hunter(Capability.all).drawn($0).scenario.capabilities }

    #expect(drawn.allSatisfy { names.isDisjoint(with: $0) })
    #expect(Set(all.joined()).intersection(names).count > 4)
    #expect(Set(drawn.joined()).count > 12)
    #expect(hunter.lacks == Feature.names)
    #expect(hunter.run(1...20).finds.isEmpty)
  }

  @Test func `a defect is found with the few things that a client can do`() throws {
    let mutant = try #require(Mutant(named: "dropped-write"))
    let record = hunter(["listen.value", "set", "offline"]) { mutant.makeClient($0) }.run(1...60)

    #expect(!record.finds.isEmpty)
  }

  @Test func `a client that lacks nothing is asked everything`() {
    #expect(hunter(Capability.all).lacks == [])
    #expect(
      hunter(Capability.all).drawn(5).scenario.steps.count
        == Generator(profile: HuntSettings().profile(of: 5)).scenario(seed: 5).scenario.steps.count)
  }

  @Test func `bounds that exclude are drawn where there are such`() {
    let excluding = Profile.all.filter { profile in
      (UInt64(1)...200).contains { seed in
        Generator(profile: profile).scenario(seed: seed).scenario.steps.contains { step in
          guard case let .call(call) = step.action,
            case let .listen(_, target, _) = call.operation
          else { return false }
          return [target.query.start, target.query.end].contains { $0?.edge == .exclusive }
        }
      }
    }

    #expect(excluding.map(\.name) == ["firebase"])
  }
}
