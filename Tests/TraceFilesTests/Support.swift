import TestKit
import Testing

/// Runs whose traces are kept.
extension Kit {
  static let race = """
    clients: [alice, bob]
    network: {latency: 5ms..30ms}
    judge: invariants
    steps:
      - bob.listen: {path: n, event: value, as: feed}
      - together:
          - alice.set: {path: n, value: 1, as: w}
          - bob.set: {path: n, value: 2, as: w}
      - settle
    """
}
