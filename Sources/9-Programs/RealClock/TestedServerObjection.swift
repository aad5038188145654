package import ClientInterface
import Faults
package import Scenario
package import ServerHost
import Tree

extension Scenario {
  /// Why the scenario cannot be run against a server that is not the kit's, as a sentence without its full
  /// stop; nil when it can.
  package func unsupportedReason(against server: TestedServerOptions) -> String? {
    if hasRules, server.lacks.contains(TestedServer.rules) {
      return "the server under test has no \(TestedServer.rules) (--without)"
    }
    if let reasonAgainstRules { return reasonAgainstRules }
    // What is below /.info the client knows by itself.
    let written = calls.flatMap(\.operation.data).filter { $0.path.keys.first != .info }
    if !hasRules, written.contains(where: { server.hasNoRoom(for: $0.node, at: $0.path) }) {
      return "a path in it is as long as is allowed, and would be longer below the path of the run"
    }
    if form != nil { return "it states in which form the server words what it sends" }
    for need in capabilities where server.lacks.contains(need) {
      return "the server under test has no \(need) (--without)"
    }
    for fault in steps.flatMap(\.parts).compactMap(\.action.fault)
    where FaultKind.steps(of: .server).contains(fault.kind) && fault.kind != .revoke {
      return "\(fault.kind.step) happens in the server, and only the kit's own does it when asked"
    }
    return nil
  }
}

extension Scenario {
  /// What is left of a drawn scenario where a server is tested: what clients do, and what can go wrong between
  /// them and the server. Waits beyond what a run may last are left out.
  package func provoked(within longest: Interval) -> Scenario {
    var scenario = self
    (scenario.security, scenario.databaseRules) = ([], nil)
    (scenario.tokens, scenario.persistence) = ([:], [:])
    let ofServer = Set(FaultKind.steps(of: .server))
    var rest = longest
    scenario.steps = steps.filter { step in
      let isPossible = step.parts.allSatisfy { part in
        part.realClockUnsupportedReason(canEndProcesses: false) == nil
          && part.action.fault.map { !ofServer.contains($0.kind) } ?? true
          && part.action.call?.operation.kind.family != .credential
      }
      guard isPossible, step.duration <= rest else { return false }
      rest = rest - step.duration
      return true
    }
    return scenario
  }
}
