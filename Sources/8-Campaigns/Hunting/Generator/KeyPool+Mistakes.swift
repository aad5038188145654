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

  /// Only calls that read or write need to refuse a path for its length (ERR-2).
  private func mistakenPath(_ random: inout RandomSource) -> ClientInterface.Operation {
    let isLong = random.chance(25)
    let path = random.one(of: isLong ? Self.longPaths : Self.badPaths)
    return switch random.number(below: isLong ? 9 : 12) {
    case 0: .set(path, Node(1))
    case 1: .remove(path)
    case 2: .setPriority(path, 1)
    case 3: .update(path, [Assignment("a", Node(1))])
    case 4: .push(path, Node(1))
    case 5: .transaction(path, .increment(1), localEvents: .shown)
    case 6: .onDisconnectSet(path, Node(1))
    case 7: .onDisconnectRemove(path)
    case 8: .onDisconnectUpdate(path, [Assignment("a", Node(1))])
    case 9: .unlistenAll(.init(path))
    case 10: .keepSynced(.init(path), .on)
    default: .onDisconnectCancel(path)
    }
  }

  private func mistakenValue(_ random: inout RandomSource) -> ClientInterface.Operation {
    let wrong = random.one(of: [
      Node(1, priority: true), Node.empty.setting(Node(1), at: Path(["a", Key("b.c")])),
      Node.empty.setting(Node(1, priority: false), at: Path(["a", "b"])),
      Node.empty.setting(Node(1), at: Key("")),
      Node.empty.setting(Node(1), at: Path(["x", Key("a/b")])),
    ])
    return switch random.number(below: 6) {
    case 0: .set("room", wrong)
    case 1: .update("room", [Assignment("a", Node(1)), Assignment("b", wrong)])
    case 2: .push("list", wrong)
    case 3: .transaction("room", .set(wrong.json), localEvents: .shown)
    case 4: .onDisconnectSet("room", wrong)
    default: .onDisconnectUpdate("room", [Assignment("b", wrong), Assignment("a", Node(1))])
    }
  }

  private func mistakenArgument(_ random: inout RandomSource) -> ClientInterface.Operation {
    let overlapping = random.one(of: [
      [Assignment("a", Node(1)), Assignment("a/b", Node(2))],
      [Assignment("a/b", Node(2)), Assignment("a", Node(1))],
      [Assignment("b", Node(1)), Assignment("a.c", Node(2))],
    ])
    return switch random.number(below: 3) {
    case 0: .setPriority("room", true)
    case 1: .update("room", overlapping)
    default: .onDisconnectUpdate("room", overlapping)
    }
  }
}
