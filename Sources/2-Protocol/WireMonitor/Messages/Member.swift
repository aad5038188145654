internal import Tree

/// A member that a mapping can have.
struct Member: Sendable {
  enum Kind: Sendable {
    case text
    case number
    case wholeNumber
    case boolean
    case mapping
    case list
    case null
    case any
    /// Text that names a location.
    case path
    /// A scalar, or null.
    case bound
  }

  let name: String
  let kind: Kind
  /// What it stands for, and how to write it where that is worth saying.
  let meaning: String
  let isRequired: Bool

  static func required(_ name: String, _ kind: Kind, _ meaning: String) -> Member {
    Member(name: name, kind: kind, meaning: meaning, isRequired: true)
  }

  static func optional(_ name: String, _ kind: Kind, _ meaning: String) -> Member {
    Member(name: name, kind: kind, meaning: meaning, isRequired: false)
  }

  /// What is expected in place of a value; `nil` when the value is of this kind.
  func expectation(of value: JSON) -> String? {
    switch kind {
    case .any: nil
    case .text, .path: value.string == nil ? "a string" : nil
    case .number: value.number == nil ? "a number" : nil
    case .wholeNumber: value.integer.map { $0 >= 0 } == true ? nil : "a whole number from 0 on"
    case .boolean: value.bool == nil ? "true or false" : nil
    case .mapping: value.members == nil ? "a mapping" : nil
    case .list: value.elements == nil ? "a list" : nil
    case .null: value == .null ? nil : "null"
    case .bound: value == .null || Scalar(value) != nil ? nil : "a scalar or null"
    }
  }
}
