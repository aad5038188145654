internal import Scenario
internal import Tree

// What things are called.

extension ShrinkSearch {
  /// Usual names for clients and keys, in place of those that stand there.
  mutating func rename() {
    renameClients()
    renameKeys()
  }

  private mutating func renameClients() {
    let names = ["alice", "bob", "carol", "dave", "erin", "frank"]
    guard current.clients.count <= names.count else { return }
    _ = attempt { scenario in
      let pairs = zip(scenario.clients, names)
      let new = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
      scenario.rename { new[$0] ?? $0 }
    }
  }

  /// All at once, since a key that stands in many locations has one name; then one by one.
  private mutating func renameKeys() {
    for isThorough in [true, false] {
      let names = KeyNames(of: current, renamesNumbers: isThorough).names
      let renaming = KeyRenaming(names)
      if names.isEmpty || attempt({ $0 = renaming($0) }) { return }
    }
    for (old, new) in KeyNames(of: current, renamesNumbers: false).names
    where !current.keys.all.contains(new) {
      let renaming = KeyRenaming([(old, new)])
      _ = attempt { $0 = renaming($0) }
    }
  }

  /// Everything nearer to the root, where all of it lies below one location.
  mutating func shortenPaths() {
    while let first = current.commonTopKey, !isExhausted {
      let isTaken = attempt { scenario in
        let data = scenario.data[first]
        scenario = KeyRenaming([], dropping: 1)(scenario)
        scenario.data = data
      }
      if !isTaken { return }
    }
  }
}

/// The usual names for the keys of a scenario. The order of the keys stays as it is.
struct KeyNames {
  /// Old and new names that differ, in the order of the keys.
  private(set) var names: [(Key, Key)] = []

  private static let topKeys = ["doc", "list", "room", "users"]
  private static let parts = "abcdefghijklmnopqrstuvwxyz".map { Key(String($0)) }

  init(of scenario: Scenario, renamesNumbers: Bool) {
    let keys = scenario.keys
    let topKeys = keys.topKeys.filter { renamesNumbers || $0.integer == nil }
    let parts = keys.parts.filter { renamesNumbers || $0.integer == nil }
    if topKeys.count <= Self.topKeys.count {
      // A single location is a room.
      let usual =
        topKeys.count == 1
        ? ["room"] : Array((topKeys.count == 2 ? ["list", "room"] : Self.topKeys))
      names += zip(topKeys, usual.map { Key($0) })
    }
    if parts.count <= Self.parts.count { names += zip(parts, Self.parts) }
    names.removeAll { $0 == $1 }
  }
}
