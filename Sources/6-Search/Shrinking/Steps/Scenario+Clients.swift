internal import ClientInterface
internal import Scenario

extension Scenario {
  /// Gives the clients other names.
  mutating func rename(_ name: @escaping (String) -> String) {
    clients = clients.map(name)
    latency.overrides = latency.overrides.map { .init(client: name($0.client), range: $0.range) }
    let kept = persistence.map { (name($0.key), $0.value) }
    persistence = Dictionary(kept, uniquingKeysWith: { first, _ in first })
    choices = choices?.map { $0.renamed(name) }
    for index in steps.indices {
      for frame in steps[index].expectation?.frames.indices ?? 0..<0 {
        guard let client = steps[index].expectation?.frames[frame].client else { continue }
        steps[index].expectation?.frames[frame].client = name(client)
      }
      for position in steps[index].expectation?.order.indices ?? 0..<0 {
        steps[index].expectation?.order[position].renameClients(name)
      }
    }
    var mapping = ActionMapping<Never>()
    mapping.client = name
    steps = steps.map { $0.mapped(mapping) }
  }
}

extension OrderConstraint {
  fileprivate mutating func renameClients(_ name: (String) -> String) {
    first.client = name(first.client)
    second.client = name(second.client)
  }
}

extension Scenario.Choice {
  fileprivate func renamed(_ name: (String) -> String) -> Scenario.Choice {
    switch self {
    case .seed, .order: self
    case let .message(number, direction, client, late):
      .message(number, direction, client: name(client), late: late)
    case let .connection(number, client, late):
      .connection(number, client: name(client), late: late)
    case let .form(number, client, form): .form(number, client: name(client), form)
    }
  }
}
