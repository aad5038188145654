internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

/// The places and values of one scenario: few, so that things collide.
struct Vocabulary {
  /// Places, the likelier ones first.
  let places: [Path]
  /// Places of numbers, for transactions that add.
  let counters: [Path]
  /// Keys of children.
  let keys: [Key]
  /// Paths below a place, none at or below another.
  let deep: [Path]
  /// The places below which something is refused.
  let restrictions: [SecurityRule]
  let hasServerValues: Bool
  /// QRY-12: whether ranges can end just before their bounds.
  let hasExclusiveBounds: Bool
  /// Places to which access can be refused in the middle of a scenario.
  let denied: [Path]

  /// The keys that scenarios use: words, or numbers, which are ordered otherwise.
  private static let alphabets: [[Key]] = [
    ["a", "b", "c", "d", "e"], ["1", "2", "10", "03", "x"], ["0", "1", "2", "3", "4"],
    ["a", "B", "ab", "é", "9"],
  ]

  // Written once: reading a path takes as long as many draws.
  private static let room: Path = "room"
  private static let deepRoom: Path = "a/room"
  private static let list: Path = "list"
  private static let rest: [Path] = ["list/x", "list/y", .root]
  private static let refused: [Path] = ["locked", "secret", "locked/a", "secret/a"]

  /// The field that queries order by.
  static let field: Key = "n"

  init(_ draws: inout Draws, _ marks: Marks, _ profile: Profile) {
    hasExclusiveBounds = profile.dialect == .firebase
    let keys = draws.one(of: Self.alphabets)
    self.keys = keys
    let room = draws.chance(85) ? Self.room : Self.deepRoom
    let (a, b, c) = (room.appending(keys[0]), room.appending(keys[1]), room.appending(keys[2]))
    let (d, field) = (room.appending(keys[3]), a.appending(Self.field))
    var places = [room, a, b, c, field] + [Self.list, c.appending(Self.field), d] + Self.rest
    counters = [Self.rest[0], field]
    let isRefusing = marks.contains(Marks(.refusal))
    if isRefusing { places += Self.refused }
    self.places = places
    denied = [Self.rest[1], d]
    deep = [
      Path([keys[0], Self.field]), Path([keys[1]]), Path([keys[2], Self.field]),
      Path([keys[3], keys[0], Self.field]), Path([keys[4]]),
    ]
    restrictions = isRefusing ? Self.restrictions(&draws, b, marks.contains(Marks(.auth))) : []
    hasServerValues = marks.contains(Marks(.serverValue))
  }

  private static func restrictions(
    _ draws: inout Draws, _ place: Path, _ hasUsers: Bool
  ) -> [SecurityRule] {
    func exemption() -> SecurityRule.Exemption {
      hasUsers ? draws.one(of: [.nobody, .authenticated, .user("ann")]) : .nobody
    }
    var restrictions: [SecurityRule] = [
      .init(refused[0], deny: [.write], unless: exemption()),
      .init(
        refused[1], deny: draws.one(of: [[.read], [.read, .write]]), unless: exemption()),
    ]
    if draws.chance(30) { restrictions.append(.init(place, deny: [.write])) }
    return restrictions
  }

  /// With what clients can sign in: for long, for a while, and as somebody else.
  static let tokens: [String: Scenario.Token] = [
    "good": .init(user: "ann"), "short": .init(user: "ann", lifetime: .seconds(20)),
    "other": .init(user: "ben"),
  ]
}

extension Vocabulary {
  func place(_ draws: inout Draws) -> Path { draws.early(of: places) }

  func scalar(_ draws: inout Draws) -> Scalar {
    draws.one(of: [1, 2, 3, 4, 5, -1, 2.5, "a", "b", "10", true, false])
  }

  func number(_ draws: inout Draws) -> Scalar { .number(Double(draws.number(below: 5))) }

  func priority(_ draws: inout Draws) -> Scalar? {
    if hasServerValues, draws.chance(10) { return .serverValue(.timestamp) }
    return draws.one(of: [1, 2, 3, "p", nil])
  }

