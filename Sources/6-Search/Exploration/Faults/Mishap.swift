internal import ClientInterface
internal import Faults
internal import Scenario
internal import Trace

/// One thing that goes wrong in a run, and how it gets well again.
struct Mishap: Sendable {
  /// `cut:alice`; for the server only the kind of the fault.
  let name: String
  let faults: [IndexedFault]
  /// What makes well again, and how long after.
  var relief: [IndexedFault] = []

  /// How long something stays wrong.
  static let duration = Interval.milliseconds(300)

  /// All that is tried in a scenario, in order of the clients.
  static func all(in scenario: Scenario) -> [Mishap] {
    scenario.clients.indices.flatMap { index in
      let client = ClientIndex(index)
      let name = scenario.clients[index]
      let keeps = scenario.persistence[name] != nil
      return (connection(client) + process(client, keeps: keeps)).map { mishap in
        Mishap(name: "\(mishap.name):\(name)", faults: mishap.faults, relief: mishap.relief)
      }
    } + server
  }

  private static func connection(_ client: ClientIndex) -> [Mishap] {
    FaultKind.candidates(of: client).map { fault, relief in
      Mishap(name: fault.kind.name, faults: [fault], relief: relief.map { [$0] } ?? [])
    }
  }

  /// The next process finds what was stored, if anything was.
  private static func process(_ client: ClientIndex, keeps: Bool) -> [Mishap] {
    let killed = Mishap(name: "kill", faults: [.kill(client), .start(client, .kept)])
    guard keeps else { return [killed] }
    return [
      killed,
      Mishap(name: "roll-back", faults: [.kill(client), .start(client, .rolledBack)]),
      Mishap(
        name: "write-error",
        faults: [.writeError(client, count: 1), .kill(client), .start(client, .kept)]),
    ]
  }

  private static var server: [Mishap] {
    FaultKind.serverCandidates().map { Mishap(name: $0.kind.name, faults: [$0]) }
  }
}
