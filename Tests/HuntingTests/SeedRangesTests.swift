import Testing

@testable import Hunting

@Suite struct SeedRangesTests {
  @Test func `ranges next to each other become one`() {
    #expect(SeedRanges([5...9, 1...2, 3...4]).description == "1..9")
    #expect(SeedRanges([1...2, 4...4]).description == "1..2, 4")
    #expect(SeedRanges([1...9, 3...4, 8...12]).ranges == [1...12])
    #expect(SeedRanges([0...0, .max ... .max]).ranges == [0...0, .max ... .max])
    #expect(SeedRanges().description == "none")
  }

  @Test func `what is missing is the rest of a range`() {
    let known = SeedRanges([5...9, 20...30])

    #expect(known.missing(in: 1...40).ranges == [1...4, 10...19, 31...40])
    #expect(known.missing(in: 6...8).isEmpty)
    #expect(known.missing(in: 9...20).ranges == [10...19])
    #expect(known.missing(in: 40...50).ranges == [40...50])
    #expect(SeedRanges([0 ... .max]).missing(in: 0 ... .max).isEmpty)
    #expect(known.count == 16)
  }

  @Test func `sets of ranges are what single seeds come to`() {
    var random = RandomSource(seed: 1, .plan)
    for _ in 0..<300 {
      var ranges = SeedRanges()
      var seeds: Set<UInt64> = []
      for _ in 0..<6 {
        let low = UInt64(random.number(below: 30))
        let range = low...(low + UInt64(random.number(below: 6)))
        ranges.insert(range)
        seeds.formUnion(range)
      }

      #expect(ranges.ranges.flatMap { Array($0) } == seeds.sorted())
      #expect(
        ranges.missing(in: 3...25).ranges.flatMap { Array($0) }
          == (UInt64(3)...25).filter { !seeds.contains($0) })
    }
  }

  @Test func `a range is read as it is written`() {
    #expect(SeedRanges.range(from: "1..1000") == 1...1000)
    #expect(SeedRanges.range(from: "7") == 7...7)
    for text in ["", "1..", "..2", "2..1", "1...2", "a..b", "-1..2", "1..2..3"] {
      #expect(SeedRanges.range(from: text) == nil, "\(text)")
    }
  }
}
