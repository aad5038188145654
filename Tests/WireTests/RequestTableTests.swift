import Testing
import Wire

@Suite struct RequestTableTests {
  /// A generator that is the same in every run.
  private struct Dice {
    var state: UInt64

    mutating func number(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a table answers as a dictionary does`(seed: UInt64) {
    var dice = Dice(state: seed)
    var table = RequestTable<Int>()
    var dictionary: [Int: Int] = [:]
    var last = 0
    for step in 0..<400 {
      // Mostly as requests are numbered, now and then as no client should.
      last += 1
      let number = dice.number(below: 10) == 0 ? dice.number(below: last + 3) : last
      switch dice.number(below: 12) {
      case 0..<6: (table[number], dictionary[number]) = (step, step)
      case 6: (table[number], dictionary[number]) = (nil, nil)
      case 7 where dice.number(below: 20) == 0:
        table.removeAll()
        dictionary.removeAll()
      default:
        let old = dictionary.keys.min() ?? number
        #expect(table.removeValue(forKey: old) == dictionary.removeValue(forKey: old))
      }
      #expect(table[number] == dictionary[number], "seed \(seed), step \(step)")
      #expect(table.count == dictionary.count, "seed \(seed), step \(step)")
    }
    #expect(table.values == dictionary.sorted { $0.key < $1.key }.map(\.value), "seed \(seed)")
  }
}
