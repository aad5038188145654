internal import ClientInterface
public import Scenario
internal import ScenarioFiles

extension Scenario {
  /// For each client the first one with which it can change places, itself if there is none before it: then
  /// the scenario stays the same but for the order of what happens at one instant.
  ///
  /// Clients that can change places with one client can do so with each other, so that they are groups.
  ///
  /// - Complexity: O(*n*) in the square of the clients and the size of the scenario.
  public var interchangeableClients: [Int] {
    let text = withoutOrder { $0 }
    return clients.indices.map { index in
      let first = clients.indices.prefix(index).first { other in
        let (one, two) = (clients[other], clients[index])
        return withoutOrder { $0 == one ? two : $0 == two ? one : $0 } == text
      }
      return first ?? index
    }
  }

  /// The scenario as a text, with other names of clients, labels numbered for each of them, and a fixed order
  /// where that means nothing.
  private func withoutOrder(_ client: @escaping (String) -> String) -> String {
    var labels: [String: [String]] = [:]
    var renaming = ScenarioRenaming()
    renaming.client = client
    renaming.label = { label, client in
      let known = labels[client, default: []]
      if let index = known.firstIndex(of: label) { return "label\(index)" }
      labels[client] = known + [label]
      return "label\(known.count)"
    }
    var scenario = renaming(self)
    scenario.clients.sort()
    scenario.latency.overrides.sort { $0.client < $1.client }
    scenario.steps = scenario.steps.map(\.withoutOrder).sortedByClientWhereAtOnce
    return scenario.yaml()
  }
}

extension Step {
  fileprivate var withoutOrder: Step {
    var copy = self
    copy.action.members = action.members?.sortedByClient
    copy.expectation = expectation?.withoutOrder
    return copy
  }
}

extension Array where Element == Step {
  fileprivate var sortedByClient: [Step] {
    enumerated().sorted {
      ($0.element.action.client ?? "", $0.offset) < ($1.element.action.client ?? "", $1.offset)
    }.map(\.element)
  }

  /// Calls that follow each other happen at one instant.
  fileprivate var sortedByClientWhereAtOnce: [Step] {
    var steps: [Step] = []
    var calls: [Step] = []
    for step in self {
      if step.action.call != nil, step.expectation == nil {
        calls.append(step)
      } else {
        steps += calls.sortedByClient + [step]
        calls = []
      }
    }
    return steps + calls.sortedByClient
  }
}

extension Expectation {
  fileprivate var withoutOrder: Expectation {
    var copy = self
    copy.listeners.sort { ($0.client, $0.listener.name) < ($1.client, $1.listener.name) }
    copy.outcomes.sort { ($0.client, $0.call.name) < ($1.client, $1.call.name) }
    copy.frames.sort { ($0.client, $0.kind) < ($1.client, $1.kind) }
    // They are written by their positions.
    for index in copy.listeners.indices { copy.listeners[index].position = position }
    for index in copy.outcomes.indices { copy.outcomes[index].position = position }
    copy.alternatives = alternatives.map(\.withoutOrder)
    return copy
  }
}
