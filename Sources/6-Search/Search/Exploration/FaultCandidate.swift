internal import ClientInterface
internal import Faults
internal import Scenario
internal import Trace

/// One thing that goes wrong in a run, and how it recovers.
struct FaultCandidate: Sendable {
  /// `cut:alice`; for the server only the kind of the fault.
  let name: String
  let faults: [IndexedFault]
  /// What repairs it, and how long after.
  var repair: [IndexedFault] = []

  /// How long something stays wrong.
  static let duration = Interval.milliseconds(300)

  /// All that is tried in a scenario, in order of the clients.
  static func all(in scenario: Scenario) -> [FaultCandidate] {
    scenario.clients.indices.flatMap { index in
      let client = ClientIndex(index)
      let name = scenario.clients[index]
      let keeps = scenario.persistence[name] != nil
      return (connection(client) + process(client, keeps: keeps)).map { candidate in
        FaultCandidate(
          name: "\(candidate.name):\(name)", faults: candidate.faults, repair: candidate.repair)
      }
    } + server
  }

  /// Why a name is none of these faults; `nil` when it is one.
  static func objection(to name: String, in scenario: Scenario) -> String? {
    let names = all(in: scenario).map(\.name)
    if names.contains(name) { return nil }
    return "expected one of \(names.joined(separator: ", "))"
  }

  private static func connection(_ client: ClientIndex) -> [FaultCandidate] {
    FaultKind.candidates(of: client).map { fault, repair in
      FaultCandidate(name: fault.kind.name, faults: [fault], repair: repair.map { [$0] } ?? [])
    }
  }

  /// The next process finds what was stored, if anything was.
  private static func process(_ client: ClientIndex, keeps: Bool) -> [FaultCandidate] {
    let killed = FaultCandidate(name: "kill", faults: [.kill(client), .start(client, .kept)])
    guard keeps else { return [killed] }
    return [
      killed,
      FaultCandidate(name: "roll-back", faults: [.kill(client), .start(client, .rolledBack)]),
      FaultCandidate(
        name: "write-error",
        faults: [.writeError(client, count: 1), .kill(client), .start(client, .kept)]),
    ]
  }

  private static var server: [FaultCandidate] {
    FaultKind.serverCandidates().map { FaultCandidate(name: $0.kind.name, faults: [$0]) }
  }
}
