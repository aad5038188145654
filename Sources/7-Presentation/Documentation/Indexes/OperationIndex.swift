internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

/// What happens when something is done, by what listens there and whether there is a connection.
struct OperationIndex {
  private let entries: [DocumentedScenario]

  init(_ entries: [DocumentedScenario]) {
    self.entries = entries
  }

  var page: DocumentationPage {
    var operations: [String: Groups] = [:]
    for entry in entries {
      for (name, situation) in Situations(entry.scenario).found {
        operations[name, default: Groups()].add(entry.link, to: situation)
      }
    }
    var blocks: [Block] = [
      .paragraph([.text("What happens when I ...")])
    ]
    for name in Self.order + operations.keys.filter({ !Self.order.contains($0) }).sorted() {
      guard let groups = operations[name] else { continue }
      blocks.append(.heading(2, [.code(name)], anchor: name))
      for situation in Situations.names where groups.names.contains(situation) {
        blocks += [.heading(3, [.text("... \(situation)")]), .list(groups.items(of: situation))]
      }
    }
    return DocumentationPage(.operations, title: "By operation", blocks)
  }

  private static let order =
    Operation.Kind.allCases.map(\.rawValue) + ["server.set", "server.update", "server.remove"]
}

/// The operations of a scenario, each with the situation in which it is done.
struct Situations {
  private(set) var found: [(operation: String, situation: String)] = []
  private var listening: [String: ClientInterface.Operation.Target] = [:]
  private var absent: Set<String> = []
  /// Whether the listens that a story begins with count: where it is about nothing else.
  private var isAboutListening = false
  private var hasBegun = false

  static let names = [
    "for everything at a location", "with an ordering", "with a range", "with a limit",
    "under a listener for everything", "under a query with an ordering",
    "under a query with a range", "under a limited query", "where no client listens",
    "while there is no connection",
    "at any time", "in a callback",
  ]

  init(_ scenario: Scenario) {
    isAboutListening = scenario.actions.allSatisfy {
      $0.call.map { $0.operation.registration != nil } ?? ($0.category == .observation)
    }
    for step in scenario.steps {
      for part in step.parts { take(part.action) }
      if step.expectation?.timing == .settled { hasBegun = true }
    }
  }

  private mutating func take(_ action: Action) {
    if let call = action.call { take(call) }
    if action.passesTime { hasBegun = true }
    if let client = action.client, let access = action.fault?.kind.access {
      change(access != .up, client)
    }
    if case let .write(change)? = action.fault { write(change.step, at: change.path) }
  }

  private mutating func change(_ isAbsent: Bool, _ client: String) {
    if isAbsent { absent.insert(client) } else { absent.remove(client) }
  }

  private mutating func take(_ call: Action.Call) {
    let operation = call.operation
    let name = operation.name
    if operation.kind == .on {
      for call in operation.nestedCalls { found.append((call.operation.name, "in a callback")) }
      return
    }
    if absent.contains(call.client), hasBegun { found.append((name, Self.names[9])) }
    if let new = operation.registration {
      listening["\(call.client).\(new.listener.name)"] = new.target
      guard hasBegun || isAboutListening else { return }
      found.append((name, Self.names[new.target.query.kind]))
    } else if case let .removes(id, _) = operation.listenerChange {
      listening["\(call.client).\(id.name)"] = nil
    } else if let isOnline = operation.isOnline {
      change(!isOnline, call.client)
    } else if let path = operation.path, operation.ending != .none {
      return write(name, at: path)
    } else if operation.arguments.synchronization != nil, let query = operation.arguments.query {
      found.append((name, Self.names[query.kind]))
    }
    if found.last?.operation != name, name != "inspect" { found.append((name, "at any time")) }
  }

  private mutating func write(_ name: String, at path: Path) {
    let near = listening.values.filter { $0.path.isRelated(to: path) }
    let kinds = Set(near.map { $0.query.kind + 4 }).sorted()
    if kinds.isEmpty { found.append((name, "where no client listens")) }
    for kind in kinds { found.append((name, Self.names[kind])) }
  }
}

extension Query {
  /// 0 for everything in the default order, 1 with an ordering, 2 with a range, 3 with a limit.
  fileprivate var kind: Int {
    if limit != nil { return 3 }
    if start != nil || end != nil { return 2 }
    return ordering == .priority ? 0 : 1
  }
}
