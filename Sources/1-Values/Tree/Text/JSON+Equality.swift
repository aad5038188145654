extension JSON: Equatable {
  /// Equality as JSON understands it: numbers by value, strings by their bytes, members of an
  /// object in any order.
  ///
  /// - Complexity: O(*n*), and O(*n* · *m*) for objects with *m* members in different orders.
  public static func == (a: JSON, b: JSON) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case let (.bool(a), .bool(b)): a == b
    case let (.number(a), .number(b)): a == b
    case let (.string(a), .string(b)): Text(a) == Text(b)
    case let (.array(a), .array(b)): a == b
    case let (.object(a), .object(b)):
      a.count == b.count
        && a.allSatisfy { member in
          b.contains { Text($0.name) == Text(member.name) && $0.value == member.value }
        }
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}

extension JSON {
  /// Whether both are equal, as far as that is known without comparing what is inside them.
  ///
  /// - Complexity: O(1), and O(*n*) for texts.
  package func isSame(as other: JSON) -> Bool {
    switch (self, other) {
    case let (.array(a), .array(b)): Self.areOne(a, b)
    case let (.object(a), .object(b)): Self.areOne(a, b)
    default: self == other
    }
  }

  private static func areOne<Element>(_ a: [Element], _ b: [Element]) -> Bool {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { $0.baseAddress == a.baseAddress && $0.count == a.count }
    }
  }
}

extension JSON: Hashable {
  /// Equal values hash alike; members count in any order.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case let .bool(bool): hasher.combine(bool)
    case let .number(number): hasher.combine(number)
    case let .string(text): Text(text).hash(into: &hasher)
    case let .array(elements): hasher.combine(elements)
    case let .object(members): hasher.combine(members.count)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes a JSON string of a literal; its contents are not parsed as JSON.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a JSON boolean, which never equals a number.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a JSON number of a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a JSON number: the nearest double, which is exact up to 2^53.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// Makes a JSON array whose elements may be of different kinds.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Makes a JSON object whose members keep the order of the literal; repeated names are kept too.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSON: CustomStringConvertible {
  public var description: String { text }
}
