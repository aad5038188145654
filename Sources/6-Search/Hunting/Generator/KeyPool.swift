internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

/// The locations and values of one scenario: few, so that things collide. An object, because
/// whatever is drawn is drawn from it.
final class KeyPool: Sendable {
  /// Locations, the likelier ones first.
  let paths: [Path]
  /// Locations of numbers, for transactions that add.
  let counters: [Path]
  /// Keys of children.
  let keys: [Key]
  /// Paths below a location, none at or below another; only children where the profile leaves open
  /// what deeper ones do (WRT-7).
  let deep: [Path]
  /// The locations below which something is refused.
  let restrictions: [SecurityRule]
  let hasServerValues: Bool
  /// PRI-9: whether clients may write priorities inside a value.
  let hasPrioritiesInside: Bool
  /// SRV-8: whether the server can add to what it has.
  let hasIncrements: Bool
  /// QRY-12: whether ranges can end just before their bounds.
  let hasExclusiveBounds: Bool
  /// Locations to which access can be refused in the middle of a scenario.
  let denied: [Path]

  /// The keys that scenarios use: words, or numbers, which are ordered otherwise. No two of one
  /// alphabet have an order that is left open (KEY-4), as `00` and `-0` have.
  private static let alphabets: [[Key]] = [
    ["a", "b", "c", "d", "e"], ["1", "2", "10", "03", "x"], ["0", "1", "2", "3", "4"],
    ["a", "B", "ab", "é", "9"], ["01", "1", "-1", "10", "9"],
    ["z", "\u{1F600}", "\u{FF46}", "~", "a"],
    ["2147483647", "2147483648", "0", "00", "-1"],
  ]

  // Written once: reading a path takes as long as many draws.
  private static let room: Path = "room"
  private static let deepRoom: Path = "a/room"
  private static let list: Path = "list"
  private static let rest: [Path] = ["list/x", "list/y", .root]
  private static let refused: [Path] = ["locked", "secret", "locked/a", "secret/a"]

  /// The field that queries order by.
  static let field: Key = "n"
  /// The field below it that some queries order by.
  static let deepField: Path = "n/m"

  /// Draws all but the keys, where these are given.
  init(
    _ random: inout RandomSource, _ marks: StepKindSet, _ profile: Profile, keys given: [Key]?
  ) {
    hasExclusiveBounds = profile.dialect == .firebase
    hasIncrements = profile.dialect == .firebase
    hasPrioritiesInside = profile != .wilddog1
    let drawn = random.one(of: Self.alphabets)
    let keys = given ?? drawn
    self.keys = keys
    let room = random.chance(85) ? Self.room : Self.deepRoom
    let (a, b, c) = (room.appending(keys[0]), room.appending(keys[1]), room.appending(keys[2]))
    let (d, field) = (room.appending(keys[3]), a.appending(Self.field))
    var paths = [room, a, b, c, field] + [Self.list, c.appending(Self.field), d] + Self.rest
    counters = [Self.rest[0], field]
    let isRefusing = marks.contains(StepKindSet(.refusal))
    if isRefusing { paths += Self.refused }
    self.paths = paths
    denied = [Self.rest[1], d]
    deep =
      profile == .wilddog1
      ? keys.map { Path([$0]) }
      : [
        Path([keys[0], Self.field]), Path([keys[1]]), Path([keys[2], Self.field]),
        Path([keys[3], keys[0], Self.field]), Path([keys[4]]),
      ]
    restrictions =
      isRefusing ? Self.restrictions(&random, b, marks.contains(StepKindSet(.auth))) : []
    hasServerValues = marks.contains(StepKindSet(.serverValue))
  }

  private static func restrictions(
    _ random: inout RandomSource, _ path: Path, _ hasUsers: Bool
  ) -> [SecurityRule] {
    func exemption() -> SecurityRule.Exemption {
      hasUsers ? random.one(of: [.noUser, .authenticated, .user("ann")]) : .noUser
    }
    var restrictions: [SecurityRule] = [
      .init(refused[0], deny: [.write], unless: exemption()),
      .init(
        refused[1], deny: random.one(of: [[.read], [.read, .write]]), unless: exemption()),
    ]
    if random.chance(30) { restrictions.append(.init(path, deny: [.write])) }
    return restrictions
  }

  /// With what clients can sign in: for long, for a while, and as another user.
  static let tokens: [String: Scenario.Token] = [
    "good": .init(user: "ann"), "short": .init(user: "ann", lifetime: .seconds(20)),
    "other": .init(user: "ben"),
  ]
}

extension KeyPool {
  func path(_ random: inout RandomSource) -> Path { random.early(of: paths) }

  func scalar(_ random: inout RandomSource) -> Scalar {
    if random.chance(15) { return random.one(of: Self.extremes) }
    return random.one(of: Self.scalars)
  }

  private static let scalars: [Scalar] = [1, 2, 3, 4, 5, -1, 2.5, "a", "b", "10", true, false]

