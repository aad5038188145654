/// An expression of a rule, as a tree.
struct Expression: Sendable {
  indirect enum Kind: Sendable {
    case literal(RuleValue)
    case pattern(Pattern)
    case list([Expression])
    case variable(Variable)
    case member(Expression, String)
    case element(Expression, Expression)
    case call(Expression, Method, [Expression])
    case not(Expression)
    case negative(Expression)
    case binary(Operator, Expression, Expression)
    case conditional(Expression, Expression, Expression)
  }

  let kind: Kind
  /// Where it begins, for messages: the number of Unicode scalars before it.
  let offset: Int

  init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

/// What an expression can name.
enum Variable: Hashable, Sendable {
  case auth
  case now
  case root
  case data
  case newData
  case query
  /// A key that the location of the rule leaves open, without its `$`.
  case location(String)
}

/// An operator with two operands, from the weakest to the strongest.
enum Operator: String, CaseIterable, Hashable, Sendable {
  case or = "||"
  case and = "&&"
  case equal = "=="
  case identical = "==="
  case unequal = "!="
  case notIdentical = "!=="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case remainder = "%"

  /// The higher, the stronger it binds.
  var strength: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .identical, .unequal, .notIdentical: 3
    case .less, .lessOrEqual, .greater, .greaterOrEqual: 4
    case .plus, .minus: 5
    case .times, .divided, .remainder: 6
    }
  }
}

/// What can be called.
enum Method: String, CaseIterable, Hashable, Sendable {
  case val
  case child
  case parent
  case hasChild
  case hasChildren
  case exists
  case getPriority
  case isNumber
  case isString
  case isBoolean
  case contains
  case beginsWith
  case endsWith
  case replace
  case toLowerCase
  case toUpperCase
  case matches

  /// Of what kind of value it is.
  var receiver: ValueType {
    switch self {
    case .val, .child, .parent, .hasChild, .hasChildren, .exists, .getPriority, .isNumber,
      .isString, .isBoolean:
      .snapshot
    case .contains, .beginsWith, .endsWith, .replace, .toLowerCase, .toUpperCase, .matches: .string
    }
  }

  /// The kinds of its arguments.
  var parameters: [ValueType] {
    switch self {
    case .val, .parent, .exists, .getPriority, .isNumber, .isString, .isBoolean, .toLowerCase,
      .toUpperCase:
      []
    case .child, .hasChild, .contains, .beginsWith, .endsWith: [.string]
    case .hasChildren: [.list]
    case .replace: [.string, .string]
    case .matches: [.pattern]
    }
  }

  /// Whether the argument may be missing.
  var isArgumentOptional: Bool { self == .hasChildren }

  var result: ValueType {
    switch self {
    case .val, .getPriority: .any
    case .child, .parent: .snapshot
    case .hasChild, .hasChildren, .exists, .isNumber, .isString, .isBoolean, .contains,
      .beginsWith, .endsWith, .matches:
      .boolean
    case .replace, .toLowerCase, .toUpperCase: .string
    }
  }
}

/// What is known of a value before it is there.
enum ValueType: String, Hashable, Sendable {
  case null
  case boolean
  case number
  case string
  case snapshot = "location"
  case pattern = "regular expression"
  case list
  /// The variable `query`.
  case query
  /// Whatever data or a token hold.
  case any = "value"

  /// Whether a value of this kind can be what is asked for.
  func canBe(_ other: ValueType) -> Bool {
    self == other || self == .any && other != .snapshot && other != .pattern
  }
}
