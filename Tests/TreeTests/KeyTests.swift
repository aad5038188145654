import TestKit
import Testing
import Tree

@Suite struct KeyTests {
  @Test func `the golden list is in key order`() throws {
    let golden = try Kit.vectors["keyorder"]?.elements?.compactMap(\.string) ?? []
    let reversed = golden.reversed().map { Key($0) }

    #expect(golden.count == 30)
    #expect(reversed.sorted().map(\.string) == golden)
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("00", 0), ("7", 7), ("-7", -7), ("007", 7), ("-007", -7),
    ("2147483647", 2_147_483_647), ("-2147483648", -2_147_483_648),
    ("000000000000002147483647", 2_147_483_647),
  ])
  func `text within 32 bits is an integer`(text: String, value: Int32) {
    #expect(Key(text).integer == value)
  }

  @Test(arguments: [
    "", "-", "+1", " 1", "1 ", "1.0", "1e3", "--1", "2147483648", "-2147483649", "99999999999",
    "0x1", "١", "1\u{301}", "a", "-a",
  ])
  func `other text is no integer`(text: String) {
    #expect(Key(text).integer == nil)
  }

  @Test func `two spellings of a letter are two keys`() {
    let composed: Key = "caf\u{E9}"
    let decomposed: Key = "cafe\u{301}"

    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
  }

  @Test func `the Kelvin sign is not the letter that it is equivalent to`() {
    #expect(Key("\u{212A}") != Key("K"))
    #expect(JSON.object([.init("\u{212A}", 1)])["K"] == nil)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `key order is that of the definition`(seed: UInt64) {
    var dice = Dice(seed)
    for _ in 0..<500 {
      let a = dice.adversarialKey()
      let b = dice.adversarialKey()

      #expect(a.order(to: b).signum() == definedOrder(a, b), "seed \(seed): \(a) and \(b)")
    }
  }

  @Test func `key order is total and transitive on the borders`() {
    let keys = borderKeys.map { Key($0) }
    for a in keys {
      for b in keys {
        #expect(a.order(to: b).signum() == -b.order(to: a).signum(), "\(a) and \(b)")
        #expect((a.order(to: b) == 0) == (a == b), "\(a) and \(b)")
        for c in keys where a < b && b < c { #expect(a < c, "\(a), \(b), \(c)") }
      }
    }
  }

  @Test(arguments: [
    ("", "a key is empty; a key has at least one character"),
    ("a.b", "key \"a.b\" contains \".\"; keys may not contain . # $ [ ] /"),
    ("#", "key \"#\" contains \"#\"; keys may not contain . # $ [ ] /"),
    ("a$", "key \"a$\" contains \"$\"; keys may not contain . # $ [ ] /"),
    ("[0", "key \"[0\" contains \"[\"; keys may not contain . # $ [ ] /"),
    ("0]", "key \"0]\" contains \"]\"; keys may not contain . # $ [ ] /"),
    ("a/b", "key \"a/b\" contains \"/\"; keys may not contain . # $ [ ] /"),
    (
      "a\u{0}",
      "key \"a\" contains the control character U+0000; keys may not contain control characters"
    ),
    (
      "a\u{1F}b",
      "key \"ab\" contains the control character U+001F; keys may not contain control characters"
    ),
    (
      "\u{7F}",
      "key \"\" contains the control character U+007F; keys may not contain control characters"
    ),
  ])
  func `a forbidden key is told why`(key: String, problem: String) {
    #expect(Key(key).problem?.description == problem)
  }

  @Test(arguments: ["a", " ", "-", "😀", "\u{80}", "a b", "é", "!%&()*+,:;<=>?@^`{|}~'\"\\"])
  func `other keys are allowed`(key: String) {
    #expect(Key(key).problem == nil)
  }
}

private let borderKeys = [
  "-2147483649", "-2147483648", "-1", "-01", "-0", "0", "00", "-00", "000", "1", "01", "-001",
  "2147483647", "2147483648", "02147483647", "", "-", "a", "😀", "\u{E000}", "\u{FFFF}", "\u{D7FF}",
]

extension Dice {
  /// Text around every border of the order, one or two pieces of it.
  fileprivate mutating func adversarialKey() -> Key {
    let alphabet = [
      "0", "1", "9", "-", "+", "a", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "😀", "é", "\u{301}",
    ]
    switch roll(3) {
    case 0: return Key(pick(borderKeys))
    case 1: return Key((0..<roll(4)).map { _ in pick(alphabet) }.joined())
    default: return Key((0...roll(11)).map { _ in pick(["0", "0", "1", "2", "9"]) }.joined())
    }
  }
}

/// The order of two keys by the words of the rules, without the code under test.
private func definedOrder(_ a: Key, _ b: Key) -> Int {
  func integer(_ key: Key) -> Int64? {
    guard key.string.wholeMatch(of: /-?0*[0-9]{1,10}/) != nil, let value = Int64(key.string) else {
      return nil
    }
    return (-2_147_483_648...2_147_483_647).contains(value) ? value : nil
  }
  let x = Array(a.string.utf16)
  let y = Array(b.string.utf16)
  switch (integer(a), integer(b)) {
  case let (i?, j?):
    if i != j { return i < j ? -1 : 1 }
    if x.count != y.count { return x.count < y.count ? -1 : 1 }
    return x == y ? 0 : x.first == 0x2D ? 1 : -1
  case (_?, nil): return -1
  case (nil, _?): return 1
  case (nil, nil): return x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
  }
}
