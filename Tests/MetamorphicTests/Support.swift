import ClientInterface
import Conformance
import Metamorphic
import ReferenceClient
import TestKit
import Testing

/// Scenarios written in tests, and what of a scenario a client can tell.
extension Kit {
  static func unsupportedReason(to change: ScenarioChange, _ body: String) throws -> String? {
    let scenario = try scenario(body)
    do throws(UnsupportedReason) {
      _ = try change.applied(to: scenario)
      return nil
    } catch {
      return error.description
    }
  }

  static func trial(
    _ body: String, in profile: Profile = .firebase,
    client: @escaping ScenarioRunner.Factory = { ReferenceClient(profile: $1) }
  ) throws -> Trial {
    Trial(try scenario(body), in: profile, ScenarioRunner(client: client))
  }
}
