internal import Scenario

extension Judge {
  /// Constraints on what did not happen hold: that it is missing is a divergence of its own.
  mutating func judgeOrder() {
    for constraint in expectation.order {
      let first = sequences(of: constraint.first)
      let second = sequences(of: constraint.second)
      guard let last = first.max(), let next = second.min(), last > next else { continue }
      record(
        Divergence(
          .orderBetween(constraint), of: .client(constraint.second.client),
          at: constraint.position, evidence: next),
        at: next)
    }
  }

  private func sequences(of moment: OrderConstraint.Moment) -> [Int] {
    guard let client = registry.index(of: moment.client) else { return [] }
    let name = Registry.Name(client: client, label: moment.label)
    let events = observations(of: name).map(\.sequence)
    let ends = period.outcomes.filter { $0.name == name }.map(\.outcome.sequence)
    let all = events.isEmpty ? ends : events
    guard let index = moment.index else { return all }
    return all.indices.contains(index - 1) ? [all[index - 1]] : []
  }
}
