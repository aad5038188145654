import Documentation
import TestKit
import Testing

/// Runs to be pictured.
extension Kit {
  static let cut = """
    clients: [alice]
    judge: invariants
    steps:
      - alice.set: {path: n, value: 1, as: w}
      - network.cut: alice
      - wait: 2s
      - network.heal: alice
      - settle
    """

  static func picture(_ body: String, client: String? = nil) throws -> SpaceTime {
    let scenario = try scenario(body, title: "An <example> & \"more\"")
    return SpaceTime(of: PicturedRun(run(scenario, client: client)))
  }
}
