package import Tree

// Times from files and from other programs. Clocks add up without a check, so every number that becomes a
// time is read here: the sum of a moment and two intervals of these fits 64 bits of nanoseconds.

extension Interval {
  /// The length that a number of JSON states in milliseconds.
  ///
  /// Exact below 2^51 nanoseconds, which are 26 days.
  ///
  /// - Parameters:
  ///   - json: The number.
  ///   - name: What the message calls it.
  /// - Throws: `VocabularyError` for anything but a number, and from 100 years on.
  package init(_ json: JSON, called name: String) throws(VocabularyError) {
    guard let number = json.number else {
      throw VocabularyError("\"\(name)\" is \(json.kind), expected milliseconds")
    }
    guard abs(number) < 3_153_600_000_000 else {
      throw VocabularyError(
        "\"\(name)\" is \(json.text), expected milliseconds, less than 100 years of them")
    }
    self.init(nanoseconds: Int64((number * 1_000_000).rounded()))
  }
}

extension Instant {
  /// The moment that a number of JSON states in milliseconds since 1970, to a whole microsecond.
  ///
  /// - Parameters:
  ///   - json: The number.
  ///   - name: What the message calls it.
  /// - Throws: `VocabularyError` for anything but a number, and for what is no moment from 1880 to 2060.
  package init(_ json: JSON, called name: String) throws(VocabularyError) {
    guard let number = json.number else {
      throw VocabularyError("\"\(name)\" is \(json.kind), expected milliseconds since 1970")
    }
    guard abs(number) < 2_900_000_000_000 else {
      throw VocabularyError(
        "\"\(name)\" is \(json.text), expected milliseconds since 1970, of a moment from 1880 to 2060"
      )
    }
    self.init(nanoseconds: Int64((number * 1000).rounded()) * 1000)
  }
}
