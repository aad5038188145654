import Tree

/// Seeded randomness for the tests: SplitMix64.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

  /// Keys that collide often, of every kind.
  mutating func key() -> Key {
    let pieces = [
      "0", "00", "1", "01", "10", "2", "-", "-1", "-0", "a", "b", "ab", "Z", "_", "é", "e\u{301}",
      "\u{FFFF}", "😀", "2147483647", "2147483648", "-2147483648", "-2147483649",
    ]
    return Key(roll(3) == 0 ? pick(pieces) + pick(pieces) : pick(pieces))
  }

  mutating func scalar() -> Scalar {
    switch roll(4) {
    case 0: .bool(roll(2) == 0)
    case 1: .number(pick([0, -1, 1, 1.5, 2, 10, -0.0]))
    default: .string(Text(pick(["", "a", "b", "ab", "é", "😀", "\u{FFFF}", "1"])))
    }
  }

  mutating func priority() -> Scalar? {
    switch roll(6) {
    case 0: .number(pick([1, 2, 10]))
    case 1: .string(Text(pick(["a", "b"])))
    default: nil
    }
  }

  mutating func node(depth: Int) -> Node {
    if depth == 0 || roll(3) == 0 {
      return roll(8) == 0 ? .empty : Node(scalar(), priority: priority())
    }
    let children = (0..<roll(5)).map { _ in (key(), node(depth: depth - 1)) }
    return Node(Children(children), priority: priority())
  }
}
