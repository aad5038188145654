/// Turns the text of a regular expression into a program.
struct PatternParser {
  /// How many steps a pattern may have, repetitions written out.
  private static let maxSize = 5000
  /// How deep groups may be nested.
  private static let maxDepth = 50

  private let text: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private(set) var isAnchoredAtStart = false
  private(set) var isAnchoredAtEnd = false

  init(_ source: String) { text = Array(source.unicodeScalars) }

  mutating func program() throws(ExpressionError) -> [Pattern.Instruction] {
    isAnchoredAtStart = takes("^")
    let steps = try alternatives()
    if takes("$") { isAnchoredAtEnd = true }
    guard next == nil else {
      throw mistake(
        next == ")"
          ? "a ) without (; expected none; add \\ before it"
          : "$ is not at the end of the pattern; expected it there only; add \\ before it")
    }
    return steps + [.match]
  }

  private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private func mistake(_ message: String) -> ExpressionError {
    ExpressionError(at: position, message)
  }

  private mutating func alternatives() throws(ExpressionError) -> [Pattern.Instruction] {
    var steps = try sequence()
    while takes("|") {
      let other = try sequence()
      let first = Self.moved(steps, by: 1)
      steps =
        [.split(1, first.count + 2)] + first + [.jump(first.count + 2 + other.count)]
        + Self.moved(other, by: first.count + 2)
      try checkSize(steps)
    }
    return steps
  }

  private mutating func sequence() throws(ExpressionError) -> [Pattern.Instruction] {
    var steps: [Pattern.Instruction] = []
    while let scalar = next, scalar != "|", scalar != ")", scalar != "$" {
      let piece = try repeated(try piece(beginningWith: scalar))
      steps += Self.moved(piece, by: steps.count)
      try checkSize(steps)
    }
    return steps
  }

  private func checkSize(_ steps: [Pattern.Instruction]) throws(ExpressionError) {
    if steps.count > Self.maxSize {
      throw mistake("the pattern has more than \(Self.maxSize) steps; expected a smaller one")
    }
  }

  private mutating func piece(
    beginningWith scalar: Unicode.Scalar
  ) throws(ExpressionError) -> [Pattern.Instruction] {
    switch scalar {
    case "*", "+", "?", "{":
      throw mistake("nothing to repeat before \(scalar); expected a character; add \\ before it")
    case "^":
      throw mistake(
        "^ is not at the beginning of the pattern; expected it there only; add \\ before it")
    case "(":
      position += 1
      depth += 1
      guard depth <= Self.maxDepth else {
        throw mistake("groups are nested deeper than \(Self.maxDepth) levels; expected less")
      }
      let steps = try alternatives()
      depth -= 1
      guard takes(")") else { throw mistake("a group has no end; expected ) behind it; add it") }
      return steps
    case ".":
      position += 1
      return [.take(.any)]
    case "[":
      position += 1
      return [.take(try set())]
    case "\\": return [.take(CharacterSet(try escaped()))]
    default:
      position += 1
      return [.take(CharacterSet([scalar...scalar]))]
    }
  }

  private mutating func escaped() throws(ExpressionError) -> [ClosedRange<Unicode.Scalar>] {
    position += 1
    guard let scalar = next else {
      throw mistake("nothing follows \\; expected a character; add one, or another \\")
    }
    position += 1
    switch scalar {
    case "d": return CharacterSet.digits
    case "w": return CharacterSet.word
    case "s": return CharacterSet.space
    case "D": return CharacterSet.complement(of: CharacterSet.digits)
    case "W": return CharacterSet.complement(of: CharacterSet.word)
    case "S": return CharacterSet.complement(of: CharacterSet.space)
    case "n": return ["\n"..."\n"]
    case "t": return ["\t"..."\t"]
    case "r": return ["\r"..."\r"]
    default: return [scalar...scalar]
    }
  }

  /// What is between brackets.
  private mutating func set() throws(ExpressionError) -> CharacterSet {
    var set = CharacterSet(isInverted: takes("^"))
    while let scalar = next, scalar != "]" {
      var ranges = [scalar...scalar]
      if scalar == "\\" { ranges = try escaped() } else { position += 1 }
      if next == "-", position + 1 < text.count, text[position + 1] != "]",
        let low = ranges.first, ranges.count == 1, low.lowerBound == low.upperBound
      {
        position += 1
        var high = text[position]
        if high == "\\" {
          high = try escaped().first?.lowerBound ?? high
        } else {
          position += 1
        }
        guard low.lowerBound <= high else {
          throw mistake(
            "the range \(low.lowerBound)-\(high) runs backwards; expected the smaller one first")
        }
        ranges = [low.lowerBound...high]
      }
      set.ranges += ranges
    }
    guard takes("]") else {
      throw mistake("a set of characters has no end; expected ] behind it; add it")
    }
    return set
  }
}

// Repetition.

extension PatternParser {
  private mutating func repeated(
    _ piece: [Pattern.Instruction]
  ) throws(ExpressionError) -> [Pattern.Instruction] {
    let counts: (least: Int, most: Int?)
    switch next {
    case "*": counts = (0, nil)
    case "+": counts = (1, nil)
    case "?": counts = (0, 1)
    case "{": counts = try bounds()
    default: return piece
    }
    position += 1
    var steps: [Pattern.Instruction] = []
    for _ in 0..<counts.least {
      steps += Self.moved(piece, by: steps.count)
      try checkSize(steps)
    }
    guard let most = counts.most else {
      let start = steps.count
      let body = Self.moved(piece, by: start + 1)
      return steps + [.split(start + 1, start + body.count + 2)] + body + [.jump(start)]
    }
    for _ in 0..<max(0, most - counts.least) {
      let start = steps.count
      steps += [.split(start + 1, start + piece.count + 1)] + Self.moved(piece, by: start + 1)
      try checkSize(steps)
    }
    return steps
  }

  /// `{2}`, `{2,}` or `{2,5}`; the closing brace is the next character afterwards.
  private mutating func bounds() throws(ExpressionError) -> (least: Int, most: Int?) {
    position += 1
    guard let least = number() else {
      throw mistake("{ begins no repetition; expected {2}, {2,} or {2,5}; add \\ before it")
    }
    var most: Int? = least
    if takes(",") { most = number() }
    guard next == "}", most.map({ $0 >= least }) ?? true else {
      throw mistake("this is no repetition; expected {2}, {2,} or {2,5}")
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = position
    while let scalar = next, ("0"..."9").contains(scalar), position - start < 4 { position += 1 }
    return Int(String(String.UnicodeScalarView(text[start..<position])))
  }

  /// The same steps, further behind.
  private static func moved(
    _ steps: [Pattern.Instruction], by count: Int
  ) -> [Pattern.Instruction] {
    steps.map { step in
      switch step {
      case .take, .match: step
      case let .split(first, second): .split(first + count, second + count)
      case let .jump(target): .jump(target + count)
      }
    }
  }
}
