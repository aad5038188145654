internal import ClientInterface
internal import ReferenceServer
internal import Scenario
internal import Simulator
internal import Trace

/// One thing that goes wrong in a run, and how it gets well again.
struct Mishap: Sendable {
  /// `cut:alice`; for the server only the kind of the fault.
  let name: String
  let faults: [Fault]
  /// What makes well again, and how long after.
  var relief: [Fault] = []

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
    [
      Mishap(name: "cut", faults: [.cut(client)], relief: [.heal(client)]),
      Mishap(name: "drop", faults: [.drop(client)]),
      Mishap(name: "lost-acknowledgement", faults: [.lostAcknowledgement(client)]),
      Mishap(name: "late-close", faults: [.lateClose(client, after: .milliseconds(50))]),
      Mishap(
        name: "stall", faults: [.stall(client, .both)], relief: [.resume(client, .both)]),
      Mishap(name: "half-open", faults: [.halfOpen(client, notices: .client)]),
    ]
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

  private static let server = [
    Mishap(name: "restart", faults: [.restart(down: .milliseconds(100), .carriedOut)]),
    Mishap(name: "stale-hash", faults: [.staleHash(count: 1, .sent)]),
  ]
}
