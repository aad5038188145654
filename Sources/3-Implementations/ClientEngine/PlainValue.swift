internal import ClientInterface
package import Tree
internal import Wire

// Values as Swift programs have them: `nil`, `Bool`, numbers, `String`, dictionaries and arrays.

extension JSON {
  /// What a value is in JSON.
  ///
  /// Any integer or floating-point type counts as a number, an enumeration as its raw value, and `nil`
  /// inside an array as null. Values of Foundation count as those of Swift that they stand for, and `NSNull`
  /// as null.
  ///
  /// - Throws: What it has that the database does not know, and where.
  /// - Complexity: O(*n* log *n*).
  package init(converting value: Any?) throws(SyncError) {
    do throws(Unknown) {
      try self.init(value, depth: 0)
    } catch {
      throw error.problem
    }
  }

  /// The same; `nil` for what the database does not know.
  package init?(plain value: Any?) {
    do throws(SyncError) { try self.init(converting: value) } catch { return nil }
  }

  /// Deeper than any location, and yet no danger to the stack; what is deeper is refused.
  static let deepest = 8 * Path.maximumDepth

  private init(_ value: Any?, depth: Int) throws(Unknown) {
    guard let value else {
      self = .null
      return
    }
    if depth > Self.deepest { throw Unknown("invalid_path", "more than \(Self.deepest) levels") }
    if let value = value as? any OptionalValue {
      self = try JSON(value.wrapped, depth: depth + 1)
    } else if type(of: value) is AnyClass, let json = JSON(foundation: value as AnyObject) {
      self = json
    } else {
      self = try JSON(present: value, depth: depth)
    }
  }

  /// A value that is there, and is no number of Foundation.
  private init(present value: Any, depth: Int) throws(Unknown) {
    switch value {
    case let value as JSON: self = value
    case let value as String: self = .string(value)
    case let value as Bool: self = .bool(value)
    case let value as Double: self = .number(value)
    case let value as Int: self = .number(Double(value))
    case let value as [AnyHashable: Any]: self = try JSON(members: value, depth: depth)
    case let value as [Any?]: self = try JSON(elements: value, depth: depth)
    case let value as any BinaryInteger: self = .number(Double(value))
    case let value as any BinaryFloatingPoint: self = .number(Double(value))
    case let value as any StringProtocol: self = .string(String(value))
    case let value as any RawRepresentable: self = try JSON(value.rawValue, depth: depth + 1)
    default:
      // What Foundation has a class of its own for, such as a decimal number.
      guard let json = JSON(foundation: value as AnyObject) else {
        throw Unknown("invalid_value", "a value of the type \(type(of: value))")
      }
      self = json
    }
  }

  /// Members in the order of their names, since a dictionary has none.
  private init(members: [AnyHashable: Any], depth: Int) throws(Unknown) {
    var found: [Text: JSON] = [:]
    for (name, value) in members {
      guard let name = name.base as? String else {
        throw Unknown("invalid_value", "a key of the type \(type(of: name.base))")
      }
      let json = try Unknown.locating(name) { () throws(Unknown) in
        try JSON(value, depth: depth + 1)
      }
      // `"a"` and `NSString(string: "a")` can be two keys of one dictionary.
      if found.updateValue(json, forKey: Text(name)) != nil {
        throw Unknown("invalid_value", "two keys \(name)")
      }
    }
    self = .object(found.sorted { $0.key < $1.key }.map { Member($0.key.string, $0.value) })
  }

  private init(elements: [Any?], depth: Int) throws(Unknown) {
    var found: [JSON] = []
    for element in elements {
      found.append(
        try Unknown.locating(found.count) { () throws(Unknown) in
          try JSON(element, depth: depth + 1)
        })
    }
    self = .array(found)
  }

  /// The value as Swift programs have it: numbers as `Double`, mappings as `[String: Any]`, lists as
  /// `[Any]`, and as `[Any?]` where they have gaps (SNP-20).
  ///
  /// - Complexity: O(*n*).
  package var plain: Any? {
    switch self {
    case .null: nil
    case let .bool(bool): bool
    case let .number(number): number
    case let .string(text): text
    case let .array(elements): Self.list(elements.map(\.plain))
    case let .object(members):
      Dictionary(members.compactMap { member in member.value.plain.map { (member.name, $0) } }) {
        first, _ in first
      }
    }
  }
}

extension JSON {
  private static func list(_ elements: [Any?]) -> Any {
    let found = elements.compactMap(\.self)
    return found.count == elements.count ? found : elements
  }
}

/// A part of a value that the database does not know.
private struct Unknown: Error {
  let code: ErrorCode
  let what: String
  /// Where it is in the value, from the inside.
  var names: [String] = []

  init(_ code: ErrorCode, _ what: String) { (self.code, self.what) = (code, what) }

  /// Does something for a part that has a name in the whole.
  static func locating<Result>(
    _ name: some CustomStringConvertible, _ work: () throws(Unknown) -> Result
  ) throws(Unknown) -> Result {
    do throws(Unknown) {
      return try work()
    } catch {
      var problem = error
      // The innermost names of a value that is too deep say enough.
      if problem.names.count < Path.maximumDepth { problem.names.append(name.description) }
      throw problem
    }
  }

  var problem: SyncError {
    let place = names.isEmpty ? "" : " at " + names.reversed().joined(separator: "/")
    return SyncError(
      code,
      "\(what)\(place); a value is a string, a number, a boolean, a dictionary with strings as keys,"
        + " an array, or nil")
  }
}

/// What may be nothing, whatever it is.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  var wrapped: Any? { map { $0 as Any } }
}

extension Scalar {
  /// A priority: a number, a string, a server value, or `nil` for none (PRI-4).
  ///
  /// - Throws: Why it is none.
  static func priority(_ value: Any?) throws(SyncError) -> Scalar? {
    let json = try JSON(converting: value)
    let scalar = Scalar(json)
    if scalar == nil, json != .null {
      throw SyncError(
        "invalid_value",
        "the priority \(json.text.prefix(200)) is none; a priority is a number, a string or nil")
    }
    return scalar
  }
}
