internal import ClientInterface
package import Tree
internal import Wire

// Values as Swift programs have them: `nil`, `Bool`, numbers, `String`, dictionaries and arrays.

extension JSON {
  /// What a value is in JSON; `nil` for one that the database does not know.
  ///
  /// Any integer or floating-point type counts as a number, and `nil` inside an array as null. Values
  /// of Foundation count as those of Swift that they stand for, and `NSNull` as null. The database knows
  /// no value that is nested much deeper than locations are: the stack of a program is bounded.
  ///
  /// - Complexity: O(*n* log *n*).
  package init?(plain value: Any?) { self.init(plain: value, levels: Self.deepest) }

  /// How many levels a value may have: more than any location, which is refused by its own error.
  private static let deepest = 4 * Path.maximumDepth

  private init?(plain value: Any?, levels: Int) {
    guard levels > 0 else { return nil }
    guard let value else {
      self = .null
      return
    }
    if let value = value as? any OptionalValue {
      self.init(plain: value.wrapped, levels: levels - 1)
    } else if type(of: value) is AnyClass, let json = JSON(foundation: value as AnyObject) {
      self = json
    } else {
      self.init(present: value, levels: levels)
    }
  }

  /// A value that is there, and is no number of Foundation.
  private init?(present value: Any, levels: Int) {
    switch value {
    case let value as JSON: self = value
    case let value as String: self = .string(value)
    case let value as Bool: self = .bool(value)
    case let value as Double: self = .number(value)
    case let value as Int: self = .number(Double(value))
    case let value as [AnyHashable: Any]: self.init(members: value, levels: levels - 1)
    case let value as [Any?]: self.init(elements: value, levels: levels - 1)
    case let value as any BinaryInteger: self = .number(Double(value))
    case let value as any BinaryFloatingPoint: self = .number(Double(value))
    default: return nil
    }
  }

  /// Members in the order of their names, since a dictionary has none.
  private init?(members: [AnyHashable: Any], levels: Int) {
    var found: [Text: JSON] = [:]
    for (name, value) in members {
      guard let name = name.base as? String, let value = JSON(plain: value, levels: levels),
        // `"a"` and `NSString(string: "a")` can be two keys of one dictionary.
        found.updateValue(value, forKey: Text(name)) == nil
      else { return nil }
    }
    self = .object(found.sorted { $0.key < $1.key }.map { Member($0.key.string, $0.value) })
  }

  private init?(elements: [Any?], levels: Int) {
    var found: [JSON] = []
    for element in elements {
      guard let element = JSON(plain: element, levels: levels) else { return nil }
      found.append(element)
    }
    self = .array(found)
  }

  /// The value as Swift programs have it: numbers as `Double`, mappings as `[String: Any]`, lists as
  /// `[Any?]`, because a list may have gaps (SNP-20).
  ///
  /// - Complexity: O(*n*).
  package var plain: Any? {
    switch self {
    case .null: nil
    case let .bool(bool): bool
    case let .number(number): number
    case let .string(text): text
    case let .array(elements): elements.map(\.plain)
    case let .object(members):
      Dictionary(members.map { ($0.name, $0.value.plain as Any) }) { first, _ in first }
    }
  }
}

/// What may be nothing, whatever it is.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  var wrapped: Any? { map { $0 as Any } }
}

extension Engine {
  /// A value in JSON. One that the database does not know is refused, and counts as null.
  func json(_ value: Any?) -> JSON {
    if let json = JSON(plain: value) { return json }
    let found = "a value of the type \(type(of: value)), or what is in it, or how deep that is"
    platform.refuse(Misuse("invalid_value", found))
    return .null
  }

  /// A priority: a number, a string, a server value or nothing (PRI-4); `nil` after a refusal.
  func priority(_ value: Any?) -> (scalar: Scalar?, Void)? {
    let json = json(value)
    let scalar = Scalar(json)
    if scalar == nil, json != .null {
      platform.refuse(Misuse("invalid_value", "the priority \(json)"))
      return nil
    }
    return (scalar, ())
  }

  /// The parts of an update, in the order of their names, since a dictionary has none.
  func assignments(_ values: [AnyHashable: Any]) -> [Assignment] {
    [Assignment](json: json(values)) ?? []
  }
}
