internal import Document
package import Tree
internal import Wire

/// A line that does not fit the vocabulary that adapters and recordings share.
public struct VocabularyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found and what was expected.
  public var description: String

  package init(_ description: String) {
    self.description = description
  }

  /// Says that a verb is none of those that are known there.
  package init(unknown verb: String, of what: String, known: [String]) {
    let hint = didYouMean(verb, known, orElse: "; expected \(alternatives(known))")
    self.init("\"\(verb)\" is not \(what)\(hint)")
  }
}

// What the arguments of a verb are read with.

extension JSON {
  /// The only member of a mapping, as `{VERB: {…}}` has it.
  func verb<Verb: RawRepresentable<String> & CaseIterable>(
    _: Verb.Type, of what: String
  ) throws(VocabularyError) -> (Verb, arguments: JSON) {
    guard let member = members?.first, members?.count == 1 else {
      throw VocabularyError("\(what) is \(text), expected a mapping with one verb")
    }
    guard let verb = Verb(rawValue: member.name) else {
      throw VocabularyError(unknown: member.name, of: what, known: Verb.allCases.map(\.rawValue))
    }
    return (verb, member.value)
  }

  package func member(_ name: String) throws(VocabularyError) -> JSON {
    if let value = self[name] { return value }
    let slip = (members ?? []).first { !closestMatches(to: $0.name, in: [name]).isEmpty }
    let hint = slip.map { "; found \"\($0.name)\": did you mean \"\(name)\"?" } ?? ""
    throw VocabularyError("\"\(name)\" is missing\(hint)")
  }

  package func text(_ name: String) throws(VocabularyError) -> String {
    let value = try member(name)
    guard let text = value.string else {
      throw VocabularyError("\"\(name)\" is \(value.kind), expected a string")
    }
    return text
  }

  /// The same of a member that may be left out.
  func optionalText(_ name: String) throws(VocabularyError) -> String? {
    self[name] == nil ? nil : try text(name)
  }

  /// A member that is a whole number.
  package func count(_ name: String) throws(VocabularyError) -> Int {
    let value = try member(name)
    guard let count = value.integer else {
      throw VocabularyError("\"\(name)\" is \(value.text), expected a whole number")
    }
    return count
  }

  /// A member that is a list; an empty one where it is left out.
  func list(_ name: String) throws(VocabularyError) -> [JSON] {
    guard let value = self[name] else { return [] }
    guard let elements = value.elements else {
      throw VocabularyError("\"\(name)\" is \(value.kind), expected a list")
    }
    return elements
  }

  /// A mapping of paths to values.
  func assignments(_ name: String) throws(VocabularyError) -> [Assignment] {
    let value = try member(name)
    guard let assignments = [Assignment](json: value) else {
      throw VocabularyError("\"\(name)\" is \(value.kind), expected a mapping of paths to values")
    }
    return assignments
  }
}

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
