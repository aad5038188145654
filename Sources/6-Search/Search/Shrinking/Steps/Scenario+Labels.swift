internal import ClientInterface
internal import Faults
internal import Scenario

extension Scenario {
  /// Every listener and call with a usual name. Calls use theirs only where their outcome is listed.
  var named: Scenario { relabelled(.all) }

  /// Names only for what is referred to by name.
  var withoutNames: Scenario { relabelled(.needed) }

  private func relabelled(_ extent: Relabelling.Extent) -> Scenario {
    var relabelling = Relabelling(extent, of: self)
    var copy = self
    for element in elements {
      defer { relabelling.rename(&copy.steps[element.step].expectation) }
      if case let .fault(.kill(client)) = self[element] { relabelling.forget(client) }
      guard var call = self[element].call else { continue }
      relabelling.rename(&call)
      copy[element] = .call(call)
    }
    // A reaction may name what a later step gives a name to.
    for element in elements {
      guard case var .call(call) = copy[element], case var .on(reaction) = call.operation else {
        continue
      }
      relabelling.renameReferences(of: &reaction, call.client)
      call.operation = .on(reaction)
      copy[element] = .call(call)
    }
    return copy
  }
}

/// Gives names in the order of the steps.
private struct Relabelling {
  enum Extent { case all, needed }

  private struct Name: Hashable {
    var client: String
    var label: String
  }

  private let extent: Extent
  /// The listeners that later steps name.
  private var referred: Set<Name> = []
  private var new: [Name: String] = [:]
  private var taken: Set<Name> = []
  private var listens: [String: Int] = [:]
  private var calls: [String: Int] = [:]

  init(_ extent: Extent, of scenario: Scenario) {
    self.extent = extent
    for element in scenario.elements {
      guard case let .call(call) = scenario[element] else { continue }
      for name in call.operation.references {
        referred.insert(Name(client: call.client, label: name))
      }
    }
  }

  /// The process of a client has ended: its names are free again.
  mutating func forget(_ client: String) {
    taken = taken.filter { $0.client != client }
    new = new.filter { $0.key.client != client }
  }

  mutating func rename(_ call: inout Action.Call) {
    let client = call.client
    let old = Name(client: client, label: call.id.name)
    if let registration = call.operation.registration {
      let name = listenerName(old, registration.isOnce ? "read" : "feed", &call)
      call.operation = call.operation.mapArguments { $0.listener = name }
      return
    }
    if case var .on(reaction) = call.operation {
      for index in reaction.calls.indices {
        let nested = reaction.calls[index]
        var made = Action.Call(
          client: client, id: nested.id, isNamed: nested.isNamed, operation: nested.operation)
        // Whom it removes is renamed when all names are known.
        if case .unlisten = made.operation { nameCall(&made) } else { rename(&made) }
        reaction.calls[index] = .init(made.id, made.operation)
      }
      call.operation = .on(reaction)
    } else {
      call.operation = renaming.call(call).operation
    }
    nameCall(&call)
  }

  /// Gives everything the names that have been given so far.
  private var renaming: ScenarioRenaming {
    var renaming = ScenarioRenaming()
    renaming.label = { [new] in new[Name(client: $1, label: $0)] ?? $0 }
    return renaming
  }

  /// Gives what the reaction names the names that all steps have been given by now.
  func renameReferences(of reaction: inout Reaction, _ client: String) {
    func renamed(_ name: String) -> String { new[Name(client: client, label: name)] ?? name }
    reaction.callback = reaction.callback.renamed(renamed(reaction.callback.name))
    for index in reaction.calls.indices {
      guard case let .unlisten(id, path) = reaction.calls[index].operation else { continue }
      reaction.calls[index].operation = .unlisten(ListenerID(renamed(id.name)), at: path)
    }
  }

  /// What comes before what, by the new names.
  func rename(_ expectation: inout Expectation?) {
    expectation = expectation.map(renaming.expectation)
  }

  private mutating func listenerName(
    _ old: Name, _ stem: String, _ call: inout Action.Call
  ) -> ListenerID {
    listens[old.client, default: 0] += 1
    let isNamed = extent == .all || referred.contains(old)
    let name = isNamed ? free(stem, for: old.client) : "L\(listens[old.client] ?? 1)"
    new[old] = name
    call.id = CallID(name)
    call.isNamed = isNamed
    return ListenerID(name)
  }

  private mutating func nameCall(_ call: inout Action.Call) {
    let old = Name(client: call.client, label: call.id.name)
    defer { new[old] = call.id.name }
    // Inspections cannot do without a name.
    if case .inspect = call.operation {
      call.id = CallID(free("answer", for: call.client))
      return
    }
    call.isNamed = referred.contains(old)
    if extent == .all || call.isNamed {
      call.id = CallID(free(call.operation.name == "transaction" ? "t" : "w", for: call.client))
    } else {
      calls[call.client, default: 0] += 1
      call.id = CallID("#\(calls[call.client] ?? 1)")
    }
  }

  private mutating func free(_ stem: String, for client: String) -> String {
    var number = 1
    while true {
      let name = number == 1 ? stem : "\(stem)\(number)"
      if taken.insert(Name(client: client, label: name)).inserted { return name }
      number += 1
    }
  }
}

extension ClientInterface.Operation {
  /// The listeners and calls that it names.
  fileprivate var references: [String] {
    switch self {
    case let .unlisten(id, _): return [id.name]
    case let .inspect(inspection): return inspection.subject.name.map { [$0] } ?? []
    case let .on(reaction):
      return [reaction.callback.name] + reaction.calls.flatMap(\.operation.references)
    default: return []
    }
  }
}
