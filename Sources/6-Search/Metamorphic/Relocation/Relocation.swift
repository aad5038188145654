internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

/// A scenario's locations elsewhere: all below one location, or under other names.
struct Relocation {
  private let prefix: Path
  let renaming: Renaming
  /// What listeners listen to and what inspections ask, to know what their events and answers are
  /// about.
  private var inspections: [Label: Inspection] = [:]

  private struct Label: Hashable {
    var client: String
    var name: String
  }

  static let deepPrefix = Path("deep/root")

  private init(prefix: Path, _ renaming: Renaming, of scenario: Scenario) {
    self.prefix = prefix
    self.renaming = renaming
    for call in scenario.calls {
      guard case let .inspect(inspection) = call.operation else { continue }
      inspections[Label(client: call.client, name: call.id.name)] = inspection
    }
  }

  /// Whether a location that was the root is another one now.
  var movesRoot: Bool { !prefix.isRoot }

  func inspection(_ client: String, _ call: CallID) -> Inspection? {
    inspections[Label(client: client, name: call.name)]
  }
}

extension Relocation {
  /// The scenario with all that happens at the root happening at `deepPrefix`.
  static func deeper(_ scenario: Scenario) throws(UnsupportedReason) -> Scenario {
    let relocation = Relocation(prefix: deepPrefix, .none, of: scenario)
    return try relocation.moved(scenario)
  }

  /// The scenario with other names for all keys.
  static func renamed(_ scenario: Scenario) throws(UnsupportedReason) -> Scenario {
    let pushes = scenario.calls.contains { if case .push = $0.operation { true } else { false } }
    func renaming(_ integers: Renaming.Integers) -> Renaming {
      Renaming(integers: integers, prefix: Renaming.usualPrefix, meetsPushIDs: pushes)
    }
    if !scenario.showsLists,
      let moved = try? Relocation(
        prefix: .root, renaming(.stretched), of: scenario
      ).moved(scenario)
    {
      return moved
    }
    return try Relocation(prefix: .root, renaming(.kept), of: scenario).moved(scenario)
  }

  private func moved(_ scenario: Scenario) throws(UnsupportedReason) -> Scenario {
    if scenario.persistence.values.contains(where: { $0 != .init() }) {
      throw UnsupportedReason("a cache of a stated size holds less where paths are longer")
    }
    if scenario.databaseRules != nil {
      throw UnsupportedReason("the rules of the database hold at the locations that they name")
    }
    var moved = scenario
    moved.data = try whole(scenario.data)
    for index in scenario.security.indices {
      moved.security[index].path = try path(scenario.security[index].path)
    }
    moved.steps = try steps(scenario.steps)
    return moved
  }
}

// Locations and what is there.

extension Relocation {
  /// A location of the tree. Those of `.info` stay where they are.
  ///
  /// - Throws: `UnsupportedReason` when the location was allowed and the new one is not, or when its keys would
  ///   not stay in order.
  func path(_ path: Path) throws(UnsupportedReason) -> Path {
    if path.keys.first == ".info" { return path }
    let moved = try prefix.appending(relative(path))
    if path.problem == nil, moved.problem != nil {
      throw UnsupportedReason("a path would be deeper or longer than the database allows")
    }
    return moved
  }

  /// A way from one location to another below it.
  func relative(_ path: Path) throws(UnsupportedReason) -> Path {
    for key in path.keys { try check(key) }
    return renaming(path)
  }

  private func check(_ key: Key) throws(UnsupportedReason) {
    guard !renaming.keepsOrder(of: key) else { return }
    throw UnsupportedReason("the key \"\(key)\" would not stay in its place among push ids")
  }

  /// A value that is written at a location.
  func node(_ node: Node, at location: Path) throws(UnsupportedReason) -> Node {
    try check(node, below: location)
    return renaming(node)
  }

  /// The server's whole tree.
  private func whole(_ node: Node) throws(UnsupportedReason) -> Node {
    Node.empty.setting(try self.node(node, at: .root), at: prefix)
  }

  /// What the server's whole tree must look like.
  func whole(_ pattern: Pattern) -> Pattern {
    prefix.keys.reversed().reduce(renaming(pattern)) { .mapping([.init($1.string, $0)]) }
  }

  private func check(_ node: Node, below location: Path) throws(UnsupportedReason) {
    if node.children.isEmpty { _ = try path(location) }
    for entry in node.children { try check(entry.node, below: location.appending(entry.key)) }
  }

  func assignments(
    _ assignments: [Assignment], at location: Path
  ) throws(UnsupportedReason) -> [Assignment] {
    var moved: [Assignment] = []
    for part in assignments {
      let node = try node(part.node, at: location.appending(part.path))
      moved.append(Assignment(try relative(part.path), node))
    }
    return moved
  }

  /// Ranges by key hold keys; all others hold values.
  func query(_ query: Query) throws(UnsupportedReason) -> Query {
    var moved = query
    if case let .child(path) = query.ordering { moved.ordering = .child(try relative(path)) }
    moved.start = try bound(query.start, query.ordering)
    moved.end = try bound(query.end, query.ordering)
    return moved
  }

  private func bound(
    _ bound: Query.Bound?, _ ordering: Query.Ordering
  ) throws(UnsupportedReason) -> Query.Bound? {
    guard var moved = bound else { return nil }
    if let key = moved.key { moved.key = try relative(Path([key])).key }
    if ordering == .key, case let .string(text)? = moved.value {
      let key = try relative(Path([Key(text.string)])).key
      moved.value = key.map { .string($0.text) }
    }
    return moved
  }
}
