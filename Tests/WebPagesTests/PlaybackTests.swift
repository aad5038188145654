import Conformance
import Scenario
import Simulator
import TestKit
import Testing
import Tree

@testable import WebPages

/// What everybody knew at every event, as the viewer shows it.
@Suite struct PlaybackTests {
  /// Topics in which the server's tree changes in other ways than by plain writes.
  private static let topics = ["faults/", "on-disconnect/", "server-values/", "transactions/"]

  @Test func `the server's tree is the one that scenarios find at their end`() throws {
    var compared = 0
    for (index, scenario) in try Kit.projectScenarios().enumerated() {
      let isReported = Self.topics.contains(where: scenario.id.hasPrefix) || index.isMultiple(of: 7)
      guard isReported, let profile = scenario.profiles.first,
        let expected = serverAtTheEnd(of: scenario)
      else { continue }
      let result = Kit.run(scenario, in: profile)
      let playback = Playback(
        of: result.trace, data: scenario.data, epoch: Configuration.standardEpoch)
      var bindings = Bindings()
      let mismatch = expected.mismatch(with: playback.end, bindings: &bindings)
      #expect(mismatch == nil, "\(scenario.id): \(playback.end)")

      var tree = playback.start
      for change in playback.changes.joined().compactMap(\.elements)
      where change[0] == "t" && change[1] == 0 {
        let keys = (change[2].elements ?? []).compactMap(\.string)
        let path = keys.reduce(Path.root) { $0.appending(Key($1)) }
        tree = tree.setting(Node(json: change[3]), at: path)
      }
      #expect(tree == playback.end, "\(scenario.id)")
      compared += 1
    }
    #expect(compared > 50)
  }

  /// What the last expectation says of the server's tree, if it says it of the whole and there is
  /// nothing after it; without names that were bound before.
  private func serverAtTheEnd(of scenario: Scenario) -> Pattern? {
    guard let last = scenario.steps.last, case .expect = last.action,
      let expectation = last.expectation, expectation.alternatives.isEmpty,
      let pattern = expectation.server, !"\(pattern)".contains("$ref")
    else { return nil }
    return pattern
  }
}