  /// What is easily lost, rounded, or taken for something else.
  private static let extremes: [Scalar] = [
    .number(-0.0), 0, 0.1, 9_007_199_254_740_992, 1e21, 1e-7, -1e308, 1_700_000_000_123, "", "1",
    "true", "\u{1F600}\u{E9}", "null",
  ]

  func number(_ random: inout RandomSource) -> Scalar { .number(Double(random.number(below: 5))) }

  func priority(_ random: inout RandomSource) -> Scalar? {
    if hasServerValues, random.chance(10) { return .serverValue(.timestamp) }
    return random.one(of: Self.priorities)
  }

  private static let priorities: [Scalar?] = [1, 2, 3, 1.5, "p", "10", nil, nil]

  /// What clients write.
  func written(_ random: inout RandomSource) -> Node { allowed(value(&random)) }

  /// A value that a client may write: where the profile leaves open what priorities inside do, it has
  /// none.
  private func allowed(_ node: Node) -> Node {
    hasPrioritiesInside ? node : node.withoutPriorities.settingPriority(node.priority)
  }

  private func value(_ random: inout RandomSource) -> Node {
    guard hasServerValues, random.chance(30) else { return stored(&random) }
    let value: ServerValue = random.chance(50) || !hasIncrements ? .timestamp : .increment(1)
    if random.chance(60) { return Node(.serverValue(value)) }
    return Node.empty.setting(Node(.serverValue(value)), at: Self.field)
      .setting(stored(&random), at: keys[1])
  }

  /// What can be at the server.
  func stored(_ random: inout RandomSource) -> Node {
    switch random.number(below: 12) {
    case 0: return .empty
    case 1, 2:
      return Node.empty.setting(Node(number(&random)), at: Self.field)
        .setting(Node("x"), at: Key("t"))
    case 3, 4: return children(&random)
    case 5:
      return Node(scalar(&random), priority: random.one(of: [1, 2, 3, "p"]))
    case 6: return children(&random).settingPriority(number(&random))
    default: return Node(scalar(&random))
    }
  }

  func children(_ random: inout RandomSource) -> Node {
    var node = Node.empty
    for key in keys where random.chance(50) {
      let leaf = Node(scalar(&random), priority: random.chance(20) ? number(&random) : nil)
      let child =
        switch random.number(below: 10) {
        case 0...5: leaf
        case 6: Node.empty.setting(leaf, at: Self.deepField)
        default: Node.empty.setting(leaf, at: Self.field)
        }
      node = node.setting(child, at: key)
    }
    return node
  }

  /// The assignments of an update: no place at or below another.
  func assignments(_ random: inout RandomSource, isDeep: Bool, isStored: Bool) -> [Assignment] {
    let candidates = isDeep ? deep : keys.map { Path([$0]) }
    var chosen = candidates.filter { _ in random.chance(45) }
    if chosen.isEmpty { chosen = [random.one(of: candidates)] }
    return chosen.map { path in
      let node = isStored ? stored(&random) : value(&random)
      return Assignment(path, isStored || hasPrioritiesInside ? node : node.withoutPriorities)
    }
  }

  func function(_ random: inout RandomSource) -> TransactionFunction {
    let json = allowed(stored(&random)).json
    return switch random.number(below: 12) {
    case 0...3: .increment(random.one(of: [1, 1, 2, -1]))
    case 4, 5: .set(json)
    case 6, 7: .merge(.object([.init("m", .number(1)), .init(keys[0].string, .number(7))]))
    case 8: .setIfNull(json)
    case 9: .abort
    case 10: .fail
    default: .setIfNullOrFail(json)
    }
  }
}

extension KeyPool {
  func query(_ random: inout RandomSource) -> Query {
    let field = Path([Self.field])
    let child = random.chance(80) ? field : Self.deepField
    var query = Query(ordering: random.one(of: [.key, .value, .priority, .child(child)]))
    if random.chance(45) { setRange(of: &query, &random) }
    if random.chance(70) {
      let count = random.number(in: 1...3)
      query.limit = random.chance(50) ? .first(count) : .last(count)
    }
    return query
  }

  private func setRange(of query: inout Query, _ random: inout RandomSource) {
    if random.chance(20) {
      let bound = bound(query.ordering, &random)
      query.start = bound
      query.end = bound
      return
    }
    if random.chance(65) {
      query.start = bound(query.ordering, &random)
      if random.chance(20), hasExclusiveBounds { query.start?.edge = .exclusive }
    }
    if random.chance(50) {
      query.end = bound(query.ordering, &random)
      if random.chance(20), hasExclusiveBounds { query.end?.edge = .exclusive }
    }
  }

  private func bound(_ ordering: Query.Ordering, _ random: inout RandomSource) -> Query.Bound {
    if ordering == .key { return .init(.string(Text(random.one(of: keys).string))) }
    // PRI-4: a boolean is no priority, and no bound of one.
    let others: [Scalar?] = ordering == .priority ? ["a", nil] : ["a", true, nil]
    let value: Scalar? = random.chance(80) ? number(&random) : random.one(of: others)
    return .init(value, key: random.chance(25) ? random.one(of: keys) : nil)
  }

