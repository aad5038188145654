/// A stream of numbers that a seed determines: SplitMix64.
///
/// A value, so that a client that is copied carries its randomness along.
public struct RandomNumbers: Hashable, Sendable, RandomNumberGenerator {
  private var state: UInt64

  /// Starts the stream; equal seeds give equal numbers, and every seed is allowed, 0 too.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits of the stream, all values being equally likely.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in 0..<1.
  public mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