  /// What clients write.
  func written(_ draws: inout Draws) -> Node {
    guard hasServerValues, draws.chance(30) else { return stored(&draws) }
    let value: ServerValue = draws.chance(50) ? .timestamp : .increment(1)
    if draws.chance(60) { return Node(.serverValue(value)) }
    return Node.empty.setting(Node(.serverValue(value)), at: Self.field)
      .setting(stored(&draws), at: keys[1])
  }

  /// What can stand at the server.
  func stored(_ draws: inout Draws) -> Node {
    switch draws.number(below: 12) {
    case 0: return .empty
    case 1, 2:
      return Node.empty.setting(Node(number(&draws)), at: Self.field)
        .setting(Node("x"), at: Key("t"))
    case 3, 4: return children(&draws)
    case 5:
      return Node(scalar(&draws), priority: draws.one(of: [1, 2, 3, "p"]))
    case 6: return children(&draws).settingPriority(number(&draws))
    default: return Node(scalar(&draws))
    }
  }

  private func children(_ draws: inout Draws) -> Node {
    var node = Node.empty
    for key in keys where draws.chance(50) {
      let leaf = Node(scalar(&draws), priority: draws.chance(20) ? number(&draws) : nil)
      let child = draws.chance(70) ? leaf : Node.empty.setting(leaf, at: Self.field)
      node = node.setting(child, at: key)
    }
    return node
  }

  /// The assignments of an update: no place at or below another.
  func assignments(_ draws: inout Draws, isDeep: Bool, isStored: Bool) -> [Assignment] {
    let candidates = isDeep ? deep : keys.map { Path([$0]) }
    var chosen = candidates.filter { _ in draws.chance(45) }
    if chosen.isEmpty { chosen = [draws.one(of: candidates)] }
    return chosen.map { Assignment($0, isStored ? stored(&draws) : written(&draws)) }
  }

  func function(_ draws: inout Draws) -> TransactionFunction {
    let json = stored(&draws).json
    return switch draws.number(below: 12) {
    case 0...3: .increment(draws.one(of: [1, 1, 2, -1]))
    case 4, 5: .set(json)
    case 6, 7: .merge(.object([.init("m", .number(1)), .init(keys[0].string, .number(7))]))
    case 8: .setIfNull(json)
    case 9: .abort
    case 10: .fail
    default: .setIfNullOrFail(json)
    }
  }
}

extension Vocabulary {
  func query(_ draws: inout Draws) -> Query {
    let field = Path([Self.field])
    var query = Query(ordering: draws.one(of: [.key, .value, .priority, .child(field)]))
    if draws.chance(45) { setRange(of: &query, &draws) }
    if draws.chance(70) {
      let count = draws.number(in: 1...3)
      query.limit = draws.chance(50) ? .first(count) : .last(count)
    }
    return query
  }

  private func setRange(of query: inout Query, _ draws: inout Draws) {
    if draws.chance(20) {
      let bound = bound(query.ordering, &draws)
      query.start = bound
      query.end = bound
      return
    }
    if draws.chance(65) {
      query.start = bound(query.ordering, &draws)
      if draws.chance(20), hasExclusiveBounds { query.start?.edge = .exclusive }
    }
    if draws.chance(50) {
      query.end = bound(query.ordering, &draws)
      if draws.chance(20), hasExclusiveBounds { query.end?.edge = .exclusive }
    }
  }

  private func bound(_ ordering: Query.Ordering, _ draws: inout Draws) -> Query.Bound {
    if ordering == .key { return .init(.string(Text(draws.one(of: keys).string))) }
    let value: Scalar? = draws.chance(80) ? number(&draws) : draws.one(of: ["a", true, nil])
    return .init(value, key: draws.chance(15) ? draws.one(of: keys) : nil)
  }

  func types(_ draws: inout Draws) -> Set<EventType> {
    switch draws.number(below: 5) {
    case 0: [.value]
    case 1: [.childAdded, .childRemoved, .childChanged]
    case 2: Set(EventType.allCases.filter { _ in draws.chance(60) } + [.childAdded])
    default: Set(EventType.allCases)
    }
  }
}
