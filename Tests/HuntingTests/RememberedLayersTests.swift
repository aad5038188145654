import ClientInterface
import Conformance
import Foundation
import Hunting
import ReferenceClient
import Scenario
import TestKit
import Testing

/// One more write is laid over what the earlier ones came to, unless the client decides how writes are
/// laid. What is shown must not depend on that.
@Suite struct RememberedLayersTests {
  private let remembering = ScenarioRunner { ReferenceClient(profile: $1) }
  private let forgetting = ScenarioRunner { _, profile in
    ReferenceClient(profile: profile) { $0.layers = { sets, _ in sets } }
  }

  /// How many hunted scenarios are compared in each profile: `KENNEL_LAYER_SEEDS=100000` for more.
  private static let seeds =
    ProcessInfo.processInfo.environment["KENNEL_LAYER_SEEDS"].flatMap(UInt64.init) ?? 300

  @Test func `every scenario has the same trace without remembered layers`() throws {
    var different: [String] = []
    for scenario in try Kit.projectScenarios() {
      for profile in scenario.profiles where isDifferent(scenario, in: profile) {
        different.append("\(scenario.id) in \(profile.name)")
      }
    }

    #expect(different == [])
  }

  @Test(arguments: Profile.all)
  func `every hunted scenario has the same trace without remembered layers`(profile: Profile) {
    let generator = Generator(profile: profile)
    let different = (1...Self.seeds).filter { seed in
      isDifferent(generator.scenario(seed: seed).scenario, in: profile)
    }

    #expect(different == [])
  }

  private func isDifferent(_ scenario: Scenario, in profile: Profile) -> Bool {
    remembering.run(scenario, in: profile).hash != forgetting.run(scenario, in: profile).hash
  }
}
