internal import Faults
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
    let new = Dictionary(zip(current.clients, names), uniquingKeysWith: { first, _ in first })
    var renaming = ScenarioRenaming()
    renaming.client = { new[$0] ?? $0 }
    attempt(renaming(current))
  }

  /// All at once, since a key that stands in many locations has one name; then one by one.
  private mutating func renameKeys() {
    for isThorough in [true, false] {
      let names = KeyNames(of: current, renamesNumbers: isThorough).names
      if names.isEmpty || attempt(current.renamingKeys(names)) { return }
    }
    for (old, new) in KeyNames(of: current, renamesNumbers: false).names
    where !current.keys.all.contains(new) {
      attempt(current.renamingKeys([(old, new)]))
    }
  }

  /// Everything nearer to the root, where all of it lies below one location.
  mutating func shortenPaths() {
    while current.hasCommonTopKey, !isExhausted {
      if !attempt(current.renamingKeys([], dropping: 1)) { return }
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

extension Scenario {
  /// With other names for keys, from old to new ones, and without so many keys at the beginning of
  /// all locations.
  ///
  /// What is expected is not changed: it is filled in again.
  fileprivate func renamingKeys(_ names: [(Key, Key)], dropping count: Int = 0) -> Scenario {
    let table = Dictionary(names, uniquingKeysWith: { first, _ in first })
    var renaming = ScenarioRenaming()
    renaming.key = { key, _ in table[key] ?? key }
    renaming.dropped = count
    return renaming(self)
  }

  /// The keys that occur anywhere in a scenario, in their order.
  struct Keys {
    /// Those just below the root.
    var topKeys: [Key] = []
    /// Those that are only deeper.
    var parts: [Key] = []

    var all: [Key] { topKeys + parts }
  }

  fileprivate var keys: Keys {
    var (topKeys, parts): (Set<Key>, Set<Key>) = ([], [])
    visitKeys { key, depth in
      if depth == 0 { topKeys.insert(key) } else { parts.insert(key) }
    }
    return Keys(topKeys: topKeys.sorted(), parts: parts.subtracting(topKeys).sorted())
  }

  /// Whether everything lies below one location just below the root, by two keys at least.
  fileprivate var hasCommonTopKey: Bool {
    let paths = (actions.compactMap(\.path) + security.map(\.path)).filter {
      $0.keys.first != .info
    }
    guard let first = paths.first?.keys.first else { return false }
    return paths.allSatisfy { $0.count > 1 && $0.keys.first == first }
      && data.children.allSatisfy { $0.key == first } && data[first].scalar == nil
  }
}
