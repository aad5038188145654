import Testing

@testable import Simulator

@Suite struct ChoiceTapeTests {
  @Test func `the generator has the numbers of its authors`() {
    var generator = Xoshiro256(state: (1, 2, 3, 4))

    #expect(
      (0..<6).map { _ in generator.next() } == [
        11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360,
        607_988_272_756_665_600,
      ])
  }

  @Test func `the streams of choices never change`() {
    let tape = ChoiceTape(seed: 42)
    var first = tape.stream(of: .init(.latency, entity: 0, ordinal: 0))
    var second = tape.stream(of: .init(.latency, entity: 1, ordinal: 7))

    #expect(
      (0..<3).map { _ in first.next() } == [
        11_873_891_798_772_891, 16_511_058_866_867_858_195, 17_193_192_859_186_090_770,
      ])
    #expect(
      (0..<3).map { _ in second.next() } == [
        8_727_437_630_630_247_115, 7_077_826_981_184_424_399, 15_384_014_016_908_340_561,
      ])
  }

  @Test func `draws stay below their bound and reach every value`() {
    var tape = ChoiceTape(seed: 1)
    var counts = [0, 0, 0, 0, 0]
    for ordinal in 0..<1000 {
      counts[tape.draw(.latency, entity: 0, ordinal: ordinal, arity: 5)] += 1
    }

    #expect(counts.allSatisfy { (150...250).contains($0) })
    #expect(tape.used.count == 1000 - counts[0])
  }

  @Test func `a choice that nobody states is the benign one`() {
    var tape = ChoiceTape(seed: 1)

    #expect(tape.choose(.connecting, entity: 0, ordinal: 0, arity: 9) == 0)
    #expect(tape.used == [])
  }

  @Test func `a stated choice counts by its name and as far as it is possible`() {
    let first = ChoiceTape.Entry(.init(.latency, entity: 2, ordinal: 5), 3)
    let second = ChoiceTape.Entry(.init(.latency, entity: 2, ordinal: 6), 100)
    let third = ChoiceTape.Entry(.init(.latency, entity: 3, ordinal: 5), 1)
    var tape = ChoiceTape(seed: 1, stated: [first, second, third], missing: .benign)

    #expect(tape.draw(.latency, entity: 2, ordinal: 6, arity: 10) == 9)
    #expect(tape.choose(.latency, entity: 2, ordinal: 5, arity: 10) == 3)
    #expect(tape.draw(.latency, entity: 2, ordinal: 4, arity: 10) == 0)
    #expect(tape.used == [.init(second.key, 9), first])
    #expect(tape.unused == [third])
  }

  @Test func `one draw does not disturb another`() {
    var all = ChoiceTape(seed: 5)
    var some = ChoiceTape(seed: 5)
    let values = (0..<10).map { all.draw(.latency, entity: 0, ordinal: $0, arity: 1000) }

    #expect(some.draw(.latency, entity: 0, ordinal: 9, arity: 1000) == values[9])
    #expect(some.draw(.latency, entity: 0, ordinal: 4, arity: 1000) == values[4])
  }
}
