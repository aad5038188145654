internal import ClientInterface

/// The generator xoshiro256**: what random choices are drawn from.
struct Xoshiro256: RandomNumberGenerator {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Fills the state from SplitMix64, as its authors recommend.
  init(seed: UInt64) {
    var numbers = RandomNumbers(seed: seed)
    state = (numbers.next(), numbers.next(), numbers.next(), numbers.next())
  }

  /// - Precondition: Not all four words are zero.
  init(state: (UInt64, UInt64, UInt64, UInt64)) {
    self.state = state
  }

  mutating func next() -> UInt64 {
    let result = Self.rotated(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.rotated(state.3, by: 45)
    return result
  }

  /// A number in 0..<`bound`, each equally likely.
  mutating func next(below bound: UInt64) -> UInt64 {
    var (high, low) = next().multipliedFullWidth(by: bound)
    if low < bound {
      let threshold = (0 &- bound) % bound
      while low < threshold { (high, low) = next().multipliedFullWidth(by: bound) }
    }
    return high
  }

  private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }
}
