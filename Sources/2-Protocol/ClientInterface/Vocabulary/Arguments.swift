package import Tree
internal import Wire

/// A line that does not fit the vocabulary that adapters and recordings share.
public struct VocabularyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found and what was expected.
  public var description: String

  package init(_ description: String) {
    self.description = description
  }
}

// What the arguments of a verb are read with.

extension JSON {
  /// The only member of a mapping, as `{VERB: {…}}` has it.
  package func verb(
    of what: String
  ) throws(VocabularyError) -> (name: String, arguments: JSON) {
    guard let member = members?.first, members?.count == 1 else {
      throw VocabularyError("\(what) is \(text), expected a mapping with one verb")
    }
    return (member.name, member.value)
  }

  package func member(_ name: String) throws(VocabularyError) -> JSON {
    guard let value = self[name] else { throw VocabularyError("\"\(name)\" is missing") }
    return value
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
