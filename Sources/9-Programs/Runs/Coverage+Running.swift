import Conformance
import ReferenceClient
package import Reports
import Scenario
package import System
import Trace
package import Workspace

extension Coverage {
  /// Runs scenarios in all their profiles against the reference client, and looks at which rules
  /// that tests.
  ///
  /// - Parameters:
  ///   - library: The scenarios, and the rules.
  ///   - extent: Which rules are looked at.
  /// - Throws: `Failure` when the table of sources cannot be read.
  package init(running library: ScenarioLibrary, extent: Extent) throws(Failure) {
    let runner = ScenarioRunner(seed: 0) { _, profile in ReferenceClient(profile: profile) }
    let loop = try ScenarioLoop(
      over: library.scenarios, in: \.profiles, run: { runner.run($0, in: $1) }, show: { _ in },
      keep: { result in
        var result = result
        result.trace.forgetEvents()
        return result
      })
    self.init(
      of: library.rules, results: loop.outcomes, sources: try Home.find().sourceTable(),
      extent: extent)
  }
}
