internal import Document

/// Reads an expression.
struct ExpressionParser {
  /// How deep parentheses, calls and operators may be nested, and how many operators of one strength
  /// may follow each other; it bounds the recursion of what walks through the tree.
  private static let maxDepth = 200

  private let tokens: [Token]
  /// What may be named.
  private let scope: ExpressionScope
  private var position = 0
  private var depth = 0

  /// The expression that `text` states.
  static func parse(
    _ text: String, in scope: ExpressionScope
  ) throws(ExpressionError) -> Expression {
    var parser = ExpressionParser(tokens: try Lexer.tokens(of: text), scope: scope)
    let expression = try parser.expression()
    guard parser.next.kind == .end else {
      throw ExpressionError(
        at: parser.next.offset,
        "unexpected \(parser.next.shown); expected an operator or the end; remove it, or join the"
          + " parts with && or ||")
    }
    return expression
  }

  private init(tokens: [Token], scope: ExpressionScope) {
    self.tokens = tokens
    self.scope = scope
  }

  private var next: Token { tokens[min(position, tokens.count - 1)] }

  private mutating func take() -> Token {
    defer { position += 1 }
    return next
  }

  private mutating func takes(_ symbol: String) -> Bool {
    guard next.kind == .symbol(symbol) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ symbol: String, _ what: String) throws(ExpressionError) {
    guard takes(symbol) else {
      throw ExpressionError(
        at: next.offset, "unexpected \(next.shown); expected \"\(symbol)\" \(what); add it")
    }
  }

  private mutating func descend() throws(ExpressionError) {
    depth += 1
    if depth > Self.maxDepth {
      throw ExpressionError(
        at: next.offset,
        "the expression is nested deeper than \(Self.maxDepth) levels; expected a flatter one")
    }
  }

  /// A condition with its two outcomes, or anything stronger.
  private mutating func expression() throws(ExpressionError) -> Expression {
    try descend()
    defer { depth -= 1 }
    let condition = try operation(atLeast: 1)
    let start = next.offset
    guard takes("?") else { return condition }
    let first = try expression()
    try expect(":", "between the two outcomes of a condition")
    return Expression(.conditional(condition, first, try expression()), at: start)
  }

  private mutating func operation(atLeast strength: Int) throws(ExpressionError) -> Expression {
    var left = try unary()
    var count = 0
    while case let .symbol(text) = next.kind, let found = Operator(rawValue: text),
      found.strength >= strength
    {
      count += 1
      let start = take().offset
      guard count < Self.maxDepth else {
        throw ExpressionError(
          at: start,
          "more than \(Self.maxDepth) operators follow each other; expected less; use parentheses")
      }
      try descend()
      let right = try operation(atLeast: found.strength + 1)
      depth -= 1
      left = Expression(.binary(found, left, right), at: start)
    }
    return left
  }

  private mutating func unary() throws(ExpressionError) -> Expression {
    let start = next.offset
    let isNot = takes("!")
    guard isNot || takes("-") else { return try members(of: try operand()) }
    try descend()
    defer { depth -= 1 }
    let inner = try unary()
    return Expression(isNot ? .not(inner) : .negative(inner), at: start)
  }
}

extension ExpressionParser {
  private mutating func operand() throws(ExpressionError) -> Expression {
    let token = take()
    switch token.kind {
    case let .number(number): return Expression(.literal(.number(number)), at: token.offset)
    case let .string(text): return Expression(.literal(.string(text)), at: token.offset)
    case let .pattern(source, ignoresCase):
      do throws(ExpressionError) {
        return Expression(
          .pattern(try Pattern(source, ignoresCase: ignoresCase)), at: token.offset)
      } catch {
        throw ExpressionError(at: token.offset + 1 + error.offset, error.message)
      }
    case let .name(name): return try word(name, at: token.offset)
    case .symbol("("):
      let inner = try expression()
      try expect(")", "behind what is in parentheses")
      return inner
    case .symbol("["): return Expression(.list(try elements(endingWith: "]")), at: token.offset)
    case .symbol, .end:
      throw ExpressionError(
        at: token.offset,
        "unexpected \(token.shown); expected a variable or a value; add it, or remove this")
    }
  }

  private func word(_ name: String, at offset: Int) throws(ExpressionError) -> Expression {
    switch name {
    case "true": return Expression(.literal(.bool(true)), at: offset)
    case "false": return Expression(.literal(.bool(false)), at: offset)
    case "null": return Expression(.literal(.null), at: offset)
    default: return Expression(.variable(try scope.variable(name, at: offset)), at: offset)
    }
  }

  private mutating func elements(endingWith end: String) throws(ExpressionError) -> [Expression] {
    var elements: [Expression] = []
    if takes(end) { return elements }
    repeat { elements.append(try expression()) } while takes(",")
    try expect(end, "behind the last one")
    return elements
  }

  /// What follows a dot or is in brackets behind an operand.
  private mutating func members(of operand: Expression) throws(ExpressionError) -> Expression {
    var expression = operand
    var count = 0
    while true {
      let start = next.offset
      count += 1
      guard count < Self.maxDepth else {
        throw ExpressionError(at: start, "more than \(Self.maxDepth) members follow each other")
      }
      if takes("[") {
        let key = try self.expression()
        try expect("]", "behind the name of a member")
        expression = Expression(.element(expression, key), at: start)
      } else if takes(".") {
        expression = try member(of: expression)
      } else {
        return expression
      }
    }
  }

  private mutating func member(of operand: Expression) throws(ExpressionError) -> Expression {
    let token = take()
    guard case let .name(name) = token.kind else {
      throw ExpressionError(
        at: token.offset, "unexpected \(token.shown); expected the name of a member behind the dot")
    }
    guard takes("(") else { return Expression(.member(operand, name), at: token.offset) }
    guard let method = Method(rawValue: name) else {
      let known = Method.allCases.map(\.rawValue)
      throw ExpressionError(
        at: token.offset,
        "unknown method \"\(name)\"\(closestOrAll(to: name, in: known))")
    }
    return Expression(
      .call(operand, method, try elements(endingWith: ")")), at: token.offset)
  }
}

/// What the expressions of a rule may name.
struct ExpressionScope {
  let kind: RuleKind
  /// The keys that the location leaves open, with their `$`.
  let locations: [String]

  private var names: [String] {
    let common = ["auth", "now", "root", "data"]
    return common + (kind == .read ? ["query"] : ["newData"]) + locations
  }

  /// The variable of this name.
  func variable(_ name: String, at offset: Int) throws(ExpressionError) -> Variable {
    switch name {
    case "auth": return .auth
    case "now": return .now
    case "root": return .root
    case "data": return .data
    case "newData" where kind != .read: return .newData
    case "query" where kind == .read: return .query
    case _ where locations.contains(name): return .location(String(name.dropFirst()))
    case "newData", "query":
      throw ExpressionError(
        at: offset,
        "a \(kind.rawValue) rule has no \(name); expected one of \(names.joined(separator: ", "))")
    default:
      throw ExpressionError(
        at: offset,
        "unknown variable \"\(name)\"\(closestOrAll(to: name, in: names))")
    }
  }
}

/// What a rule decides.
enum RuleKind: String, CaseIterable, Hashable, Sendable {
  case read = ".read"
  case write = ".write"
  case validate = ".validate"
}
