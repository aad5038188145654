internal import Document

/// Splits an expression into tokens.
struct Lexer {
  /// How long an expression may be, in Unicode scalars.
  static let maxLength = 16_384
  /// The longest ones first, so that `===` is not read as `==`.
  private static let symbols = [
    "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "(",
    ")", "[", "]", ",", ".", "?", ":",
  ].map { Array($0.unicodeScalars) }

  private let text: [Unicode.Scalar]
  private var position = 0
  private var tokens: [Token] = []

  /// The tokens of `text`, with one for its end.
  static func tokens(of text: String) throws(ExpressionError) -> [Token] {
    var lexer = Lexer(text: Array(text.unicodeScalars))
    guard lexer.text.count <= maxLength else {
      throw ExpressionError(
        at: maxLength,
        "the expression is longer than \(maxLength) characters; expected a shorter one; move parts"
          + " of it to rules of their own")
    }
    try lexer.run()
    return lexer.tokens
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private mutating func run() throws(ExpressionError) {
    while let scalar = next {
      if scalar.properties.isWhitespace {
        position += 1
        continue
      }
      let start = position
      let kind = try token(beginningWith: scalar)
      tokens.append(Token(kind: kind, offset: start))
    }
    tokens.append(Token(kind: .end, offset: position))
  }

  private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private mutating func token(
    beginningWith scalar: Unicode.Scalar
  ) throws(ExpressionError) -> Token.Kind {
    if scalar == "'" || scalar == "\"" { return try string(endingWith: scalar) }
    if Self.isDigit(scalar) { return try number() }
    if scalar == "$" || Self.isLetter(scalar) { return name() }
    if scalar == "/", tokens.last?.endsOperand != true { return try pattern() }
    if let symbol = Self.symbols.first(where: { text[position...].starts(with: $0) }) {
      position += symbol.count
      return .symbol(String(String.UnicodeScalarView(symbol)))
    }
    // `=`, `&` and `|` are half of what is meant.
    let isHalf = Self.symbols.contains([scalar, scalar])
    throw ExpressionError(
      at: position,
      "unexpected character \(quoted(String(scalar), upTo: 8)); "
        + (isHalf
          ? "did you mean \(scalar)\(scalar)?"
          : "expected a variable, a value or an operator; remove it, or put text in quotes"))
  }

  private mutating func name() -> Token.Kind {
    let start = position
    position += 1
    while let scalar = next, Self.isLetter(scalar) || Self.isDigit(scalar) || scalar == "$" {
      position += 1
    }
    return .name(slice(from: start))
  }

  private mutating func number() throws(ExpressionError) -> Token.Kind {
    let start = position
    skipDigits()
    if next == ".", position + 1 < text.count, Self.isDigit(text[position + 1]) {
      position += 1
      skipDigits()
    }
    if next == "e" || next == "E" {
      position += 1
      if next == "+" || next == "-" { position += 1 }
      skipDigits()
    }
    let digits = slice(from: start)
    guard let number = Double(digits), number.isFinite, next.map(Self.isLetter) != true else {
      throw ExpressionError(
        at: start, "\(quoted(digits, upTo: 40)) begins no number; expected one such as 12 or 0.5")
    }
    return .number(number)
  }

  private mutating func skipDigits() {
    while let scalar = next, Self.isDigit(scalar) { position += 1 }
  }

  private mutating func string(
    endingWith quote: Unicode.Scalar
  ) throws(ExpressionError) -> Token.Kind {
    let start = position
    var value = String.UnicodeScalarView()
    position += 1
    while let scalar = next {
      position += 1
      if scalar == quote { return .string(String(value)) }
      if scalar == "\\", let escaped = next {
        position += 1
        value.append(try coded(escaped) ?? Self.controls[escaped] ?? escaped)
      } else {
        value.append(scalar)
      }
    }
    throw ExpressionError(at: start, "this string has no end; expected \(quote) behind it; add it")
  }

  /// The character that `\u0041` or `\x41` stands for; `nil` for other escapes.
  private mutating func coded(
    _ escaped: Unicode.Scalar
  ) throws(ExpressionError) -> Unicode.Scalar? {
    guard let length = ["u": 4, "x": 2][escaped] else { return nil }
    let start = position - 2
    var digits = ""
    while digits.count < length, let digit = next, digit.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(digit)
      position += 1
    }
    if digits.count == length, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
      return scalar
    }
    throw ExpressionError(
      at: start, "\\\(escaped)\(digits) names no character; expected \(length) hexadecimal digits")
  }

  private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "b": "\u{8}", "f": "\u{C}",
  ]

  private mutating func pattern() throws(ExpressionError) -> Token.Kind {
    let start = position
    var (isInSet, isEscaped) = (false, false)
    position += 1
    while let scalar = next, isEscaped || isInSet || scalar != "/" {
      if !isEscaped, scalar == "[" { isInSet = true }
      if !isEscaped, scalar == "]" { isInSet = false }
      isEscaped = !isEscaped && scalar == "\\"
      position += 1
    }
    guard next == "/" else {
      throw ExpressionError(
        at: start, "this regular expression has no end; expected / behind it; add it")
    }
    let source = slice(from: start + 1)
    position += 1
    let flags = position
    while let scalar = next, Self.isLetter(scalar) { position += 1 }
    let given = slice(from: flags)
    guard given.isEmpty || given == "i" else {
      throw ExpressionError(
        at: flags, "unknown flag \"\(given)\" of a regular expression; expected i, or none")
    }
    return .pattern(source, ignoresCase: !given.isEmpty)
  }

  private func slice(from start: Int) -> String {
    String(String.UnicodeScalarView(text[start..<position]))
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }
}
