/// A value without children, and also a priority.
public enum Scalar: Sendable {
  case bool(Bool)
  case number(Double)
  case string(Text)
  /// A placeholder that the server replaces (SRV-1). Never part of what a client shows.
  case serverValue(ServerValue)
}

/// What the server puts in place of a `{".sv": …}` placeholder.
public enum ServerValue: Hashable, Sendable {
  /// The server's time in milliseconds since 1970.
  case timestamp
  /// The number that is there plus this one; this one where there is no number.
  case increment(Double)
}

extension Scalar: Hashable {
  /// Numbers by value: 1 equals 1.0, and −0 equals 0 (VAL-6).
  public static func == (a: Scalar, b: Scalar) -> Bool {
    switch (a, b) {
    case let (.bool(a), .bool(b)): a == b
    case let (.number(a), .number(b)): a == b
    case let (.string(a), .string(b)): a == b
    case let (.serverValue(a), .serverValue(b)): a == b
    case (.bool, _), (.number, _), (.string, _), (.serverValue, _): false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case let .bool(bool): hasher.combine(bool)
    case let .number(number): hasher.combine(number)
    case let .string(text): hasher.combine(text)
    case let .serverValue(value): hasher.combine(value)
    }
  }
}

extension Scalar: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral
{
  /// Makes a string of a literal.
  public init(stringLiteral value: String) { self = .string(Text(value)) }
  /// Makes a boolean of a literal; it cannot be a priority (PRI-4).
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a number of a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a number: the nearest double, which is exact up to 2^53 (VAL-6).
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
}

extension Scalar {
  /// The scalar that `json` stands for, or `nil` for null, lists, and mappings other than a server
  /// value.
  public init?(_ json: JSON) {
    switch json {
    case .null, .array: return nil
    case let .bool(bool): self = .bool(bool)
    case let .number(number): self = .number(number)
    case let .string(text): self = .string(Text(text))
    case .object:
      guard let value = ServerValue(json) else { return nil }
      self = .serverValue(value)
    }
  }

  /// The value in export format without a priority; a server value becomes its `.sv` mapping.
  public var json: JSON {
    switch self {
    case let .bool(bool): .bool(bool)
    case let .number(number): .number(number)
    case let .string(text): .string(text.string)
    case let .serverValue(value): value.json
    }
  }
}

extension ServerValue {
  /// Reads `{".sv": "timestamp"}` and `{".sv": {"increment": n}}`.
  public init?(_ json: JSON) {
    guard let kind = json[".sv"] else { return nil }
    if kind.string == "timestamp" {
      self = .timestamp
    } else if let delta = kind["increment"]?.number {
      self = .increment(delta)
    } else {
      return nil
    }
  }

  /// The placeholder as it is written: a mapping with the one member `.sv`.
  public var json: JSON {
    switch self {
    case .timestamp: [".sv": "timestamp"]
    case let .increment(delta): [".sv": ["increment": .number(delta)]]
    }
  }

  /// Fills the placeholder in.
  ///
  /// - Parameters:
  ///   - time: Milliseconds since 1970, by the server's clock or the client's estimate of it.
  ///   - current: The value that stands there now.
  /// - Returns: What this placeholder becomes.
  public func resolved(time: Double, current: Scalar?) -> Scalar {
    switch self {
    case .timestamp: .number(time)
    case let .increment(delta):
      .number(Self.sum(current, delta))
    }
  }
}

extension ServerValue {
  /// The nearest number that can be stored.
  private static func sum(_ current: Scalar?, _ delta: Double) -> Double {
    guard case let .number(number)? = current else { return delta }
    let limit = Double.greatestFiniteMagnitude
    return min(max(number + delta, -limit), limit)
  }
}

extension Scalar? {
  /// Whether the server replaces it.
  var isServerValue: Bool {
    if case .serverValue? = self { true } else { false }
  }
}

extension Scalar {
  var isServerValue: Bool {
    if case .serverValue = self { true } else { false }
  }
}
