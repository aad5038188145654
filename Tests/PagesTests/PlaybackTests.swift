import ClientInterface
import Conformance
import Scenario
import Simulator
import Testing
import Trace
import Tree

@testable import Pages

/// What everybody knew at every event, as the viewer shows it.
@Suite struct PlaybackTests {
  @Test func `the server's tree is the one that scenarios find at their end`() throws {
    var compared = 0
    for (scenario, _) in try Runs.all() {
      guard let profile = scenario.profiles.first, let expected = serverAtTheEnd(of: scenario)
      else {
        continue
      }
      let result = Runs.run(scenario, in: profile)
      let playback = Playback(
        of: result.trace, data: scenario.data, epoch: Configuration.standardEpoch)
      var bindings = Bindings()
      let mismatch = expected.mismatch(with: playback.end, bindings: &bindings)
      #expect(mismatch == nil, "\(scenario.id): \(playback.end)")
      compared += 1
    }
    #expect(compared > 100)
  }

  @Test func `changes made one after another give what is there at the end`() throws {
    for (scenario, _) in try Runs.all().prefix(150) {
      guard let profile = scenario.profiles.first else { continue }
      let result = Runs.run(scenario, in: profile)
      let playback = Playback(
        of: result.trace, data: scenario.data, epoch: Configuration.standardEpoch)
      var tree = playback.start
      for case let .tree(0, path, node) in playback.changes.joined() {
        tree = tree.setting(node, at: path)
      }
      #expect(tree == playback.end, "\(scenario.id)")
    }
  }

  /// What the last expectation says of the server's tree, if it says it of the whole and there is
  /// nothing after it; without names that were bound before.
  private func serverAtTheEnd(of scenario: Scenario) -> Pattern? {
    guard let last = scenario.steps.last, case .expect = last.action,
      let expectation = last.expectation, expectation.alternatives.isEmpty,
      let pattern = expectation.server, !"\(pattern)".contains("ref(")
    else { return nil }
    return pattern
  }
}
