internal import Tree

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
