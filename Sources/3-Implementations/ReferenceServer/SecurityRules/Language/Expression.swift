internal import Document
internal import Tree

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

extension Expression {
  /// Whether the expression holds; one that cannot be evaluated does not.
  func holds(in context: RuleContext) -> Bool {
    guard let value = try? value(in: context), case let .bool(bool) = value else { return false }
    return bool
  }

  func value(in context: RuleContext) throws(EvaluationFailure) -> RuleValue {
    switch kind {
    case let .literal(value): return value
    case let .pattern(pattern): return .pattern(pattern)
    case let .list(elements):
      var texts: [String] = []
      for element in elements { texts.append(try element.string(in: context)) }
      return .list(texts)
    case let .variable(variable): return context.value(of: variable)
    case let .member(base, name):
      if case .variable(.query) = base.kind { return context.queryMember(name) }
      return try base.value(in: context).member(name)
    case let .element(base, key): return try base.value(in: context).member(key.string(in: context))
    case let .call(base, method, arguments):
      return try call(method, on: try base.value(in: context), arguments, context)
    case let .not(operand): return .bool(!(try operand.bool(in: context)))
    case let .negative(operand): return .number(-(try operand.number(in: context)))
    case let .binary(binary, left, right): return try operation(binary, left, right, context)
    case let .conditional(condition, first, second):
      return try (try condition.bool(in: context) ? first : second).value(in: context)
    }
  }

  private func bool(in context: RuleContext) throws(EvaluationFailure) -> Bool {
    guard case let .bool(bool) = try value(in: context) else { throw EvaluationFailure() }
    return bool
  }

  private func number(in context: RuleContext) throws(EvaluationFailure) -> Double {
    guard case let .number(number) = try value(in: context) else { throw EvaluationFailure() }
    return number
  }

  private func string(in context: RuleContext) throws(EvaluationFailure) -> String {
    guard case let .string(text) = try value(in: context) else { throw EvaluationFailure() }
    return text
  }

  private func operation(
    _ binary: Operator, _ left: Expression, _ right: Expression, _ context: RuleContext
  ) throws(EvaluationFailure) -> RuleValue {
    switch binary {
    case .or: return .bool(try left.bool(in: context) ? true : try right.bool(in: context))
    case .and: return .bool(try left.bool(in: context) ? try right.bool(in: context) : false)
    case .equal, .identical:
      return .bool(try left.value(in: context).isEqual(to: try right.value(in: context)))
    case .unequal, .notIdentical:
      return .bool(!(try left.value(in: context).isEqual(to: try right.value(in: context))))
    case .less: return .bool(try order(left, right, context) < 0)
    case .lessOrEqual: return .bool(try order(left, right, context) <= 0)
    case .greater: return .bool(try order(left, right, context) > 0)
    case .greaterOrEqual: return .bool(try order(left, right, context) >= 0)
    case .plus: return try sum(left, right, context)
    case .minus: return .number(try left.number(in: context) - right.number(in: context))
    case .times: return .number(try left.number(in: context) * right.number(in: context))
    case .divided: return .number(try left.number(in: context) / right.number(in: context))
    case .remainder:
      let divisor = try right.number(in: context)
      return .number(try left.number(in: context).truncatingRemainder(dividingBy: divisor))
    }
  }

  /// How two numbers, or two strings, are ordered.
  private func order(
    _ left: Expression, _ right: Expression, _ context: RuleContext
  ) throws(EvaluationFailure) -> Int {
    switch (try left.value(in: context), try right.value(in: context)) {
    case let (.number(a), .number(b)) where !a.isNaN && !b.isNaN: return a < b ? -1 : a > b ? 1 : 0
    case let (.string(a), .string(b)):
      if a.utf16.elementsEqual(b.utf16) { return 0 }
      return a.utf16.lexicographicallyPrecedes(b.utf16) ? -1 : 1
    default: throw EvaluationFailure()
    }
  }

  private func sum(
    _ left: Expression, _ right: Expression, _ context: RuleContext
  ) throws(EvaluationFailure) -> RuleValue {
    switch (try left.value(in: context), try right.value(in: context)) {
    case let (.number(a), .number(b)): return .number(a + b)
    case let (.string(a), .string(b)): return .string(a + b)
    case let (.string(a), .number(b)): return .string(a + JSON.number(b).text)
    case let (.number(a), .string(b)): return .string(JSON.number(a).text + b)
    default: throw EvaluationFailure()
    }
  }

  private func call(
    _ method: Method, on value: RuleValue, _ arguments: [Expression], _ context: RuleContext
  ) throws(EvaluationFailure) -> RuleValue {
    var values: [RuleValue] = []
    for argument in arguments { values.append(try argument.value(in: context)) }
    switch (value, values.first) {
    case let (.snapshot(snapshot), argument): return try snapshot.call(method, argument)
    case let (.string(text), .pattern(pattern)?) where method == .matches:
      return .bool(pattern.matches(text))
    case let (.string(text), argument): return try text.call(method, argument, values.last)
    default: throw EvaluationFailure()
    }
  }
}

extension RuleContext {
  fileprivate func value(of variable: Variable) -> RuleValue {
    switch variable {
    case .auth: RuleValue(auth)
    case .now: .number(now)
    case .root: .snapshot(RuleSnapshot(root: tree, path: .root))
    case .data: .snapshot(RuleSnapshot(root: tree, path: path))
    case .newData: .snapshot(RuleSnapshot(root: newTree ?? tree, path: path))
    // What is asked of it is answered where its member is.
    case .query: .null
    case let .location(name): .string(locations[name] ?? "")
    }
  }

  fileprivate func queryMember(_ name: String) -> RuleValue {
    let query = query ?? .all
    switch QueryMember(rawValue: name) {
    case nil: return .null
    case .orderByKey: return .bool(query.ordering == .key)
    case .orderByPriority: return .bool(query.ordering == .priority)
    case .orderByValue: return .bool(query.ordering == .value)
    case .orderByChild:
      guard case let .child(path) = query.ordering else { return .null }
      return .string(path.relativeText)
    case .startAt: return RuleValue(query.start?.value)
    case .endAt: return RuleValue(query.end?.value)
    case .equalTo: return query.start == query.end ? RuleValue(query.start?.value) : .null
    case .limitToFirst:
      guard case let .first(count)? = query.limit else { return .null }
      return .number(Double(count))
    case .limitToLast:
      guard case let .last(count)? = query.limit else { return .null }
      return .number(Double(count))
    }
  }
}

extension RuleValue {
  /// A member of what a token holds, or the length of a text.
  fileprivate func member(_ name: String) throws(EvaluationFailure) -> RuleValue {
    switch self {
    case let .string(text) where name == "length": return .number(Double(text.utf16.count))
    case let .object(json): return RuleValue(json[name])
    case .null, .bool, .number, .string, .branch, .snapshot, .pattern, .list:
      throw EvaluationFailure()
    }
  }
}

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
