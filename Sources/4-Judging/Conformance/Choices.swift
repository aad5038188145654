internal import ClientInterface
public import Scenario
internal import Simulator
internal import Wire

// The choices of scenarios as entries of a tape, and back.

extension ChoiceTape {
  /// The tape of a run. Choices that a scenario states make all others benign.
  init(for scenario: Scenario, seed: UInt64) {
    let entries = (scenario.choices ?? []).flatMap { $0.entries(clients: scenario.clients) }
    self.init(seed: seed, stated: entries, missing: scenario.choices == nil ? .drawn : .benign)
  }
}

extension Scenario.Choice {
  fileprivate func entries(clients: [String]) -> [ChoiceTape.Entry] {
    if case let .order(scope, moves) = self {
      return moves.enumerated().filter { $0.element != 0 }.map { ordinal, move in
        .init(.init(.order, entity: scope.entity, ordinal: ordinal), move)
      }
    }
    guard let index = client.flatMap({ clients.firstIndex(of: $0) }) else { return [] }
    switch self {
    case .seed, .order: return []
    case let .message(number, direction, _, late):
      let entity = 2 * index + (direction == .toClient ? 1 : 0)
      return [.init(.init(.latency, entity: entity, ordinal: number - 1), late.latencyUnits)]
    case let .connection(number, _, late):
      return [.init(.init(.connecting, entity: index, ordinal: number - 1), late.latencyUnits)]
    case let .form(number, _, form):
      let key = ChoiceTape.Key(.form, entity: index, ordinal: number - 1)
      return WireForm.allCases.firstIndex(of: form).map { [.init(key, $0)] } ?? []
    }
  }
}

extension [ChoiceTape.Entry] {
  /// The entries as choices of a scenario. Moves of an order become one choice, the last.
  func choices(clients: [String], scope: Scenario.OrderScope?) -> [Scenario.Choice] {
    var choices: [Scenario.Choice] = []
    var moves: [Int] = []
    for entry in self {
      let (key, number) = (entry.key, entry.key.ordinal + 1)
      let index = key.domain == .latency ? key.entity / 2 : key.entity
      let late = Interval(latencyUnits: entry.value)
      if key.domain == .order {
        moves += Array<Int>(repeating: 0, count: Swift.max(0, number - moves.count))
        moves[key.ordinal] = entry.value
      }
      guard clients.indices.contains(index) else { continue }
      let client = clients[index]
      switch key.domain {
      case .order, .clientSeed: break
      case .latency:
        let way: Scenario.Choice.Direction =
          key.entity.isMultiple(of: 2) ? .fromClient : .toClient
        choices.append(.message(number, way, client: client, late: late))
      case .connecting: choices.append(.connection(number, client: client, late: late))
      case .form:
        guard WireForm.allCases.indices.contains(entry.value) else { continue }
        choices.append(.form(number, client: client, WireForm.allCases[entry.value]))
      }
    }
    if let scope { choices.append(.order(scope, moves)) }
    return choices
  }
}

extension Interval {
  fileprivate init(latencyUnits: Int) {
    self.init(nanoseconds: Int64(latencyUnits) * Scenario.Choice.latencyUnit.nanoseconds)
  }

  fileprivate var latencyUnits: Int { Int(nanoseconds / Scenario.Choice.latencyUnit.nanoseconds) }
}

extension Scenario.OrderScope {
  /// The number on the tape; it is part of recorded runs and never changes.
  var entity: Int {
    switch self {
    case .calls: 0
    case .deliveries: 1
    case .everything: 2
    }
  }
}

extension ScenarioResult {
  /// All choices of the run that were not benign: as `choices` of the scenario they make it go the
  /// same way again. Empty when it was not run.
  public var choices: [Scenario.Choice] {
    let seeds: [Scenario.Choice] = seed == 0 ? [] : [.seed(seed)]
    let scope = scenario.statedOrder?.scope
    return seeds + (tape?.used ?? []).choices(clients: scenario.clients, scope: scope)
  }

  /// Choices that the scenario states and that the run never reached, also those about clients that
  /// there are not.
  public var unusedChoices: [Scenario.Choice] {
    let foreignNames = (scenario.choices ?? []).filter { choice in
      choice.client.map { !scenario.clients.contains($0) } ?? false
    }
    return choices(of: tape?.unused ?? []) + foreignNames
  }

  /// Choices that the scenario states beyond what could be chosen; the highest that could be was.
  public var loweredChoices: [Scenario.Choice] { choices(of: tape?.lowered ?? []) }

  private func choices(of entries: [ChoiceTape.Entry]) -> [Scenario.Choice] {
    let hasOrder = entries.contains { $0.key.domain == .order }
    return entries.choices(
      clients: scenario.clients, scope: hasOrder ? scenario.statedOrder?.scope : nil)
  }
}
