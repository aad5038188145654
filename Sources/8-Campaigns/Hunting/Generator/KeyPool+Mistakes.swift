internal import ClientInterface
internal import Tree
internal import Wire

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
