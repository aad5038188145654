import Benchmarks
import Testing

@Suite struct GrowthTests {
  @Test func `kinds have names of their own and sizes that grow`() {
    #expect(Set(Growth.all.map(\.name)).count == Growth.all.count)
    for growth in Growth.all {
      #expect(
        zip(growth.sizes, growth.sizes.dropFirst()).allSatisfy { $0 * 3 < $1 }, "\(growth.name)")
    }
  }

  @Test func `the exponent is that of the last two sizes`() throws {
    let growth = try #require(Growth.all.first { $0.sizes == [1000, 4000, 16_000] })

    #expect(growth.exponent(of: [1, 4, 16]) == 1)
    #expect(growth.exponent(of: [1, 4, 64]) == 2)
    #expect(growth.exponent(of: [9, 4, 4]) == 0)
    #expect(growth.exponent(of: []) == 0)
    #expect(Growth.largestExponent == 1.15)
  }
}
