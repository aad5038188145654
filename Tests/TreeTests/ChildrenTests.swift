import Testing
import Tree

@Suite struct ChildrenTests {
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `children behave like a sorted list`(seed: UInt64) {
    var dice = Dice(seed)
    var children = Children()
    var model = SortedList()
    var versions: [(Children, SortedList)] = []
    let range = [12, 60, 400, 4000][Int(seed % 4)]
    for step in 0..<1200 {
      // Mostly filling, then mostly emptying, so that pages are split and joined.
      let removes = dice.roll(10) < (step < 700 ? 2 : 8)
      let key = dice.childKey(range)
      let node = removes ? Node.empty : Node(dice.scalar(), priority: dice.priority())
      children[key] = node
      model[key] = node
      if step % 100 == 0 {
        check(children, model, seed)
        versions.append((children, model))
      }
      let probe = dice.childKey(range)
      #expect(children[probe] == model[probe], "seed \(seed)")
      #expect(children.key(before: probe) == model.key(before: probe), "seed \(seed)")
    }
    for (old, oldModel) in versions {
      check(old, oldModel, seed)
      compare(old, oldModel, children, model, seed)
      compare(children, model, old, oldModel, seed)
    }
  }

  private func check(_ children: Children, _ model: SortedList, _ seed: UInt64) {
    #expect(children.keys == model.entries.map(\.key), "seed \(seed)")
    for limit in [0, 40] {
      #expect(
        children.entries(limit: limit).map(\.key)
          == model.entries.prefix(limit).map(\.key), "seed \(seed)")
      for index in stride(from: 0, to: model.entries.count, by: 97) {
        let key = model.entries[index].key
        let rest = model.entries.drop { $0.key <= key }.prefix(limit).map(\.key)
        #expect(children.entries(after: key, limit: limit).map(\.key) == rest, "seed \(seed)")
        let absent = Key(key.string + "~")
        let behind = model.entries.drop { $0.key <= absent }.prefix(limit).map(\.key)
        #expect(children.entries(after: absent, limit: limit).map(\.key) == behind)
      }
    }
    #expect(children.map(\.node) == model.entries.map(\.node), "seed \(seed)")
    #expect(children.count == model.entries.count, "seed \(seed)")
    #expect(children.isEmpty == model.entries.isEmpty, "seed \(seed)")
    let prioritized = model.entries.count { $0.node.priority != nil }
    #expect(children.prioritizedCount == prioritized, "seed \(seed)")
    let rebuilt = Children(model.entries.map { ($0.key, $0.node) })
    #expect(rebuilt == children, "seed \(seed)")
    #expect(Node(rebuilt).fingerprint == Node(children).fingerprint, "seed \(seed)")
    #expect(rebuilt.differences(from: children).isEmpty, "seed \(seed)")
  }

  private func compare(
    _ old: Children, _ oldModel: SortedList, _ new: Children, _ newModel: SortedList, _ seed: UInt64
  ) {
    let expected = newModel.differences(from: oldModel)
    let observed = new.differences(from: old).map { "\($0.key): \($0.old) -> \($0.new)" }
    #expect(observed == expected, "seed \(seed)")
    #expect((old == new) == expected.isEmpty, "seed \(seed)")
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `of two children with one key the later one counts`(seed: UInt64) {
    var dice = Dice(seed)
    let pairs = (0..<dice.roll(200)).map { _ in (dice.childKey(40), dice.node(depth: 1)) }
    var model = SortedList()
    for (key, node) in pairs { model[key] = node }

    #expect(Children(pairs).keys == model.entries.map(\.key), "seed \(seed)")
    #expect(Children(pairs).map(\.node) == model.entries.map(\.node), "seed \(seed)")
  }

  @Test(arguments: [0, 1, 2, 23, 24, 25, 32, 33, 575, 576, 577, 13_824, 13_825])
  func `a tree built at once equals one built child by child`(count: Int) {
    let pairs = (0..<count).map { (Key(String($0)), Node(.number(Double($0)))) }
    var single = Children()
    for (key, node) in pairs { single[key] = node }
    var backwards = Children()
    for (key, node) in pairs.reversed() { backwards[key] = node }

    #expect(Children(pairs) == single)
    #expect(single == backwards)
    #expect(Children(pairs).count == count)
    #expect(single.keys == pairs.map(\.0))
  }

  @Test func `removing everything in any order leaves nothing`() {
    for start in 0..<3 {
      var children = Children((0..<2000).map { (Key(String($0)), Node(1)) })
      var dice = Dice(UInt64(start))
      var keys = children.keys
      if start == 1 { keys.reverse() }
      if start == 2 { keys.shuffle(using: &dice) }
      for (index, key) in keys.enumerated() {
        children[key] = .empty
        #expect(children.count == keys.count - index - 1)
      }

      #expect(children.isEmpty)
      #expect(children == Children())
    }
  }
}

extension Dice {
  fileprivate mutating func childKey(_ range: Int) -> Key {
    roll(3) == 0 ? Key("k\(roll(range))") : Key(String(roll(range) - range / 3))
  }
}

/// What `Children` is, without anything clever.
private struct SortedList {
  var entries: [(key: Key, node: Node)] = []

  subscript(key: Key) -> Node {
    get { entries.first { $0.key == key }?.node ?? .empty }
    set {
      entries.removeAll { $0.key == key }
      if newValue.isEmpty { return }
      let index = entries.firstIndex { key < $0.key } ?? entries.count
      entries.insert((key, newValue), at: index)
    }
  }

  func key(before key: Key) -> Key? { entries.last { $0.key < key }?.key }

  func differences(from old: SortedList) -> [String] {
    let new = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.node) })
    let old = Dictionary(uniqueKeysWithValues: old.entries.map { ($0.key, $0.node) })
    return Set(new.keys).union(old.keys).sorted().filter { new[$0] != old[$0] }
      .map { "\($0): \(old[$0] ?? .empty) -> \(new[$0] ?? .empty)" }
  }
}
