internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

/// Other names for keys wherever they stand in a scenario.
///
/// Expectations are not changed: they are filled in again.
struct KeyRenaming {
  /// The new name of a key that stands so many keys below the root.
  private let name: (Key, _ depth: Int) -> Key
  /// How many keys all locations lose at their beginning.
  private let dropped: Int

  init(dropping count: Int = 0, _ name: @escaping (Key, _ depth: Int) -> Key) {
    self.name = name
    dropped = count
  }

  /// From old to new names.
  init(_ names: [(Key, Key)], dropping count: Int = 0) {
    let table = Dictionary(names, uniquingKeysWith: { first, _ in first })
    self.init(dropping: count) { key, _ in table[key] ?? key }
  }

  func callAsFunction(_ scenario: Scenario) -> Scenario {
    var copy = scenario
    copy.data = node(scenario.data, 0)
    for index in copy.security.indices {
      copy.security[index].path = path(scenario.security[index].path)
    }
    copy.steps = scenario.steps.map { $0.mapped(mapping) }
    return copy
  }

  private var mapping: ActionMapping<Never> {
    var mapping = ActionMapping<Never>()
    mapping.call = { call in
      var copy = call
      copy.operation = operation(call.operation)
      return copy
    }
    mapping.path = path
    mapping.node = { self.node($0, $1.count) }
    mapping.assignments = { assignments($0, $1.count) }
    return mapping
  }

  private func operation(
    _ operation: ClientInterface.Operation
  ) -> ClientInterface.Operation {
    operation.mapArguments { given in
      let depth = given.path?.count ?? 0
      given.path = given.path.map(path)
      given.query = given.query.map { query($0, depth) }
      // What is pushed stands below a key that the client makes.
      given.value = given.value.map { node($0, operation.kind == .push ? depth + 1 : depth) }
      given.changes = given.changes.map { assignments($0, depth) }
      given.function = given.function.map { function($0, depth) }
    }
  }
}

// Locations and what is there.

extension KeyRenaming {
  private func path(_ path: Path) -> Path {
    path.keys.first == ".info" ? path : relative(path, 0).dropFirst(dropped)
  }

  private func relative(_ path: Path, _ depth: Int) -> Path {
    Path(path.keys.enumerated().map { renamed($0.element, depth + $0.offset) })
  }

  /// What cannot be a key is there to be refused, and stays.
  private func renamed(_ key: Key, _ depth: Int) -> Key {
    key.problem == nil ? name(key, depth) : key
  }

  private func node(_ node: Node, _ depth: Int) -> Node {
    if node.children.isEmpty { return node }
    let children = node.children.map { (renamed($0.key, depth), self.node($0.node, depth + 1)) }
    return Node(Children(children), priority: node.priority)
  }

  private func json(_ json: JSON, _ depth: Int) -> JSON {
    json.members == nil ? json : node(Node(json: json), depth).json
  }

  private func function(_ function: TransactionFunction, _ depth: Int) -> TransactionFunction {
    function.mapValues { json($0, depth) }
  }

  private func assignments(_ parts: [Assignment], _ depth: Int) -> [Assignment] {
    parts.map { part in
      Assignment(relative(part.path, depth), node(part.node, depth + part.path.count))
    }
  }

  private func query(_ query: Query, _ depth: Int) -> Query {
    var copy = query
    if case let .child(path) = query.ordering {
      copy.ordering = .child(relative(path, depth + 1))
    }
    copy.start = query.start.map { bound($0, query.ordering, depth) }
    copy.end = query.end.map { bound($0, query.ordering, depth) }
    return copy
  }

  /// Ranges by key hold keys; all others hold values.
  private func bound(_ bound: Query.Bound, _ ordering: Query.Ordering, _ depth: Int) -> Query.Bound
  {
    var copy = bound
    copy.key = bound.key.map { renamed($0, depth) }
    if ordering == .key, case let .string(text)? = bound.value {
      copy.value = .string(renamed(Key(text.string), depth).text)
    }
    return copy
  }
}

extension Scenario {
  /// The keys that occur anywhere in a scenario, in their order.
  struct Keys {
    /// Those just below the root.
    var topKeys: [Key] = []
    /// Those that are only deeper.
    var parts: [Key] = []

    var all: [Key] { topKeys + parts }
  }

  var keys: Keys {
    let found = Collection()
    _ = KeyRenaming { key, depth in
      if depth == 0 { found.topKeys.insert(key) } else { found.parts.insert(key) }
      return key
    }(self)
    return Keys(
      topKeys: found.topKeys.sorted(), parts: found.parts.subtracting(found.topKeys).sorted())
  }

  private final class Collection {
    var topKeys: Set<Key> = []
    var parts: Set<Key> = []
  }

  /// The location just below the root that everything lies below, by two keys at least.
  var commonTopKey: Key? {
    let paths = actions.compactMap(\.path) + security.map(\.path)
    let own = paths.filter { $0.keys.first != ".info" }
    guard let first = own.first?.keys.first, own.allSatisfy({ $0.count > 1 }),
      own.allSatisfy({ $0.keys.first == first }), data.children.allSatisfy({ $0.key == first }),
      data[first].scalar == nil
    else { return nil }
    return first
  }
}
