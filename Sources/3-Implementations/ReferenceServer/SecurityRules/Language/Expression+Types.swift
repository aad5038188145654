internal import Document

// Mistakes that can be found without data.

extension Expression {
  /// What kind of value it has.
  ///
  /// - Throws: `ExpressionError` for what can never be evaluated.
  func type() throws(ExpressionError) -> ValueType {
    switch kind {
    case let .literal(value): return value.type
    case .pattern: return .pattern
    case let .list(elements):
      for element in elements { try element.check(is: .string, "an element of this list") }
      return .list
    case let .variable(variable): return variable.type
    case let .member(base, name): return try Self.member(name, of: try base.type(), at: offset)
    case let .element(base, key):
      try key.check(is: .string, "the name of a member")
      return try Self.member(nil, of: try base.type(), at: offset)
    case let .call(base, method, arguments): return try call(base, method, arguments)
    case let .not(operand):
      try operand.check(is: .boolean, "what follows !")
      return .boolean
    case let .negative(operand):
      try operand.check(is: .number, "what follows -")
      return .number
    case let .binary(found, left, right): return try operation(found, left, right)
    case let .conditional(condition, first, second):
      try condition.check(is: .boolean, "what precedes ?")
      let types = (try first.type(), try second.type())
      return types.0 == types.1 ? types.0 : .any
    }
  }

  /// - Throws: `ExpressionError` unless it can have a value of this kind.
  func check(is expected: ValueType, _ what: String) throws(ExpressionError) {
    let found = try type()
    guard found.canBe(expected) else {
      throw ExpressionError(
        at: offset, "\(what) is a \(found.rawValue); expected a \(expected.rawValue)\(found.hint)")
    }
  }

  private static func member(
    _ name: String?, of base: ValueType, at offset: Int
  ) throws(ExpressionError) -> ValueType {
    switch base {
    case .any: return .any
    case .string where name == "length": return .number
    case .query:
      guard let name, let type = QueryMember(rawValue: name)?.type else {
        let known = QueryMember.allCases.map(\.rawValue)
        throw ExpressionError(
          at: offset,
          "unknown member of query\(closestOrAll(to: name ?? "", in: known))")
      }
      return type
    case .null, .boolean, .number, .string, .snapshot, .pattern, .list:
      throw ExpressionError(
        at: offset,
        "a \(base.rawValue) has no member \(name.map { "\"\($0)\"" } ?? "in brackets")\(base.hint)")
    }
  }

  private func call(
    _ base: Expression, _ method: Method, _ arguments: [Expression]
  ) throws(ExpressionError) -> ValueType {
    let found = try base.type()
    guard found.canBe(method.receiver) else {
      throw ExpressionError(
        at: offset,
        "\(method.rawValue)() is a method of a \(method.receiver.rawValue), and this is a"
          + " \(found.rawValue)\(found.hint)")
    }
    let parameters = method.parameters
    guard arguments.count == parameters.count || arguments.isEmpty && method.isArgumentOptional
    else {
      throw ExpressionError(
        at: offset,
        "\(method.rawValue)() has \(arguments.count) arguments; expected \(parameters.count)")
    }
    for (argument, parameter) in zip(arguments, parameters) {
      try argument.check(is: parameter, "the argument of \(method.rawValue)()")
    }
    return method.result
  }

  private func operation(
    _ found: Operator, _ left: Expression, _ right: Expression
  ) throws(ExpressionError) -> ValueType {
    let side = (
      left: "the left side of \(found.rawValue)", right: "the right side of \(found.rawValue)"
    )
    switch found {
    case .or, .and:
      try left.check(is: .boolean, side.left)
      try right.check(is: .boolean, side.right)
      return .boolean
    case .equal, .identical, .unequal, .notIdentical:
      try left.checkIsComparable(side.left)
      try right.checkIsComparable(side.right)
      return .boolean
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try checkSides(left, right, [.number, .string], side)
      return .boolean
    case .plus:
      let type = try checkSides(left, right, [.number, .string], side)
      return type == .number ? .number : type
    case .minus, .times, .divided, .remainder:
      try left.check(is: .number, side.left)
      try right.check(is: .number, side.right)
      return .number
    }
  }

  private func checkIsComparable(_ what: String) throws(ExpressionError) {
    let type = try type()
    guard type.canBe(.null) || [.null, .boolean, .number, .string].contains(type) else {
      throw ExpressionError(
        at: offset, "\(what) is a \(type.rawValue); expected a value\(type.hint)")
    }
  }

  @discardableResult private func checkSides(
    _ left: Expression, _ right: Expression, _ allowed: [ValueType],
    _ side: (left: String, right: String)
  ) throws(ExpressionError) -> ValueType {
    let types = (try left.type(), try right.type())
    for (type, expression, what) in [(types.0, left, side.left), (types.1, right, side.right)]
    where !allowed.contains(where: type.canBe) {
      throw ExpressionError(
        at: expression.offset,
        "\(what) is a \(type.rawValue); expected a number or a string\(type.hint)")
    }
    if types.0 == .string || types.1 == .string { return .string }
    return types.0 == .number && types.1 == .number ? .number : .any
  }
}

extension Variable {
  var type: ValueType {
    switch self {
    case .auth: .any
    case .now: .number
    case .root, .data, .newData: .snapshot
    case .query: .query
    case .location: .string
    }
  }
}

extension ValueType {
  /// What to do about a value of this kind where it is not expected.
  fileprivate var hint: String { self == .snapshot ? "; use val() for what is there" : "" }
}

/// What a rule can ask about the query of a read.
enum QueryMember: String, CaseIterable, Hashable, Sendable {
  case orderByKey
  case orderByPriority
  case orderByValue
  case orderByChild
  case startAt
  case endAt
  case equalTo
  case limitToFirst
  case limitToLast

  var type: ValueType {
    switch self {
    case .orderByKey, .orderByPriority, .orderByValue: .boolean
    case .orderByChild, .startAt, .endAt, .equalTo, .limitToFirst, .limitToLast: .any
    }
  }
}
