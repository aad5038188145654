import Testing
import Tree

/// What is computed in a quick way is what the plain way gives.
@Suite struct ShortcutTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `texts are equal where their bytes are`(seed: UInt64) {
    var dice = Dice(seed)
    for _ in 0..<200 {
      let a = dice.text()
      let b =
        dice.roll(3) == 0
        ? Text(String(decoding: Array(a.string.utf8), as: UTF8.self)) : dice.text()
      #expect((a == b) == a.string.utf8.elementsEqual(b.string.utf8), "\(a) and \(b)")
      #expect((a < b) == a.string.utf16.lexicographicallyPrecedes(b.string.utf16), "\(a) and \(b)")
      let keys = (Key("x" + a.string), Key("x" + b.string))
      #expect((keys.0 < keys.1) == (a < b), "\(a) and \(b)")
      #expect((keys.0 == keys.1) == (a == b), "\(a) and \(b)")
    }
  }

  @Test func `the digest of a text does not depend on how it is stored`() {
    for length in 0...20 {
      let text = String("aé\u{1F600}bcdefghijklmnopqrst".unicodeScalars.prefix(length))
      var roomy = ""
      roomy.reserveCapacity(100)
      roomy += text
      #expect(Fingerprint(of: text) == Fingerprint(of: roomy), "\(text)")
    }
    #expect(Fingerprint(of: "").description == "5b21f68ffa77f14c")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a location lies below another where it begins with its keys`(seed: UInt64) {
    var dice = Dice(seed)
    for _ in 0..<200 {
      let a = Path((0..<dice.roll(5)).map { _ in dice.pick(["a", "b", "1"]) })
      let b = Path((0..<dice.roll(5)).map { _ in dice.pick(["a", "b", "1"]) })
      #expect(a.starts(with: b) == a.keys.starts(with: b.keys))
      let rest = a.keys.starts(with: b.keys) ? Path(Array(a.keys.dropFirst(b.count))) : nil
      #expect(a.relative(to: b) == rest)
      #expect(a.dropFirst(b.count) == Path(Array(a.keys.dropFirst(b.count))))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a node that has lost its priority is as if it had never had one`(seed: UInt64) {
    var dice = Dice(seed)
    for _ in 0..<50 {
      let plain = dice.node(depth: 3).settingPriority(nil)
      let bare = plain.settingPriority(7).settingPriority(nil)
      #expect(bare == plain && bare.fingerprint == plain.fingerprint && bare.hash == plain.hash)
      #expect(plain.isEmpty || plain.settingPriority(7) != plain)
      #expect(plain.children == bare.children && plain.json == bare.json)
      #expect(plain[.priority].isEmpty)
    }
  }

  @Test func `a copy of a query is its own`() {
    let query = Query(ordering: .key, start: .init("a"), end: .init("b"), limit: .first(2))
    var copy = query
    copy.ordering = .value
    copy.start?.edge = .exclusive
    copy.end = nil
    copy.limit = .last(1)
    copy.reach = .withinKind

    #expect(query == Query(ordering: .key, start: .init("a"), end: .init("b"), limit: .first(2)))
    #expect((copy.ordering, copy.limit) == (.value, .last(1)))
    #expect((copy.start, copy.end) == (.init("a", edge: .exclusive), nil))
    #expect(copy.reach == .withinKind && copy.filters)
    copy.start = nil
    copy.limit = nil
    #expect(!copy.filters)
    #expect(copy != Query(ordering: .value))
    copy.reach = .acrossKinds
    #expect(copy == Query(ordering: .value))
    #expect(Set([copy, query, Query(ordering: .value)]).count == 2)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a node knows whether the server is to fill in a part of it`(seed: UInt64) {
    var dice = Dice(seed)
    var node = Node.empty
    for _ in 0..<200 {
      let path = Path((0..<dice.roll(4)).map { _ in dice.key() })
      switch dice.roll(12) {
      case 0: node = node.setting(Node(.serverValue(.timestamp)), at: path)
      case 1: node = node.setting(Node(1, priority: .serverValue(.increment(1))), at: path)
      case 2: node = node.setting(Node(.serverValue(.timestamp)), at: path.appending(.priority))
      case 3...5: node = node.setting(.empty, at: path)
      default: node = node.setting(dice.node(depth: 2), at: path)
      }
      #expect(node.hasServerValues == node.containsServerValues, "\(node)")
    }
  }
}

extension Node {
  /// Looked for in all of it.
  fileprivate var containsServerValues: Bool {
    if case .serverValue? = scalar { return true }
    if case .serverValue? = priority { return true }
    return children.contains { $0.node.containsServerValues }
  }
}

extension Dice {
  /// Texts that begin alike, with characters around every border of the order.
  fileprivate mutating func text() -> Text {
    let pieces = [
      "a", "b", "\u{0}", "\u{7F}", "é", "e\u{301}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "😀",
      "\u{10FFFF}", "abcdefgh", "abcdefghi",
    ]
    return Text((0..<roll(5)).map { _ in pick(pieces) }.joined())
  }
}
