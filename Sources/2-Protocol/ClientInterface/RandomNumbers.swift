internal import Tree

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
    defer { state &+= 0x9E37_79B9_7F4A_7C15 }
    return Fingerprint.mixed(state)
  }

  /// A number in 0..<1.
  public mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