  func type(_ random: inout RandomSource) -> EventType {
    random.one(of: [.value, .value, .childAdded])
  }

  func types(_ random: inout RandomSource) -> Set<EventType> {
    switch random.number(below: 5) {
    case 0: [.value]
    case 1: [.childAdded, .childRemoved, .childChanged]
    case 2: Set(EventType.allCases.filter { _ in random.chance(60) } + [.childAdded])
    default: Self.allTypes
    }
  }

  static let allTypes = Set(EventType.allCases)
}

// Calls that a client must refuse.

extension KeyPool {
  /// Every kind of call with every kind of argument that it cannot have (ERR-2, ERR-3, ERR-4).
  func mistake(_ random: inout RandomSource) -> ClientInterface.Operation {
    switch random.number(below: 3) {
    case 0: mistakenPath(&random)
    case 1: mistakenValue(&random)
    default: mistakenArgument(&random)
    }
  }

  private static let badPaths: [Path] = [
    "room/a.b", ".info/connected", "a#b", "$list", "[room", "room]", "a/b\u{1F}", "\u{7F}/a",
  ]

  /// Paths beyond the bounds of KEY-6.
  private static let longPaths: [Path] = [
    Path((0..<33).map { Key("k\($0)") }), Path([Key(String(repeating: "k", count: 769))]),
    Path([Key(String(repeating: "\u{20AC}", count: 257))]),
  ]

  /// Calls that write, now or at the end of the connection, and then those that only have a path.
  private static let kindsWithPaths =
    Operation.Kind.allCases.filter {
      [.writing, .transaction, .onDisconnect].contains($0.family) && $0 != .onDisconnectCancel
    } + [.unlistenAll, .keepSynced, .onDisconnectCancel]

  /// The kinds of calls with one of these arguments, in the order of the documentation.
  private static func kinds(with wanted: Set<Operation.Parameter>) -> [Operation.Kind] {
    Operation.Kind.allCases.filter { !wanted.isDisjoint(with: $0.parameters) }
  }

  private static let kindsWithValues = kinds(with: [
    .value, .optionalValue, .changes, .function,
  ])
  private static let kindsWithOtherArguments = kinds(with: [.priority, .changes])

  /// Arguments with which every call is allowed that needs no listener.
  private static func arguments(at path: Path) -> Operation.Arguments {
    var given = Operation.Arguments()
    (given.path, given.query, given.synchronization) = (path, .all, .on)
    (given.value, given.changes, given.priority) = (Node(1), [Assignment("a", Node(1))], 1)
    (given.function, given.localEvents) = (.increment(1), .shown)
    return given
  }

  private static func call(
    _ kind: Operation.Kind, _ given: Operation.Arguments
  ) -> ClientInterface.Operation {
    guard let operation = Operation(kind, given) else {
      preconditionFailure("\(kind.rawValue) needs an argument that no mistake has")
    }
    return operation
  }

  /// Only calls that read or write need to refuse a path for its length (ERR-2).
  private func mistakenPath(_ random: inout RandomSource) -> ClientInterface.Operation {
    let isLong = random.chance(25)
    let path = random.one(of: isLong ? Self.longPaths : Self.badPaths)
    let kinds = Self.kindsWithPaths
    let kind = kinds[random.number(below: isLong ? kinds.count - 3 : kinds.count)]
    return Self.call(kind, Self.arguments(at: path))
  }

  private func mistakenValue(_ random: inout RandomSource) -> ClientInterface.Operation {
    let wrong = random.one(of: [
      Node(1, priority: true), Node.empty.setting(Node(1), at: Path(["a", Key("b.c")])),
      Node.empty.setting(Node(1, priority: false), at: Path(["a", "b"])),
      Node.empty.setting(Node(1), at: Key("")),
      Node.empty.setting(Node(1), at: Path(["x", Key("a/b")])),
    ])
    let kind = random.one(of: Self.kindsWithValues)
    var given = Self.arguments(at: kind == .push ? "list" : "room")
    (given.value, given.function) = (wrong, .set(wrong.json))
    let parts = [Assignment("a", Node(1)), Assignment("b", wrong)]
    given.changes = kind.family == .onDisconnect ? parts.reversed() : parts
    return Self.call(kind, given)
  }

  private func mistakenArgument(_ random: inout RandomSource) -> ClientInterface.Operation {
    let overlapping = random.one(of: [
      [Assignment("a", Node(1)), Assignment("a/b", Node(2))],
      [Assignment("a/b", Node(2)), Assignment("a", Node(1))],
      [Assignment("b", Node(1)), Assignment("a.c", Node(2))],
    ])
    var given = Self.arguments(at: "room")
    (given.priority, given.changes) = (true, overlapping)
    return Self.call(random.one(of: Self.kindsWithOtherArguments), given)
  }
}
