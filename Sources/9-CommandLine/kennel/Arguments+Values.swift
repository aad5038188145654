import Rules
import System

extension Arguments {
  /// The profiles asked for, each once, in order.
  ///
  /// - Throws: `Failure.usage` for one that does not exist.
  func profiles() throws(Failure) -> [String] {
    var profiles: [String] = []
    for name in values(of: "profile") where !profiles.contains(name) {
      guard Rule.profileNames.contains(name) else {
        throw failure(unknown("value", name, of: "profile", among: Rule.profileNames))
      }
      profiles.append(name)
    }
    return profiles
  }

  /// The seed asked for, or nil.
  ///
  /// - Throws: `Failure.usage` for anything but a whole number of 64 bits.
  func seed() throws(Failure) -> UInt64? {
    guard let value = value(of: "seed") else { return nil }
    guard let seed = UInt64(value) else {
      throw failure("--seed needs a whole number from 0 to \(UInt64.max), not \"\(value)\"")
    }
    return seed
  }
}
