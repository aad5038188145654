import Glibc
import Rules
package import System

extension Arguments {
  /// Does what `--color` says, for other processes of this program too.
  ///
  /// - Throws: `Failure.usage` for another value.
  func setColours() throws(Failure) {
    guard let value = value(of: "color") else { return }
    let choices = ["always", "never", "auto"]
    guard choices.contains(value) else {
      throw failure(unknown("value", value, of: "color", among: choices))
    }
    setenv("KENNEL_COLOR", value, 1)
  }

  /// The one operand.
  ///
  /// - Throws: `Failure.usage` with `message` where there is none, or another.
  package func onlyOperand(else message: String) throws(Failure) -> String {
    guard let operand = operands.first, operands.count == 1 else { throw failure(message) }
    return operand
  }

  /// The operands, of which there is at least one.
  ///
  /// - Throws: `Failure.usage` with `message` where there is none.
  package func someOperands(else message: String) throws(Failure) -> [String] {
    guard !operands.isEmpty else { throw failure(message) }
    return operands
  }

  /// The profiles asked for, each once, in order.
  ///
  /// - Throws: `Failure.usage` for one that does not exist.
  package func profiles() throws(Failure) -> [String] {
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
  package func seed() throws(Failure) -> UInt64? {
    guard let value = value(of: "seed") else { return nil }
    guard let seed = UInt64(value) else {
      throw failure("--seed needs a whole number from 0 to \(UInt64.max), not \"\(value)\"")
    }
    return seed
  }

  /// The whole number that an option gives, or nil.
  ///
  /// - Throws: `Failure.usage` for one out of bounds, and for anything else.
  package func number(of name: String, from least: Int, through most: Int) throws(Failure) -> Int? {
    guard let value = value(of: name) else { return nil }
    if let number = Int(value), (least...most).contains(number) { return number }
    throw failure("--\(name) needs a whole number from \(least) to \(most), not \"\(value)\"")
  }

  /// The value of an option that is a number from 1 up.
  ///
  /// - Throws: `Failure.usage` for anything else.
  package func count(of name: String) throws(Failure) -> Int? {
    guard let text = value(of: name) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw failure("--\(name) needs a whole number above 0, not \"\(text)\"")
    }
    return count
  }

  /// The minutes asked for, or nil.
  ///
  /// - Throws: `Failure.usage` for anything but a positive number.
  package func minutes() throws(Failure) -> Double? {
    guard let value = value(of: "minutes") else { return nil }
    if let minutes = Double(value), minutes > 0, minutes < 1_000_000 { return minutes }
    throw failure("--minutes needs a positive number, not \"\(value)\"")
  }
}
